import t from 'tap'
import type { FunctionRow, Overload } from '../../../src/plan/functions/function-row.ts'
import { FUNCTION_FAMILIES } from '../../../src/plan/functions/functions.ts'
import { testEngine } from '../../sql/engine.ts'
import { openNative } from '../../support/native-duckdb.ts'
import { DIFFERENT, UNTRIED } from './differences.ts'
import { type Argument, argumentsOf, choices, literalOf } from './values.ts'

const { run } = await testEngine()
const native = await openNative(t)

/** How answers are shown that are null, and errors. */
const NULL = 'null'
const ERROR = 'error'

/** The answers for all rows: texts, `null`, or `error`. Or the message of the error of the whole statement. */
type Answers = readonly (readonly string[])[] | string

for (const { title, rows } of FUNCTION_FAMILIES) {
  const scalars = rows.filter(
    ({ name, kind, isConstant }) => kind === 'scalar' && isConstant && !UNTRIED.has(name),
  )
  if (scalars.length === 0) continue
  t.test(title, async (t) => {
    for (const row of scalars) {
      const found: string[] = []
      for (const overload of row.overloads.filter(isKnownThere))
        for (const args of argumentsOf(row.name, overload)) {
          const ours = await answersOf(row, args, async (sql) => answersHere(sql))
          const theirs = await answersOf(row, args, answersThere)
          const name = shown(row, overload, args)
          t.type(ours, Array, `${name}: ${ours}`)
          if (typeof theirs !== 'string' && typeof ours !== 'string')
            found.push(...differences(name, ours, theirs))
          else if (typeof theirs === 'string' && !(isUnknown(theirs) && isAdded(row)))
            found.push(`${name}: ${theirs}`)
          if (typeof ours !== 'string' && row.nulls === 'give null')
            t.same(ours.filter(isOfNull).filter(isSomething), [], `${name} of null is null`)
        }
      t.same(found.filter(isUnlisted).slice(0, 5), [], row.name)
    }
  })
}

/**
 * The answers of a function. TRY makes null of an error, so a second query tells which nulls are errors: DuckDB computes equal
 * expressions once and outside of TRY, so a query has each call once; and TRY(coalesce(…)) is an internal error of it.
 */
async function answersOf(
  row: FunctionRow,
  args: readonly Argument[],
  ask: (sql: string) => Promise<Answers>,
): Promise<Answers> {
  const texts = await ask(statementOf(row, args, (call) => `CAST(${call} AS VARCHAR)`))
  if (typeof texts === 'string' || !texts.flat().includes(NULL)) return texts
  const areNull = await ask(statementOf(row, args, (call) => `(${call}) IS NULL`))
  if (typeof areNull === 'string') return areNull
  return texts.map((line, at) =>
    line.map((text, column) => (text === NULL && areNull[at]?.[column] === NULL ? ERROR : text)),
  )
}

/** The beginnings of calls that have differed. */
const differing = new Set<string>()

t.test('what is said to differ does so still', async (t) => {
  for (const [call, reason] of DIFFERENT) t.ok(differing.has(call), `${call}…) differs: ${reason}`)
})

/** Whether nothing says why a call differs. */
function isUnlisted(difference: string): boolean {
  const call = [...DIFFERENT.keys()].find((each) => difference.startsWith(each))
  if (call !== undefined) differing.add(call)
  return call === undefined
}

/** A query of each combination of values, with the arguments as text, and an answer for each combination of constants. */
function statementOf(row: FunctionRow, args: readonly Argument[], answer: (call: string) => string): string {
  const columns = args.flatMap((each, index) => (each.kind === 'column' ? [{ ...each, index }] : []))
  const constants = choices(args.map((each) => (each.kind === 'constant' ? each.values : [''])))
  const calls = constants.map((chosen) => {
    const list = args.map((each, index) => (each.kind === 'constant' ? chosen[index] : `x${index}`))
    return `${row.form.kind === 'syntax' ? row.name : `"${row.name}"`}(${list.join(', ')})`
  })
  const texts = calls.map((call, index) => `TRY(${answer(call)}) AS answer${index}`)
  const tables = columns.map(({ type, values, index }) => {
    const all = [...values, null].map((value, number) => `(${number}, ${literalOf(value, type)})`)
    return `(VALUES ${all.join(', ')}) AS t${index}(i${index}, x${index})`
  })
  const shownArgs = columns.map(({ index }) => `coalesce(CAST(x${index} AS VARCHAR), 'null')`)
  const order = columns.map(({ index }) => `i${index}`)
  return `SELECT ${shownArgs.length === 0 ? "''" : `concat_ws(', ', ${shownArgs.join(', ')})`} AS args,
    typeof(${calls[0]}) AS type, ${texts.join(', ')}
    FROM ${tables.length === 0 ? '(VALUES (1)) AS t(i)' : tables.join(' CROSS JOIN ')} ${order.length === 0 ? '' : `ORDER BY ${order.join(', ')}`}`
}

function answersHere(sql: string): Answers {
  try {
    const table = run(sql)
    const columns = table.schema.fields.map((_, index) => [...(table.getChildAt(index) ?? [])].map(String))
    return Array.from({ length: table.numRows }, (_, row) => columns.map((column) => column[row] ?? ''))
  } catch (error) {
    return String(error)
  }
}

async function answersThere(sql: string): Promise<Answers> {
  try {
    return (await native.runAndReadAll(sql)).getRows().map((row) => row.map(String))
  } catch (error) {
    return String(error)
  }
}

function differences(
  name: string,
  ours: readonly (readonly string[])[],
  theirs: readonly (readonly string[])[],
): string[] {
  return ours.flatMap((row, index) => {
    const other = theirs[index] ?? []
    const differing = row.findIndex((each, column) => !isSame(each, other[column] ?? ''))
    return differing < 0 ? [] : [`${name} of (${row[0]}): ${row[differing]}, natively ${other[differing]}`]
  })
}

/** Two programs round the last bits of transcendental functions in their own ways. */
const RELATIVE = 1e-13

function isSame(a: string, b: string): boolean {
  if (a === b) return true
  // The sign of NaN is that of the processor.
  if (a === '-nan') return b === 'nan'
  const [x, y] = [Number(a), Number(b)]
  return /[.e]/.test(a) && Math.abs(x - y) <= RELATIVE * Math.max(Math.abs(x), Math.abs(y))
}

/** Whether native DuckDB has no function of the name, or none with these arguments. */
function isUnknown(message: string): boolean {
  return /Function with name .* does not exist|No function matches/.test(message)
}

/** Whether native DuckDB has the types of an overload: that of nanoseconds with a zone is the service's own. */
function isKnownThere({ parameters }: Overload): boolean {
  return !parameters.some(({ type }) => type === 'TIMESTAMPTZ_NS')
}

/** Whether DuckDB does not have the function, or not all of its overloads. */
function isAdded({ form }: FunctionRow): boolean {
  return form.kind !== 'built in' && form.kind !== 'syntax'
}

function isOfNull([args = '']: readonly string[]): boolean {
  return args.split(', ').includes(NULL)
}

function isSomething([, , ...answers]: readonly string[]): boolean {
  return answers.some((answer) => answer !== NULL && answer !== ERROR)
}

function shown({ name }: FunctionRow, { parameters }: Overload, args: readonly Argument[]): string {
  const types = args.map((each, index) => (each.kind === 'column' ? each.type : parameters[index]?.name))
  return `${name}(${types.join(', ')})`
}
