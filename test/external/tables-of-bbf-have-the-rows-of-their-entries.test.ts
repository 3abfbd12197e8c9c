import { readFileSync } from 'node:fs'
import t from 'tap'
import { encoded } from '../bbf/model.ts'
import { sampleFile } from '../bbf/samples.ts'
import { CODES, type WrittenArray, writeBbf } from '../bbf/writer.ts'
import { startTables } from './tables.ts'

const tables = await startTables(t)
const { put, command, ask, columns, settle } = tables

/** Profiles: each has a name, a position, and temperatures by depth. */
const COLUMNS = ['__entry_key', 'lat', 'depth', 'temp'] as const
const TYPES = ['String', 'Float64', 'Int32', 'Float64'] as const

interface Profile {
  readonly name: string
  readonly lat: number
  readonly temperatures: readonly number[]
}

function profiles(list: readonly Profile[]): Buffer {
  return writeBbf({
    columns: COLUMNS.map((name, index) => ({ name, code: CODES.indexOf(TYPES[index] ?? 'Null') })),
    entries: list.map(({ name }) => ({ name })),
    array(column, entry): WrittenArray | null {
      const { name = '', lat = 0, temperatures = [] } = list[entry] ?? {}
      const depths = temperatures.map((_, index) => 10 * index)
      const values = [[name], [lat], depths, temperatures][column] ?? []
      const dimensions = column < 2 ? [] : [{ name: 'level', size: temperatures.length }]
      return { ...encoded(TYPES[column] ?? 'Null', values), dimensions }
    },
    groups: () => [list.length],
    compression: () => 'zstd',
  })
}

put('casts/year=2023/a.bbf', profiles([{ name: 'p', lat: 50, temperatures: [4, 3, 2] }]))
put(
  'casts/year=2024/b.bbf',
  profiles([
    { name: 'q', lat: 60, temperatures: [9, 8] },
    { name: 'r', lat: 61, temperatures: [] },
    { name: 's', lat: 62, temperatures: [7] },
  ]),
)
await settle()

t.test('of folders', async (t) => {
  const definition = "STORED AS BBF PARTITIONED BY (year INT) LOCATION 'casts/'"
  t.equal(await command(`CREATE EXTERNAL TABLE casts ${definition} OPTIONS (split_streams_slice yes)`), '')
  t.match(
    await command(
      `CREATE OR REPLACE EXTERNAL TABLE casts ${definition} OPTIONS (split_streams_slice 'some')`,
    ),
    /split_streams_slice must be true or false/,
  )
  t.same(
    (await columns('casts')).map((column) => column.split(' ')[0]),
    [...COLUMNS, 'year'],
  )
  // An entry whose only level is missing has no rows where levels are named, and one where they are not.
  const ways = (select: string, rest = '') => [
    `SELECT ${select} FROM casts ${rest}`,
    `WITH c AS (SELECT ${select} FROM casts ${rest}) SELECT * FROM c`,
  ]
  for (const sql of ways('year, lat, temp', 'WHERE depth < 15'))
    t.same(await ask(sql), [
      'year,lat,temp',
      '2023,50.0,4.0',
      '2023,50.0,3.0',
      '2024,60.0,9.0',
      '2024,60.0,8.0',
      '2024,62.0,7.0',
    ])
  for (const sql of ways('year, __entry_key'))
    t.same(await ask(sql), ['year,__entry_key', '2023,p', '2024,q', '2024,r', '2024,s'])
  t.same(await ask('SELECT year, count(*) AS n FROM casts GROUP BY year ORDER BY year'), [
    'year,n',
    '2023,3',
    '2024,3',
  ])
  t.same(await ask('SELECT year, count(lat) AS n FROM casts GROUP BY year ORDER BY year'), [
    'year,n',
    '2023,1',
    '2024,3',
  ])
  t.same(await ask('SELECT count(*) AS n FROM casts WHERE year = 2024'), ['n', '3'])
  t.same(await ask('SELECT lat FROM casts ORDER BY lat DESC LIMIT 2'), ['lat', '62.0', '61.0'])
  const joined = `SELECT a.__entry_key AS k, max(b.temp) AS m FROM (SELECT __entry_key FROM casts) a
    LEFT JOIN (SELECT __entry_key, temp FROM casts) b USING (__entry_key) GROUP BY 1 ORDER BY 1`
  t.same(await ask(joined), ['k,m', 'p,4.0', 'q,9.0', 'r,', 's,7.0'])
  const inJson = { select: ['lat', 'depth'], from: 'casts', filters: [{ column: 'temp', gt_eq: 8 }] }
  t.same(await ask(inJson), ['lat,depth', '60.0,0', '60.0,10'])
})

t.test('of patterns', async (t) => {
  const file = "read_bbf('casts/**/*.bbf', hive_partitioning = true)"
  t.same(await ask(`SELECT year FROM ${file} ORDER BY 1`), [
    'year',
    '2023',
    '2023',
    '2023',
    '2024',
    '2024',
    '2024',
  ])
  t.same(await ask(`SELECT year, lat FROM ${file} WHERE lat < 61`), ['year,lat', '2023,50.0', '2024,60.0'])
})

t.test('of columns that cannot be read', async (t) => {
  put('binary.bbf', readFileSync(sampleFile('bad_binary')))
  await settle()
  const answer = await fetch(`${tables.url}/api/dataset-schema?file=binary.bbf`)
  const schema = JSON.stringify(await answer.json())
  t.match(schema, /\\?"bin\\?" \(binary values/)
  t.match(schema, /"v"/)
})
