import t from 'tap'
import { FUNCTION_FAMILIES, FUNCTIONS } from '../../src/plan/functions/functions.ts'
import { startStatedService } from '../statements/asked-statements.ts'
import { type Call, callOf, textOf } from './calls.ts'

const { state, post } = await startStatedService(t)

/** All examples of the table of functions. */
const EXAMPLES = FUNCTION_FAMILIES.flatMap(({ title, from = null, rows }) =>
  rows.flatMap((row) => row.examples.map((example) => ({ title, from, row, ...example }))),
)

t.test('every function has an example', async (t) => {
  for (const { rows } of FUNCTION_FAMILIES)
    for (const { name, examples } of rows) {
      t.ok(examples.length > 0, name)
      for (const { call } of examples) t.match(call, new RegExp(`\\b${name}\\b`, 'i'), call)
    }
})

t.test('in SQL', async (t) => {
  for (const { call, from, result } of EXAMPLES) {
    const all = `(SELECT ${call} AS answer${from === null ? '' : ` FROM ${from}`})`
    const found = await answersTo({ sql: `SELECT answer IS NULL AS is_null, answer FROM ${all}` })
    const rows = isWithoutForm(found)
      ? await answersTo({ sql: `SELECT answer IS NULL AS is_null, answer::VARCHAR AS answer FROM ${all}` })
      : found
    if (result === null) t.type(rows, Array, `${call}: ${rows}`)
    else t.equal(shown(rows), result, call)
  }
})

for (const [index, { title, rows }] of FUNCTION_FAMILIES.entries()) {
  if (rows.every(({ kind }) => kind !== 'scalar')) continue
  t.test(`in JSON, with arguments as columns: ${title}`, async (t) => {
    const view = `arguments_${index}`
    const columns: string[] = ['1 AS one']
    const asked = EXAMPLES.flatMap(({ call, row, result }) => {
      const read = row.kind === 'scalar' && rows.includes(row) ? callOf(call) : null
      if (read === null) return []
      const entry = { function: read.name, args: argumentsOf(read, columns), alias: 'answer' }
      return [{ call, row, result, request: { from: view, select: [entry] } }]
    })
    for (const row of rows)
      if (row.kind === 'scalar' && row.form.kind !== 'syntax')
        t.ok(
          asked.some((each) => each.row === row),
          `${row.name} has an example that JSON can ask`,
        )

    t.equal(await state(`CREATE VIEW ${view} AS SELECT ${columns.join(', ')}`), null)
    for (const { call, result, request } of asked) {
      const rows = await answersTo(request)
      if (isWithoutForm(rows))
        t.equal(await asJson(request), await asJson({ sql: `SELECT ${call} AS answer` }), call)
      else if (result === null) t.type(rows, Array, `${call}: ${rows}`)
      // CSV does not tell null from an empty text.
      else t.same(rows, [result === 'NULL' ? '' : result], call)
    }
  })
}

/** Where a function takes an integer, a number is a constant, as requests have it. Elsewhere it would be a 64-bit float. */
function argumentsOf({ name, args }: Call, columns: string[]): readonly unknown[] {
  const overloads = FUNCTIONS.get(name)?.overloads ?? []
  return args.map((arg, index) =>
    /^-?\d+$/.test(arg) && overloads.some(({ parameters }) => isInteger(parameters[index]?.type))
      ? { value: Number(arg) }
      : argumentOf(arg, columns),
  )
}

function isInteger(type: string | undefined): boolean {
  return type === 'INTEGER' || type === 'BIGINT'
}

/** An argument in JSON: a constant if it is a literal of text, a call, or else a column, which is added to those of a view. */
function argumentOf(arg: string, columns: string[]): unknown {
  const text = textOf(arg)
  if (text !== null) return { value: text }
  const call = /\(.*\)$/.test(arg) ? callOf(arg) : null
  if (call !== null) return { function: call.name, args: argumentsOf(call, columns) }
  const name = `c${columns.length}`
  columns.push(`${arg} AS ${name}`)
  return name
}

/** The lines of the answer to a query as CSV, without the one of names. An error is its message. */
async function answersTo(query: object): Promise<readonly string[] | string> {
  const response = await post({ ...query, output: { format: 'csv' } })
  const text = await response.text()
  if (response.status !== 200) return text
  return text.trimEnd().split('\n').slice(1).map(unquoted)
}

/** Whether an answer is an error because its type, such as a list, has no form in CSV. */
function isWithoutForm(lines: readonly string[] | string): boolean {
  return typeof lines === 'string' && lines.includes('which CSV has no form for')
}

/** The answer to a query as text of JSON. */
async function asJson(query: object): Promise<string> {
  const response = await post({ ...query, output: { format: 'json' } })
  return response.text()
}

/** A line of CSV whose last value is not quoted. */
function unquoted(line: string): string {
  const quoted = /^((?:true,|false,)?)"(.*)"$/s.exec(line)
  return quoted === null ? line : `${quoted[1]}${quoted[2]?.replaceAll('""', '"')}`
}

/** Answers as a row of the table shows them. */
function shown(lines: readonly string[] | string): string {
  if (typeof lines === 'string') return lines
  return lines.map((line) => (line.startsWith('true,') ? 'NULL' : line.slice('false,'.length))).join(', ')
}
