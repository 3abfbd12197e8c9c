import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { readParquet } from 'parquet-wasm'
import { pino } from 'pino'
import t from 'tap'
import { ensureSample } from '../../src/main/sample.ts'
import { startService } from '../../src/main/service.ts'
import { readConfig } from '../../src/main/settings/config.ts'

const FILES = ['observations/2024-01.parquet', 'observations/2024-02.parquet']
const PLATFORMS = 'platforms.csv'
const STATIONS = 'stations.txt'
const SEAFLOOR = 'seafloor.tif'
const SST = 'sst.nc'
const STORE = 'sst.zarr'
const OBJECTS = ['zarr.json', ...['lat', 'lon', 'sst', 'time'].map((array) => `${array}/zarr.json`)]
const PROFILES = Array.from({ length: 12 }, (_, i) => `profiles/float-${String(i + 1).padStart(2, '0')}.nc`)

t.test(
  'a dataset root that does not exist is made, with two files of plausible observations, a table of platforms, a file for each, a grid in two formats, and a raster',
  async (t) => {
    const root = join(t.testdir(), 'data', 'datasets')
    t.equal(await ensureSample(root), true)
    t.same(readdirSync(join(root, '..')), ['datasets'], 'nothing is left beside it')
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    t.same(paths.filter((path) => !path.startsWith(`${STORE}/`)).sort(), [
      'observations',
      ...FILES,
      PLATFORMS,
      'profiles',
      ...PROFILES,
      SEAFLOOR,
      SST,
      STORE,
      STATIONS,
    ])
    for (const key of OBJECTS) t.ok(paths.includes(`${STORE}/${key}`), key)
    const [header, ...lines] = readFileSync(join(root, PLATFORMS), 'utf8').trimEnd().split('\n')
    const platforms = lines.map((line) => line.split(',')[0])
    t.equal(header, 'platform,model,deployed')
    t.equal(platforms.length, 12)
    for (const file of FILES) {
      const table = tableFromIPC(readParquet(readFileSync(join(root, file))).intoIPCStream())
      t.same(
        table.schema.fields.map(({ name, type }) => `${name}: ${type}`),
        [
          'time: Timestamp<MILLISECOND>',
          'latitude: Float64',
          'longitude: Float64',
          'depth: Float32',
          'platform: Utf8',
          'temperature: Float64',
          'salinity: Float64',
        ],
      )
      t.ok(table.numRows > 3000)
      t.ok(table.getChild('salinity')?.nullCount)
      const temperatures = [...(table.getChild('temperature') ?? [])].filter((value) => value !== null)
      t.ok(temperatures.every((value) => value > 0 && value < 30))
      const known = new Set(platforms)
      t.ok([...(table.getChild('platform') ?? [])].every((platform) => known.has(platform)))
    }
  },
)

t.test('the sample is the same every time', async (t) => {
  const [a, b] = [join(t.testdir(), 'a'), join(t.testdir(), 'b')]
  await Promise.all([ensureSample(a), ensureSample(b)])
  for (const file of [
    ...FILES,
    ...PROFILES,
    PLATFORMS,
    STATIONS,
    SST,
    `${STORE}/zarr.json`,
    `${STORE}/sst/c/0/0/0`,
  ])
    t.ok(readFileSync(join(a, file)).equals(readFileSync(join(b, file))))
})

t.test('a dataset root that exists is left alone, an empty one too', async (t) => {
  const root = join(t.testdir(), 'datasets')
  mkdirSync(root)
  t.equal(await ensureSample(root), false)
  t.same(readdirSync(root), [])
})

t.test('what a crash left behind is replaced', async (t) => {
  const root = join(t.testdir(), 'datasets')
  mkdirSync(`${root}.partial`)
  writeFileSync(join(`${root}.partial`, 'half'), 'PAR1')
  t.equal(await ensureSample(root), true)
  t.same(readdirSync(root).sort(), ['observations', PLATFORMS, 'profiles', SEAFLOOR, SST, STORE, STATIONS])
  t.notOk(existsSync(`${root}.partial`))
})

t.test('a place that cannot be written is named, and nothing is left', async (t) => {
  const file = join(t.testdir({ data: 'a file, not a folder' }), 'data')
  await t.rejects(ensureSample(join(file, 'datasets')), {
    code: 'internal',
    message: `cannot make the sample data in ${join(file, 'datasets')}: `,
  })
})

t.test('a root of its own that is no sample is made empty', async (t) => {
  const data = t.testdir()
  const env = { SERVICE_DATA_DIR: data, SERVICE_HOST: '127.0.0.1', SERVICE_PORT: '0', SERVICE_WORKERS: '1' }
  const service = await startService(readConfig(env).config, pino({ level: 'silent' }), { isWarmedUp: false })
  t.same(readdirSync(join(data, 'datasets')), [])
  t.equal(await (await fetch(`${service.address}/api/total-datasets`)).text(), '0')
  await service.close()
})
