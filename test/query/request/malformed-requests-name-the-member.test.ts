import t from 'tap'
import { OUTPUT_NAMES } from '../../../src/main/output/outputs.ts'
import { alternatives } from '../../../src/plan/alternatives.ts'
import { errorOf, parse } from '../bound.ts'

/** A request, and the message of its error. */
const cases: readonly (readonly [object, string])[] = [
  [
    {},
    'expected a query: an object with "select", as in {"select": ["time"], "from": {"parquet": {"paths": ["…"]}}}, or with "sql"',
  ],
  [{ limmit: 1, select: ['a'] }, 'limmit: unknown member, did you mean "limit"?'],
  [
    { not_a_query: true },
    'not_a_query: unknown member, expected one of select, query_parameters, filter, filters, from, sort_by, distinct, offset, limit, output, preset',
  ],
  [
    { sql: 'SELECT 1', select: ['a'] },
    'select: next to "sql" only "output" is allowed; the rest is part of the statement, as LIMIT is',
  ],
  [{ sql: ' ' }, 'sql: expected a statement'],
  [{ sql: 1 }, 'sql: expected a string, found 1'],
  [{ select: [] }, 'select: expected at least one column'],
  [{ select: 'a' }, 'select: expected an array, found "a"; write ["a"]'],
  [
    { select: [1] },
    'select[0]: expected a column name or an object, found 1; a constant is written {"value": 1}',
  ],
  [
    { select: [{ alias: 'a' }] },
    'select[0]: expected a member "column", "function" (with "args") or "value"',
  ],
  [{ select: [{ column: 1 }] }, 'select[0].column: expected a string, found 1'],
  [
    { select: [{ column: 'a', column_name: 'a' }] },
    'select[0]: "column" and "column_name" are the same member, give one',
  ],
  [{ select: [{ function: 'f' }] }, 'select[0].args: expected an array, found nothing'],
  [
    { select: [{ value: [] }] },
    'select[0].value: expected a string, a number, a boolean or null, found an array',
  ],
  [{ select: ['\ud800'] }, 'select[0]: the string holds half of a surrogate pair'],
  [
    { select: ['a'], query_parameters: ['a'] },
    '"select" and "query_parameters" are the same member, give one',
  ],
  [
    { select: ['a'], from: 1 },
    'from: expected a table name or an object, as in {"parquet": {"paths": ["…"]}}, found 1',
  ],
  [
    { select: ['a'], from: {} },
    'from: expected exactly one format, one of parquet, csv, arrow, netcdf, odv, tiff, zarr, bbf, hdf5, as in {"parquet": {"paths": ["…"]}}',
  ],
  [
    { select: ['a'], from: { parqet: { paths: ['a'] } } },
    'from: "parqet" is no format, did you mean "parquet"?',
  ],
  [
    { select: ['a'], from: { parquet: { paths: 'a' } } },
    'from.parquet.paths: expected an array, found "a"; write ["a"]',
  ],
  [{ select: ['a'], from: { parquet: { paths: [] } } }, 'from.parquet.paths: expected at least one path'],
  [
    { select: ['a'], from: { parquet: { paths: ['a'], delimiter: ';' } } },
    'from.parquet: "delimiter" is no member of parquet, expected paths, hive_partitioning, filename',
  ],
  [
    { select: ['a'], from: { csv: { paths: ['a'], delimiter: ';;' } } },
    'from.csv.delimiter: CSV delimiter must be a single character or an escape (\\t, \\n, \\r, \\0, \\\\), got ";;"',
  ],
  [
    { select: ['a'], from: { csv: { paths: ['a'], delimiter: 5 } } },
    'from.csv.delimiter: CSV delimiter must be a string',
  ],
  [
    { select: ['a'], from: { csv: { paths: ['a'], infer_records: 1.5 } } },
    'from.csv.infer_records: infer_records must be a whole number of records',
  ],
  [
    { select: ['a'], from: { csv: { paths: ['a'], headr: true } } },
    'from.csv: "headr" is no member of csv, did you mean "header"? Its members are paths, delimiter, infer_records, header, skip, comment, quote, na, decimal, date_format, types, encoding, units, hive_partitioning, filename',
  ],
  [
    { select: ['a'], sort_by: [{ asc: 'a' }] },
    'sort_by[0]: expected exactly one member, "Asc" or "Desc", with a column name, as in {"Desc": "time"}',
  ],
  [{ select: ['a'], distinct: { on: ['a'] } }, 'distinct.select: expected an array, found nothing'],
  [{ select: ['a'], limit: -1 }, 'limit: expected an integer of 0 or more, found -1'],
  [{ select: ['a'], limit: 1.5 }, 'limit: expected an integer of 0 or more, found 1.5'],
  [{ select: ['a'], offset: '5' }, 'offset: expected an integer of 0 or more without quotes, found "5"'],
  [
    { select: ['a'], offset: JSON.rawJSON('1.00000000000000000001') },
    'offset: expected an integer of 0 or more, found 1.00000000000000000001',
  ],
  [{ select: ['a'], output: 'csv' }, 'output: expected an object; write {"format": "csv"}'],
  [
    { select: ['a'], output: { format: ['csv', 'ipc'] } },
    `output.format: expected one format, ${alternatives([...OUTPUT_NAMES.keys()])}, found a list of 2`,
  ],
  [
    { select: ['a'], output: { format: 'bogus' } },
    `output.format: expected ${alternatives([...OUTPUT_NAMES.keys()])}, found "bogus"`,
  ],
  [
    { select: ['a'], output: { format: { nd_netcdf: {} } } },
    'output.format.nd_netcdf.dimension_columns: expected an array, found nothing',
  ],
  [{ select: ['a'], filter: [] }, 'filter: expected an object, found an array; "filters" is a list'],
  [{ select: ['a'], filters: {} }, 'filters: expected an array, found an object; "filter" is a single one'],
  [{ select: ['a'], filters: [{ eq: 1 }] }, 'filters[0]: "column" is missing'],
  [
    { select: ['a'], filters: [{ column: 'a', gt: true }] },
    'filters[0].gt: expected a number or a string, found true',
  ],
  [
    { select: ['a'], filters: [{ column: 'a', eq: [] }] },
    'filters[0].eq: expected a number, a string or a boolean, found an array; "in" and "not_in" take a list',
  ],
  [
    { select: ['a'], filters: [{ column: 'a', not_in: [1, null] }] },
    'filters[0].not_in[1]: expected a number, a string or a boolean, found null',
  ],
  [
    { select: ['a'], filters: [{ not: { column: 'a', eq: 1 }, column: 'a' }] },
    'filters[0]: "not" must be the only member of its object',
  ],
  [{ select: ['a'], filters: [{ not: [] }] }, 'filters[0].not: expected an object, found an array'],
  [
    {
      select: ['a'],
      filters: [{ column: 'a', longitude_column: 'x', latitude_column: 'y', geometry: { type: 'Point' } }],
    },
    'filters[0]: "column" is given without an operator, expected one of eq, neq, not_eq, not_equal, gt, gt_eq, min, low, lt, lt_eq, max, high, in, not_in, like, ilike, regex',
  ],
  [
    { select: ['a'], filters: [{ column: 'a', eq: 1, longitude_column: 'x', latitude_column: 'y' }] },
    'filters[0]: "geometry" is missing',
  ],
  [
    { select: ['a'], filters: [{ column: 'a', eq: JSON.rawJSON('1e400') }] },
    'filters[0].eq: 1e400 is beyond a 64-bit float',
  ],
  [
    { select: ['a'], filters: [{ and: [{ column: 'a', gt: {} }] }] },
    'filters[0].and[0].gt: expected a number or a string, found an object',
  ],
  [
    { select: ['a'], filters: [{ and: [], column: 'a' }] },
    'filters[0]: "and" must be the only member of its object',
  ],
  [
    { select: ['a'], filters: [{ is_null: 'a' }] },
    'filters[0].is_null: expected an object, write {"column": "a"}',
  ],
  [
    { select: ['a'], filters: [{ column: 'a', gt_eq: 1, min: 1 }] },
    'filters[0]: "gt_eq" and "min" are the same member, give one',
  ],
  [
    { select: ['a'], filters: [{ column: 'a', min: 1, max: 'b' }] },
    'filters[0]: "min" is a number and "max" a string, expected one kind',
  ],
  [
    { select: ['a'], filters: [{ column: 'a', min: '2020-01-01', max: '2020-01-01T00:00:00' }] },
    'filters[0]: "min" is a string and "max" a date-time, expected one kind; write both as in 2024-02-29T00:00:00',
  ],
]

for (const [request, message] of cases) {
  t.equal(
    errorOf(() => parse(JSON.stringify(request))),
    `invalid_query: ${message}`,
  )
}

t.test('an object that is no filter is told what one is', async (t) => {
  for (const members of [{ gt: null, lt_eq: null }, { eq: null, neq: null }, {}]) {
    const filters = [{ column: 'a', ...members }]
    t.match(
      errorOf(() => parse(JSON.stringify({ select: ['a'], filters }))),
      /^invalid_query: filters\[0\]: no filter in "column/,
    )
  }
})

t.test('depth and number of filters are bounded', async (t) => {
  const nest = (depth: number): object => (depth === 0 ? { column: 'a', eq: 1 } : { and: [nest(depth - 1)] })
  const error = (filter: object) => errorOf(() => parse(JSON.stringify({ select: ['a'], filter })))
  t.equal(error(nest(64)), 'no error')
  t.match(error(nest(65)), /^invalid_query: filter(\.and\[0\]){65}: filters may be nested 64 deep$/)
  const many = (count: number) => ({ or: Array.from({ length: count }, () => nest(0)) })
  t.equal(error(many(9_999)), 'no error')
  t.equal(
    error(many(10_000)),
    'invalid_query: filter.or[9999]: a request may hold 10000 filters, values of lists included',
  )
  const list = (count: number) => ({ column: 'a', in: Array.from({ length: count }, () => 1) })
  t.equal(error(list(9_999)), 'no error')
  t.equal(
    error(list(10_000)),
    'invalid_query: filter.in[9999]: a request may hold 10000 filters, values of lists included',
  )
  let entry: object = { value: 1 }
  for (let depth = 0; depth < 65; depth++) entry = { function: 'f', args: [entry] }
  t.match(
    errorOf(() => parse(JSON.stringify({ select: [entry] }))),
    /function arguments may be nested 64 deep$/,
  )
})
