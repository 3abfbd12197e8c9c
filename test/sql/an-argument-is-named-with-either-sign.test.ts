import t from 'tap'
import { parseSelect } from '../../src/main/query/core/parse/parse-select.ts'
import { readStatement } from '../../src/main/sql/gate/gate.ts'
import { tokenize } from '../../src/main/sql/text/tokens.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { KNOWN_NAMES } from './known-names.ts'

const textOf = (sql: string): string => readStatement(sql, KNOWN_NAMES).text

t.test('the sign after the name of an argument becomes the one of macros', async (t) => {
  for (const [given, text] of [
    ["FROM read_csv('a', delimiter = ';')", "FROM read_csv('a', delimiter:= ';')"],
    ["FROM read_csv('a', delimiter= ';')", "FROM read_csv('a', delimiter:=';')"],
    ["FROM read_csv('a',delimiter=';')", "FROM read_csv('a',delimiter:=';')"],
    ["FROM READ_CSV('a', delimiter='=', \"INFER_RECORDS\"\n=\n5)", null],
    ["FROM read_csv('a', delimiter/* = */=/* = */';')", "FROM read_csv('a', delimiter/* = */:=/* = */';')"],
    ["FROM read_csv(paths = ['a', 'b'])", "FROM read_csv(paths:= ['a', 'b'])"],
    [
      "FROM read_csv_schema('a', delimiter = ';'), t WHERE a = ';'",
      "FROM read_csv_schema('a', delimiter:= ';'), t WHERE a = ';'",
    ],
    ['FROM list_datasets("limit" = 5)', 'FROM list_datasets("limit":= 5)'],
    ['FROM list_datasets(limit = 5, Offset := 7)', 'FROM list_datasets("limit":= 5, "Offset" := 7)'],
    ["SELECT * FROM (FROM read_csv('a', delimiter=';', infer_records=1)) x WHERE (x.a=1)", null],
    ["EXPLAIN FROM read_csv('a', delimiter=-5)", "FROM read_csv('a', delimiter:=-5)"],
  ] as const)
    t.equal(textOf(given), text ?? given.replace(/(?<=_records|"|delimiter)(\s*)=/gi, '$1:='), given)
})

t.test('a comparison stays one', async (t) => {
  for (const sql of [
    "SELECT a = 1, (b = 2), x(c = 3), [d = 4] FROM read_csv('a') WHERE t.a = 'b' AND (e = 1)",
    "FROM read_csv('a', delimiter := ';')",
    "FROM read_csv('a', delimiter => ';')",
    "FROM read_csv('a', a.b = ';')",
    "FROM read_csv('a', 'b' = 'c')",
    "FROM read_csv('a', concat(x = 1))",
    "FROM read_csv('a', [x = 1])",
    'FROM unnest(x = 1)',
    "FROM read_csv('a', delimiter == ';')",
  ])
    t.equal(textOf(sql), sql)
})

t.test('tokens are those of the text', async (t) => {
  const sql = "SELECT a, 'b' FROM read_csv('ü', delimiter=';', infer_records = 7) WHERE a=1 LIMIT 5"
  const { text, tokens } = readStatement(sql, KNOWN_NAMES)
  t.same(tokens, tokenize(text))
})

t.test('a plain select with such arguments is one for the core', async (t) => {
  const { tokens } = readStatement(
    "SELECT a FROM read_csv('x.csv', delimiter=';', infer_records = 200000)",
    KNOWN_NAMES,
  )
  const parsed = parseSelect(tokens, FORMATS)
  t.match('done' in parsed && parsed.done.from, {
    sources: [{ format: { options: { delimiter: ';', infer_records: 200_000 } }, paths: ['x.csv'] }],
  })
})

t.test('and so is one whose first arguments have no names', async (t) => {
  const optionsOf = (call: string): unknown => {
    const parsed = parseSelect(readStatement(`SELECT a FROM ${call}`, KNOWN_NAMES).tokens, FORMATS)
    if (!('done' in parsed)) return 'declined'
    const { from } = parsed.done
    return from.kind === 'sources' && from.sources[0]?.kind === 'files' && from.sources[0].format.options
  }
  t.same(optionsOf("read_netcdf('x.nc', ['lat', 'lon'])"), { dimensions: ['lat', 'lon'] })
  t.same(optionsOf("read_zarr('x.zarr', ['v'])"), { statistics_columns: ['v'] })
  t.same(optionsOf("read_zarr('x.zarr', NULL, dimensions = ['x'])"), { dimensions: ['x'] })
  t.same(optionsOf("read_zarr('x.zarr', NULL)"), {})
  t.same(optionsOf("read_netcdf('x.nc', nan => 'value')"), { nan: 'value' })
  t.same(optionsOf("read_csv('x.csv', delimiter=>';', infer_records := 200000)"), {
    delimiter: ';',
    infer_records: 200_000,
  })
  for (const call of [
    "read_netcdf('x.nc', dimensions = ['lat'], ['lon'])",
    "read_netcdf('x.nc', ['lat'], dimensions = ['lon'])",
    "read_netcdf('x.nc', 5)",
    "read_zarr('x.zarr', ['v'], ['x'], NULL, NULL, NULL, NULL)",
    "read_netcdf('x.nc', nan = > 'value')",
    "read_netcdf('x.nc', nan => 'value', nan => 'value')",
  ])
    t.equal(optionsOf(call), 'declined', `${call} is left to DuckDB, which says what is wrong`)
})
