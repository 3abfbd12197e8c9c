import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../service.ts'

const STATIONS = [
  '# Stationsdaten "Nordsee"',
  'Stationsname;Datum;Temp;Salz;Id',
  ';;°C;psu;',
  'Büsum;29.02.2024 12:00;5,5;-999;007',
  'Föhr;01.03.2024 06:30;-999;31,25;012',
  '# Ende',
].join('\r\n')

const OPTIONS = {
  delimiter: ';',
  comment: '#',
  units: true,
  decimal: ',',
  na: ['-999'],
  date_format: '%d.%m.%Y %H:%M',
  encoding: 'latin-1',
}
const ARGUMENTS =
  "delimiter = ';', comment='#', units = TRUE, decimal = ',', na = ['-999'], date_format = '%d.%m.%Y %H:%M', encoding = 'latin-1'"

const ROWS = [
  { Stationsname: 'Büsum', Datum: 1_709_208_000_000, Temp: 5.5, Salz: null, Id: '007' },
  { Stationsname: 'Föhr', Datum: 1_709_274_600_000, Temp: null, Salz: 31.25, Id: '012' },
]

t.test('the same rows in JSON, in plain SQL and in DuckDB', async (t) => {
  const service = await startTestService(t)
  writeFileSync(join(service.datasets, 'a.txt'), Buffer.from(STATIONS, 'latin1'))
  const call = `read_csv('a.txt', ${ARGUMENTS})`
  const select = ['Stationsname', 'Datum', 'Temp', 'Salz', 'Id']
  for (const query of [
    { select, from: { csv: { paths: ['a.txt'], ...OPTIONS } } },
    { sql: `SELECT * FROM ${call}` },
    { sql: `SELECT * REPLACE (upper(Id) AS Id) FROM ${call}` },
    {
      sql: `WITH x AS (FROM ${call.replaceAll(' = ', ' := ').replace('decimal', '"decimal"')}) SELECT * FROM x ORDER BY lower(Id)`,
    },
  ]) {
    const rows = await service.rows(query)
    t.same(
      rows.toArray().map((row) => ({ ...row.toJSON(), Datum: Number(row['Datum']) })),
      ROWS,
      JSON.stringify(query),
    )
  }
  const units = await service.rows({
    select: ['Temp', 'Id'],
    from: { csv: { paths: ['a.txt'], ...OPTIONS } },
  })
  t.same(
    units.schema.fields.map(({ metadata }) => [...metadata]),
    [[['units', '°C']], []],
  )
  const columns = await service.rows({
    sql: `SELECT * FROM read_csv_schema('a.txt', ${ARGUMENTS}, types = {'Id': 'UINT16', 'Temp': 'real'})`,
  })
  t.same(
    columns.toArray().map((row) => [row['column_name'], row['data_type']]),
    [
      ['Stationsname', 'Utf8'],
      ['Datum', 'Timestamp(s)'],
      ['Temp', 'Float32'],
      ['Salz', 'Float64'],
      ['Id', 'UInt16'],
    ],
  )
})

t.test('a mistake in an option is a 400 that says what is allowed', async (t) => {
  const service = await startTestService(t)
  writeFileSync(join(service.datasets, 'a.csv'), 'temp,depth\n1,2\n')
  for (const [options, call, message] of [
    [{ decimal: ';' }, "decimal = ';'", 'decimal must be "." or ","'],
    [
      { types: { tmep: 'Int64' } },
      "types = {'tmep': 'Int64'}",
      'no file has a column "tmep", did you mean "temp"?',
    ],
    [{ encoding: 'utf-16' }, "encoding = 'utf-16'", 'iconv -f UTF-16 -t UTF-8'],
    [{ decimal: ',' }, "decimal = ','", 'decimal must not be the delimiter'],
    [{ na: [5] }, 'na = [5]', "na must be a text or a list of texts, such as ['NA', '-999']"],
  ] as const)
    for (const query of [
      { select: ['temp'], from: { csv: { paths: ['a.csv'], ...options } } },
      { sql: `SELECT temp FROM read_csv('a.csv', ${call})` },
      { sql: `SELECT temp + 1 FROM read_csv('a.csv', ${call})` },
    ]) {
      const answer = await service.query(query)
      t.equal(answer.status, 400)
      const text = JSON.parse(await answer.text())
      t.ok(String(text).includes(message), `${JSON.stringify(query)}: ${text}`)
    }
})

t.test('the options are part of the OpenAPI document', async (t) => {
  const service = await startTestService(t)
  const text = await (await fetch(`${service.url}/openapi.json`)).text()
  for (const name of [
    'header',
    'skip',
    'comment',
    'quote',
    'na',
    'decimal',
    'date_format',
    'types',
    'encoding',
    'units',
  ])
    t.ok(JSON.parse(text).components.schemas.CSVFiles.properties[name], name)
})
