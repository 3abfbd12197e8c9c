import t from 'tap'
import { FUNCTIONS } from '../../src/plan/functions/functions.ts'
import { field } from '../../src/plan/types/schema.ts'
import { insteadOfFunction } from '../../src/workers/sql/other-functions.ts'
import { csvFormat } from '../formats/product.ts'
import { type TestEngine, testEngine } from './engine.ts'

const { engine, prepare, run } = await testEngine()

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

t.test('functions that do not exist, and arguments that they do not take', async (t) => {
  for (const [call, message, at] of [
    ['iszro(5)', 'Catalog Error: Scalar Function with name iszro does not exist! Did you mean "iszero"?', 7],
    ['DATE_TRNC(5)', /with name date_trnc does not exist! Did you mean "date_trunc"\?$/, 7],
    ['nosuchthing(1)', 'Catalog Error: Scalar Function with name nosuchthing does not exist!', 7],
    ['row_numbr() OVER ()', /^(?!.*"row").* row_numbr does not exist!/, 7],
    ['getenw(1)', /does not exist!$/, 7],
    ['isnull(5)', /does not exist! Write coalesce\(x, 0\)\.$/, 7],
    ["abs(DATE '2020-01-01')", /^Binder Error: No function matches 'abs\(DATE\)'\. It is abs\(x /, 7],
    ['abs(1, 2)', /^Binder Error: No function matches 'abs\(INTEGER, INTEGER\)'\. It is abs\(x /, 7],
    ["abs('a')", /^Binder Error: More than one abs takes these arguments; .* It is abs\(x /, 7],
    ['n, upper(n)', "Binder Error: No function matches 'upper(BIGINT)'. It is upper(", 10],
    ['n + [2]', "Binder Error: No function matches '+(BIGINT, INTEGER[])'.", 9],
    ['upper(DISTINCT n)', /^Invalid Input Error: upper makes a value of one row; DISTINCT,/, undefined],
    [
      "upper('a') OVER ()",
      'Catalog Error: upper is no aggregate and no window function, so it takes no OVER.',
      7,
    ],
  ] as const)
    t.throws(
      () => prepare(`SELECT ${call} FROM _rows(0)`),
      { code: 'invalid_sql', message: typeof message === 'string' ? startingWith(message) : message, at },
      call,
    )
})

t.test('a macro is named as it is written, not what it calls', async (t) => {
  for (const [call, message, at] of [
    ['iszero()', 'Binder Error: iszero does not take these arguments. It is iszero(x DOUBLE).', 7],
    ['current_date(5)', 'Binder Error: current_date does not take these arguments. It is current_date().', 7],
    ['n, nvl(n)', 'Binder Error: nvl does not take these arguments. It is nvl(value ANY, other ANY).', 10],
    [
      'n, btrim(n)',
      'Binder Error: btrim does not take these arguments, as there is no trim(BIGINT). It is btrim(text VARCHAR)',
      10,
    ],
    ['btrim(n), btrim(n)', /^Binder Error: btrim does not take these arguments, .*trim\(BIGINT\)/, undefined],
    [
      'list_sum(n)',
      /^Binder Error: list_sum does not take these arguments, as there is no list_aggr\(BIGINT,/,
      7,
    ],
    ["btrim('a') || upper(n)", /^Binder Error: No function matches 'upper\(BIGINT\)'/, 21],
    ['iszero([n])', /^Conversion Error: .* This may be in iszero\(x DOUBLE\)\.$/, undefined],
    ['iszero(n ORDER BY 1)', /^Invalid Input Error: iszero makes a value of one row; /, undefined],
    [
      'iszero(n) OVER ()',
      'Binder Error: OVER stands behind aggregates and window functions alone.',
      undefined,
    ],
  ] as const) {
    const expected = {
      code: 'invalid_sql',
      message: typeof message === 'string' ? startingWith(message) : message,
    }
    t.throws(() => run(`SELECT ${call} FROM _rows(0)`), { ...expected, at }, call)
    const long = `SELECT '${'a'.repeat(2000)}' AS text, ${call} FROM _rows(0)`
    t.throws(
      () => run(long),
      { ...expected, at: at && at + long.length - `SELECT ${call} FROM _rows(0)`.length },
      `${call} at the end`,
    )
  }
})

t.test('words and patterns that functions do not know', async (t) => {
  const time = "TIMESTAMP '2024-01-01'"
  for (const [call, message] of [
    [`date_trunc('moon', ${time})`, /There is no date part "moon"; it is one of year, quarter, /],
    [`extract(mnth FROM ${time})`, /There is no date part "mnth", did you mean "month"\?$/],
    [`date_diff('mnth', ${time}, ${time})`, /There is no date part "mnth", did you mean "month"\?$/],
    [
      `strftime(${time}, 'a %Q')`,
      /There is no specifier "%Q" in formats such as "a %Q"; those of a date are %Y,/,
    ],
    [
      "'2024-01-01 12:00:00 Mars'::TIMESTAMPTZ",
      /"2024-01-01 12:00:00 Mars" has the name of a zone; a time is written/,
    ],
    ["strptime('abc', '%Y')", /"abc" is not written as "%Y": Expected a number$/],
  ] as const)
    t.throws(() => run(`SELECT ${call}`), { code: 'invalid_sql', message }, call)
})

t.test('what to write instead is told only of functions that do not exist', async (t) => {
  const scalars = [...engine.functions]
  const others = [...FUNCTIONS.values()].filter(({ kind }) => kind !== 'window').map(({ name }) => name)
  for (const name of new Set([...scalars, ...others])) t.equal(insteadOfFunction(name), undefined, name)
})

/** A pattern of messages that begin with a text. */
function startingWith(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')}`)
}

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
