import t from 'tap'
import { isLike } from '../../src/main/statements/handlers/show.ts'
import { FUNCTIONS } from '../../src/plan/functions/functions.ts'
import { queryTexts } from '../../src/wasm/duckdb/statement.ts'
import { openDuck } from '../sql/duck.ts'
import { fc } from '../support/generate.ts'
import { startLooking } from './looking.ts'

const { look } = await startLooking(t)

t.test('with the types of Arrow, those of a pattern alone', async (t) => {
  const rows = await look("SHOW FUNCTIONS LIKE 'date_part'")
  t.ok(rows.length > 1)
  t.strictSame(Object.keys(rows[0] ?? {}), [
    'function_name',
    'return_type',
    'parameters',
    'parameter_types',
    'function_type',
    'description',
    'syntax_example',
  ])
  t.ok(rows.some(({ parameter_types }) => `${parameter_types}` === 'Utf8,Timestamp(us)'))
  const [abs] = (await look("SHOW FUNCTIONS LIKE 'abs'")).filter(
    ({ return_type }) => return_type === 'Float64',
  )
  t.strictSame(abs, {
    function_name: 'abs',
    return_type: 'Float64',
    parameters: ['x'],
    parameter_types: ['Float64'],
    function_type: 'SCALAR',
    description: FUNCTIONS.get('abs')?.description,
    syntax_example: FUNCTIONS.get('abs')?.examples[0]?.call,
  })
  t.strictSame(await look("SHOW FUNCTIONS LIKE 'it''s query'"), [])
})

t.test('all of them, and none that a query must not call', async (t) => {
  const names = new Set((await look('SHOW FUNCTIONS')).map(({ function_name }) => function_name))
  for (const name of [
    'abs',
    'sum',
    'regexp_matches',
    'strftime',
    'list_transform',
    'row_number',
    'pi',
    'coalesce',
  ])
    t.ok(names.has(name), name)
  for (const name of [
    'current_setting',
    'getvariable',
    'setseed',
    'nextval',
    'read_csv',
    '__internal_compress_string_ubigint',
  ])
    t.notOk(names.has(name), name)
})

t.test('a pattern matches as LIKE does', async (t) => {
  const { duck, connections } = await openDuck()
  const [connection = 0] = connections
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '_', '%', 'é', '😀', '\n'), maxLength: 8 })
  fc.assert(
    fc.property(text, text, (value, pattern) => {
      const rows = queryTexts(duck, connection, `SELECT ('${value}' LIKE '${pattern}')::VARCHAR`)
      t.equal(String(isLike(value, pattern)), String(rows), JSON.stringify([value, pattern]))
    }),
    { numRuns: 500 },
  )
  t.notOk(isLike('a'.repeat(100), `${'%a'.repeat(60)}b`), 'in no time')
})

t.test('to every caller', async (t) => {
  const [abs] = await look("SHOW FUNCTIONS LIKE 'abs'", {})
  t.match(abs, { function_name: 'abs' })
})
