import t from 'tap'
import { parseJson } from '../../../src/main/json/json.ts'
import { normalizedRequest } from '../../../src/main/query/request/normalized.ts'
import type { JsonRequest } from '../../../src/main/query/request/request.ts'
import { FORMATS } from '../../../src/plan/formats.ts'
import { errorOf, parse } from '../bound.ts'

const json = (request: object): JsonRequest => {
  const parsed = parse(JSON.stringify({ select: ['a'], ...request }))
  if (parsed.kind === 'sql') throw new Error('not the JSON form')
  return parsed
}

t.test('the SQL form', async (t) => {
  t.same(parse('{"sql":"SELECT 1","output":null,"limit":null}'), {
    kind: 'sql',
    sql: 'SELECT 1',
    output: null,
  })
  t.same(parse('{"sql":"SELECT 1","output":{"format":"csv"}}').output, { format: 'csv', options: null })
})

t.test('the JSON form with nothing but select', async (t) => {
  t.same(parse('{"query_parameters":["a"],"limit":null,"filters":null}'), {
    kind: 'json',
    select: [{ kind: 'column', column: 'a', alias: null, path: 'query_parameters[0]' }],
    filters: [],
    from: { kind: 'default_table' },
    sortBy: [],
    distinct: null,
    offset: 0,
    limit: Number.POSITIVE_INFINITY,
    output: null,
  })
})

t.test('every form of select', async (t) => {
  const { select } = json({
    select: [
      'lat.units',
      { column: 'a', alias: 'b', value: null },
      { column_name: 'a', alias: null },
      { function: 'f', args: ['a', { function: 'g', args: [], alias: null }, { value: 'x' }], alias: 'y' },
      { value: null },
      { value: false },
      { value: 2 },
    ],
  })
  const at = (path: string) => ({ alias: null, path })
  t.same(select, [
    { kind: 'column', column: 'lat.units', ...at('select[0]') },
    { kind: 'column', column: 'a', alias: 'b', path: 'select[1]' },
    { kind: 'column', column: 'a', ...at('select[2]') },
    {
      kind: 'function',
      name: 'f',
      args: [
        { kind: 'column', column: 'a', ...at('select[3].args[0]') },
        { kind: 'function', name: 'g', args: [], ...at('select[3].args[1]') },
        { kind: 'value', value: 'x', ...at('select[3].args[2]') },
      ],
      alias: 'y',
      path: 'select[3]',
    },
    { kind: 'value', value: null, ...at('select[4]') },
    { kind: 'value', value: false, ...at('select[5]') },
    { kind: 'value', value: 2, ...at('select[6]') },
  ])
})

t.test('every source', async (t) => {
  t.same(json({ from: 'Some."Table"' }).from, { kind: 'name', text: 'Some."Table"' })
  for (const [key, row] of FORMATS.fromKeys) {
    t.same(json({ from: { [key]: { paths: ['a/*', 'b'], delimiter: null } } }).from, {
      kind: 'files',
      format: FORMATS.withOptions(row),
      paths: ['a/*', 'b'],
    })
  }
  t.match(json({ from: { csv: { paths: ['a'], delimiter: '\\t', infer_records: 200_000 } } }).from, {
    format: { options: { delimiter: '\t', infer_records: 200_000 } },
  })
})

t.test('order, duplicates and counts', async (t) => {
  t.same(json({ sort_by: [{ Asc: 'a' }, { Desc: 'b' }] }).sortBy, [
    { column: 'a', direction: 'asc' },
    { column: 'b', direction: 'desc' },
  ])
  const distinct = parse('{"distinct":{"on":["a"],"select":["b"]}}')
  t.match(distinct, {
    select: [{ column: 'b' }],
    distinct: { on: [{ column: 'a' }], select: [{ column: 'b' }] },
  })
  t.match(parse('{"select":["a"],"offset":0,"limit":18446744073709551615}'), {
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  t.equal(json({ limit: 0 }).limit, 0)
})

t.test('every output', async (t) => {
  const output = (format: unknown) => json({ output: { format, compression: null } }).output
  for (const format of ['csv', 'ipc', 'parquet']) t.same(output(format), { format, options: null })
  t.same(output('arrow'), { format: 'ipc', options: null })
  for (const name of ['netcdf', 'hdf5', 'h5']) {
    t.same(output(name), { format: 'netcdf', options: { compression: 0 } })
    t.same(output({ [name]: { compression: 9 } }), { format: 'netcdf', options: { compression: 9 } })
  }
  for (const key of ['nd_netcdf', 'ndnetcdf']) {
    t.same(output({ [key]: { dimension_columns: ['time'] } }), {
      format: 'nd_netcdf',
      options: { dimensionColumns: ['time'], compression: 0 },
    })
  }
  t.same(output({ geoparquet: { longitude_column: null, latitude_column: 'lat' } }), {
    format: 'geoparquet',
    options: { longitudeColumn: null, latitudeColumn: 'lat' },
  })
  const column = (columnName: string, rest = {}) => ({
    columnName,
    comment: null,
    significantDigits: null,
    qfColumn: null,
    units: null,
    ...rest,
  })
  const odv = {
    longitude_column: { column_name: 'lon' },
    latitude_column: { column_name: 'lat' },
    depth_column: { column_name: 'depth', unit: 'm', qf_column: 'qc' },
    time_column: { column_name: 'time', units: null },
    key_column: 'cruise',
    qf_schema: 'SEADATANET',
    data_columns: [{ column_name: 'temp', units: 'degC', comment: 'c', significant_digits: 3 }],
    metadata_columns: [],
    archiving: 'zip_deflate',
  }
  t.same(output({ odv }), {
    format: 'odv',
    options: {
      longitudeColumn: column('lon'),
      latitudeColumn: column('lat'),
      depthColumn: column('depth', { units: 'm', qfColumn: 'qc' }),
      timeColumn: column('time'),
      keyColumn: 'cruise',
      qfSchema: 'SEADATANET',
      dataColumns: [column('temp', { units: 'degC', comment: 'c', significantDigits: 3 })],
      metaColumns: [],
      featureTypeColumn: null,
      archiving: 'zip_deflate',
      compression: 'Deflate',
    },
  })
  t.equal(
    errorOf(() => output({ odv: { ...odv, meta_columns: [] } })),
    'invalid_query: output.format.odv: "meta_columns" and "metadata_columns" are the same member, give one',
  )
})

t.test('the normalised request has every member of its form', async (t) => {
  const normal = (text: string) =>
    JSON.stringify(normalizedRequest(parseJson(text) as Record<string, unknown>))
  t.equal(
    normal('{"query_parameters":["a"],"limit":9007199254740993}'),
    '{"select":["a"],"filter":null,"filters":null,"from":null,"sort_by":null,"distinct":null,"offset":null,' +
      '"limit":9007199254740993,"output":null}',
  )
  t.equal(normal('{"sql":"SELECT 1"}'), '{"sql":"SELECT 1","output":null}')
})
