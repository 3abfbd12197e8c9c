import t from 'tap'
import { field } from '../../src/plan/types/schema.ts'
import { csvFormat } from '../formats/product.ts'
import { type TestEngine, testEngine } from './engine.ts'

const { prepare } = await testEngine()

const OF_PATHS = 'hive_partitioning = NULL, filename = false'
const CSV =
  "It is read_csv(paths, delimiter = ',', infer_records = 0, header = true, skip = 0, comment = '', quote = '\"', na = [], " +
  "decimal = '.', date_format = NULL, types = NULL, encoding = 'utf-8', units = false, " +
  `${OF_PATHS}).`

t.test('arguments that a function does not take', async (t) => {
  for (const [call, message] of [
    ["read_csv('a.csv', delim := ';')", CSV],
    ["read_csv('a.csv', ';', 5, true, 0, '', '\"', [], '.', NULL, NULL, 'utf-8', false, true, true, 6)", CSV],
    ["read_csv('a.csv', sep := ';', header := true)", CSV],
    ["read_csv('a.csv', sep := ';')", CSV],
    ['read_csv()', CSV],
    ["read_parquet('numbers', true, true, 1)", `It is read_parquet(paths, ${OF_PATHS}).`],
    ["read_csv('a.csv', delimiter = ';')", /^Arguments are given by position .* by name \(.*read_csv\(paths/],
    ["read_csv('a.csv', delimiter := 5)", 'read_csv: CSV delimiter must be a string.'],
    ["read_csv('a.csv', infer_records := -1)", 'read_csv: infer_records must be a whole number of records.'],
    ["read_csv('a.csv', ';', 5, 6)", "read_csv: header must be true, false or a list of the columns' names."],
    ["read_csv('a.csv', types := {'a': 5})", 'read_csv: types: the type of "a" must be a string.'],
    [
      "read_csv('a.csv', types := MAP {'a': 'flaot64'})",
      /^read_csv: types: "flaot64" is no type of CSV, did you mean "Float64"\?/,
    ],
    ['read_csv(5)', 'read_csv: its first argument is a path, or a list of paths.'],
  ] as const)
    t.throws(() => prepare(`FROM ${call}`), { code: 'invalid_sql', message }, call)
})

t.test('files without a column, or with more than DuckDB can bind', async (t) => {
  const source = (width: number): Parameters<TestEngine['prepare']>[1] => {
    const fields = Array.from({ length: width }, (_, i) => field(`c${i}`, { kind: 'utf8' }))
    return [
      {
        request: { kind: 'files', format: csvFormat(), paths: ['a.csv'] },
        digest: null,
        schema: { fields, metadata: {} },
        rows: 1,
      },
    ]
  }
  const count = "SELECT count(*) FROM read_csv('a.csv')"
  t.throws(() => prepare(count, source(0)), { code: 'invalid_sql', message: /^read_csv: .* no columns/ })
  t.throws(() => prepare(count, source(16_385)), {
    code: 'not_supported',
    message: /16385 columns, over the 16384/,
  })
  t.equal(prepare(count, source(1000)).output.fields.length, 1)
})
