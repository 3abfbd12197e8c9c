import t from 'tap'
import { isInternalFunction } from '../../src/main/sql/gate/forbidden.ts'
import { readStatement } from '../../src/main/sql/gate/gate.ts'
import { type FunctionRow, type Overload, SEVERAL_TYPES } from '../../src/plan/functions/function-row.ts'
import { FUNCTION_FAMILIES, FUNCTIONS } from '../../src/plan/functions/functions.ts'
import { queryTexts } from '../../src/wasm/duckdb/statement.ts'
import { openDuck } from '../sql/duck.ts'
import { testEngine } from '../sql/engine.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'

const { run } = await testEngine()
/** DuckDB without what the service adds to it. */
const plain = await openDuck()

const ROWS = [...FUNCTIONS.values()]
const INTEGERS = ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT']
const INTEGRAL = [...INTEGERS, ...INTEGERS.map((name) => `U${name}`)]
const NUMBERS = [...INTEGRAL, 'DOUBLE', 'FLOAT', 'DECIMAL']
const TIMES = ['DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'INTERVAL']
const ZONED = ['TIMESTAMP WITH TIME ZONE', 'TIMESTAMPTZ_NS', 'TIME WITH TIME ZONE']
const OTHER = ['BOOLEAN', 'VARCHAR', 'BLOB', 'BIT', 'UUID', 'JSON', 'STRUCT', 'MAP', '"NULL"']
const TYPES = new Set<string>([...SEVERAL_TYPES, ...NUMBERS, ...TIMES, ...ZONED, ...OTHER])

t.test('names are in lower case, and in order within a family', async (t) => {
  for (const { title, rows } of FUNCTION_FAMILIES) {
    for (const { name } of rows) t.match(name, /^[a-z][a-z0-9_]*$/)
    const names = rows.filter(({ sameAs }) => sameAs === null).map(({ name }) => name)
    t.same(names, names.toSorted(), title)
    for (const [index, { name, sameAs }] of rows.entries())
      if (sameAs !== null) {
        const before = rows[index - 1]
        t.ok(before?.name === sameAs || before?.sameAs === sameAs, `${name} is behind ${sameAs}`)
      }
  }
})

t.test('each row is whole', async (t) => {
  for (const { name, description, overloads } of ROWS) {
    t.match(description, /^[^\s].*\.$/, name)
    t.ok(overloads.length > 0, name)
    for (const { parameters, isVariadic, returns } of overloads) {
      const names = parameters.map((parameter) => parameter.name)
      t.equal(new Set(names).size, names.length, `${name}(${names})`)
      for (const each of names) t.match(each, /^[a-z][a-z0-9_]*$/, name)
      for (const type of [returns, ...parameters.map((parameter) => parameter.type)])
        t.ok(TYPES.has(type.replace(/(\[\])+$/, '')), `${name}: ${type}`)
      t.notOk(isVariadic && parameters.length === 0, name)
    }
  }
})

t.test('DuckDB has what is built in, and what another name is for', async (t) => {
  for (const { name, form } of ROWS) {
    const built =
      form.kind === 'built in' || form.kind === 'overload' ? name : form.kind === 'alias' ? form.of : null
    // Functions of windows are none of those that it lists.
    if (built === null || FUNCTIONS.get(built)?.kind === 'window') continue
    t.ok(isListed(built), name)
  }
})

t.test('DuckDB has nothing of a name that is added to it, unless a macro covers it', async (t) => {
  for (const { name, form } of ROWS)
    if (form.kind === 'alias' || form.kind === 'registered') t.notOk(isListed(name), name)
})

t.test('the parameters of a macro are those of its overloads', async (t) => {
  for (const { name, form, overloads } of ROWS) {
    if (form.kind !== 'macro') continue
    const arities = form.overloads.map(({ parameters }) => arityOf(parameters))
    for (const overload of overloads) {
      const count = overload.parameters.length
      t.notOk(overload.isVariadic, name)
      t.ok(
        arities.some(({ least, most }) => least <= count && count <= most),
        `${name} of ${count}`,
      )
    }
  }
})

t.test('a macro whose value changes says so', async (t) => {
  const changing = ROWS.filter(({ isConstant }) => !isConstant).map(({ name }) => name)
  const call = new RegExp(`\\b(${changing.join('|')}|current_localtimestamp|get_current_time\\w*)\\(`)
  for (const { name, form, isConstant } of ROWS)
    if (form.kind === 'macro')
      for (const { body } of form.overloads) t.notOk(isConstant && call.test(body), `${name}: ${body}`)
})

t.test('every aggregate of DuckDB is one of the table', async (t) => {
  const [connection = 0] = plain.connections
  const query = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'aggregate'"
  const listed = queryTexts(plain.duck, connection, query)
  t.ok(Array.isArray(listed) && listed.length > 50)
  for (const [name = ''] of Array.isArray(listed) ? listed : [])
    t.ok(isInternalFunction(name) || FUNCTIONS.get(name)?.kind === 'aggregate', name)
})

t.test('what DuckDB says may change from one call to another says so', async (t) => {
  const [connection = 0] = plain.connections
  const query = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE stability != 'CONSISTENT'"
  const changing = queryTexts(plain.duck, connection, query)
  t.ok(Array.isArray(changing) && changing.length > 5)
  for (const [name = ''] of Array.isArray(changing) ? changing : [])
    t.not(FUNCTIONS.get(name)?.isConstant, true, name)
})

t.test('each answer of an example has a type of the row', async (t) => {
  for (const { from, rows } of FUNCTION_FAMILIES)
    for (const row of rows)
      for (const { call } of row.examples) {
        // Some round the answer, or cast it to a type that has a form in text.
        if (!call.startsWith(`${row.name}(`) || call.includes(')::')) continue
        const type = typeOf(call, from)
        t.ok(
          row.overloads.some(({ returns }) => isOf(type, returns)),
          `${call}: ${type}`,
        )
      }
})

t.test('nulls of each type are taken, and give null where the row says so', async (t) => {
  for (const row of ROWS)
    for (const overload of row.overloads) {
      const call = callOfNulls(row, overload)
      if (call === null) continue
      const type = typeOf(call)
      t.ok(isOf(type, overload.returns) || type === '"NULL"', `${call}: ${type}`)
      if (row.nulls === 'give null' && overload.parameters.length > 0)
        t.equal(textOf(`(${call}) IS NULL`), 'true', call)
    }
})

function isListed(name: string): boolean {
  const [connection = 0] = plain.connections
  const query = `SELECT count(*)::VARCHAR FROM duckdb_functions() WHERE lower(function_name) = '${name}'`
  return String(queryTexts(plain.duck, connection, query)) !== '0'
}

/** How many arguments a macro with these parameters takes. Those with a default may be left out. */
function arityOf(parameters: string): { least: number; most: number } {
  const each = parameters.split(',').filter((parameter) => parameter.trim() !== '')
  return { least: each.filter((parameter) => !parameter.includes(':=')).length, most: each.length }
}

/** A call with a null for each parameter. Null: the function is none of scalars, or DuckDB needs a constant that is not null. */
function callOfNulls({ name, kind, form }: FunctionRow, { parameters }: Overload): string | null {
  if (kind !== 'scalar' || form.kind === 'syntax') return null
  const args = parameters.map(({ name, type }) => CONSTANTS.get(name) ?? `NULL::${sampleOf(type)}`)
  return `"${name}"(${args.join(', ')})`
}

/** Parameters for which constants alone are taken, and one for each. */
const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ['options', "''"],
  ['label', "'a'"],
  ['next_label', "'b'"],
  ['aggregate', "'sum'"],
])

/** A type that a name stands for. */
function sampleOf(type: string): string {
  return type.replace(/^ANY\b/, 'INTEGER').replace(/^(NUMBER|INTEGRAL)\b/, 'BIGINT')
}

function typeOf(expression: string, from?: string): string {
  return textOf(`typeof(${expression})`, from)
}

/** The first value, or the message of an error. */
function textOf(expression: string, from = '(VALUES (1))'): string {
  try {
    const { text } = readStatement(`SELECT ${expression} AS v FROM ${from} LIMIT 1`, KNOWN_NAMES)
    return String(run(text).getChild('v')?.get(0))
  } catch (error) {
    return String(error)
  }
}

/** Whether a type, as `typeof` prints it, is one of those that a name stands for. */
function isOf(type: string, name: string): boolean {
  if (name.endsWith('[]')) return type.endsWith('[]') && isOf(type.slice(0, -2), name.slice(0, -2))
  const bare = type.endsWith(']') ? type : type.replace(/\(.*\)$/s, '')
  if (name === 'ANY') return true
  if (name === 'NUMBER') return NUMBERS.includes(bare)
  if (name === 'INTEGRAL') return INTEGRAL.includes(bare)
  return bare === name
}
