import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../service.ts'

/** So many columns that the schema of an answer has more bytes than Node's pool of buffers, and its memory is its own. */
const COLUMNS = 400
const NAMES = Array.from(
  { length: COLUMNS },
  (_, index) => `temperature_of_the_layer_with_the_number_${index}`,
)
const TIMES = 3
const ALL = { select: [...NAMES, 'longitude', 'latitude'], from: { csv: { paths: ['wide.csv'] } } }

/** Each kind of answer. ODV archives need other columns. */
const OUTPUTS: readonly (object | undefined)[] = [
  undefined,
  { format: 'ipc' },
  { format: 'csv' },
  { format: 'json' },
  { format: 'ndjson' },
  { format: 'parquet' },
  { format: { geoparquet: { longitude_column: 'longitude', latitude_column: 'latitude' } } },
  { format: 'netcdf' },
]

for (const cacheBytes of [0, 1 << 28])
  t.test(cacheBytes === 0 ? 'nothing is kept' : 'answers are kept', async (t) => {
    const service = await startTestService(t, { settings: { SERVICE_CACHE_BYTES: String(cacheBytes) } })
    const row = NAMES.map((_, index) => index / 4)
    const lines = [
      [...NAMES, 'longitude', 'latitude'],
      [...row, 5, 50],
      [...row, 6, 51],
    ]
    writeFileSync(join(service.datasets, 'wide.csv'), lines.map((line) => `${line}\n`).join(''))
    const bytesOf = async (output: object | undefined, statement: boolean): Promise<Buffer> => {
      const query = statement ? { sql: "SELECT * FROM read_csv('wide.csv')" } : ALL
      const response = await service.query({ ...query, output })
      const bytes = Buffer.from(await response.arrayBuffer())
      t.equal(response.status, 200, bytes.subarray(0, 200).toString())
      return bytes
    }
    for (const [index, output] of OUTPUTS.entries())
      for (const statement of index < 2 ? [false, true] : [false]) {
        const name = `${JSON.stringify(output) ?? 'stream'}, ${statement ? 'SQL' : 'JSON'}`
        const first = await bytesOf(output, statement)
        t.ok(first.includes(`number_${COLUMNS - 1}`), `${name}: has its last column`)
        for (let time = 1; time < TIMES; time++)
          t.ok((await bytesOf(output, statement)).equals(first), `${name}: the same bytes again`)
      }
  })
