/**
 * Writes the sample data into a folder: two months of profiles by twelve drifting floats in the North Atlantic, in one Parquet
 * file for each month and in one NetCDF file for each float, a CSV file that describes the floats, an ODV file of one of them, and a NetCDF-4 file with the
 * temperature of the surface around them, which is there as a Zarr store too, and a GeoTIFF file with the height of the sea floor. The data are made up but realistic, and have the same bytes each time.
 */
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  Float32,
  Float64,
  Table,
  TimestampMillisecond,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import { Compression, Table as ParquetTable, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm'
import { type Observation, profilesFile } from './profiles-file.ts'
import { stationsFile } from './stations-file.ts'

const HOUR_MS = 3_600_000
const FLOATS = 12
const HOURS_BETWEEN_PROFILES = 60
const DEPTHS = [
  5, 10, 20, 30, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 600, 700, 800, 900, 1000, 1200, 1400, 1600,
  1800, 2000,
]
const MODELS = ['APEX', 'ARVOR', 'PROVOR']
/** Each file has several row groups, so that a filter on time can skip some. */
const ROW_GROUP_ROWS = 1000

const random = mulberry32(20240101)
const ofFloats = floats().map(profiles)
const observations = ofFloats.flat()
observations.sort((a, b) => a.time - b.time || (a.platform < b.platform ? -1 : 1))

const root = process.argv[2] ?? ''
const folder = join(root, 'observations')
mkdirSync(folder, { recursive: true })
for (const month of ['2024-01', '2024-02']) {
  const rows = observations.filter(({ time }) => new Date(time).toISOString().startsWith(month))
  writeFileSync(join(folder, `${month}.parquet`), toParquet(rows))
}
const profilesFolder = join(root, 'profiles')
mkdirSync(profilesFolder)
for (const ofFloat of ofFloats) {
  const name = `${ofFloat[0]?.platform}.nc`
  writeFileSync(join(profilesFolder, name), profilesFile(ofFloat, DEPTHS))
}
writeFileSync(join(root, 'platforms.csv'), platforms())
writeFileSync(join(root, 'stations.txt'), stationsFile(ofFloats[0] ?? []))
// Made by scripts/make-sample-sst.py and scripts/make-sample-seafloor.py: nothing here writes HDF5, Zarr or TIFF.
copyFileSync(join(import.meta.dirname, 'sst.nc'), join(root, 'sst.nc'))
copyFileSync(join(import.meta.dirname, 'seafloor.tif'), join(root, 'seafloor.tif'))
cpSync(join(import.meta.dirname, 'sst.zarr'), join(root, 'sst.zarr'), { recursive: true })

interface Float {
  platform: string
  latitude: number
  longitude: number
  firstProfile: number
}

function floats(): Float[] {
  return Array.from({ length: FLOATS }, (_, i) => ({
    platform: platformName(i),
    latitude: 22 + 30 * random(),
    longitude: -45 + 28 * random(),
    firstProfile: Date.UTC(2024, 0, 1) + Math.floor(HOURS_BETWEEN_PROFILES * random()) * HOUR_MS,
  }))
}

function platformName(index: number): string {
  return `float-${String(index + 1).padStart(2, '0')}`
}

/** One line a float. */
function platforms(): string {
  const lines = Array.from({ length: FLOATS }, (_, i) => {
    const deployed = new Date(Date.UTC(2022, 2 * i, 1 + ((7 * i) % 28))).toISOString().slice(0, 10)
    return `${platformName(i)},${MODELS[i % MODELS.length]},${deployed}\n`
  })
  return `platform,model,deployed\n${lines.join('')}`
}

function profiles({ platform, latitude, longitude, firstProfile }: Float): Observation[] {
  const rows: Observation[] = []
  for (let time = firstProfile; time < Date.UTC(2024, 2, 1); time += HOURS_BETWEEN_PROFILES * HOUR_MS) {
    latitude += 0.3 * (random() - 0.5)
    longitude += 0.3 * (random() - 0.4)
    for (const depth of DEPTHS) {
      rows.push({
        time,
        latitude: round(latitude, 4),
        longitude: round(longitude, 4),
        depth,
        platform,
        temperature: random() < 0.01 ? null : round(temperatureAt(latitude, depth) + 0.1 * random(), 3),
        salinity: random() < 0.02 ? null : round(salinityAt(latitude, depth) + 0.02 * random(), 3),
      })
    }
  }
  return rows
}

/** Degrees Celsius: warm in the south and above the thermocline, and 3.5 in the abyss, with a mixed layer of 60 m. */
function temperatureAt(latitude: number, depth: number): number {
  const surface = 24 - 0.42 * (latitude - 22)
  return 3.5 + (surface - 3.5) * Math.exp(-Math.max(0, depth - 60) / 450)
}

/** Saltiest at the surface of the subtropical gyre. */
function salinityAt(latitude: number, depth: number): number {
  return 34.9 + 1.9 * Math.exp(-(((latitude - 27) / 14) ** 2)) * Math.exp(-depth / 600)
}

function toParquet(rows: readonly Observation[]): Uint8Array {
  const column = <K extends keyof Observation>(name: K) => rows.map((row) => row[name])
  const table = new Table({
    time: vectorFromArray(column('time'), new TimestampMillisecond()),
    latitude: vectorFromArray(column('latitude'), new Float64()),
    longitude: vectorFromArray(column('longitude'), new Float64()),
    depth: vectorFromArray(column('depth'), new Float32()),
    platform: vectorFromArray(column('platform'), new Utf8()),
    temperature: vectorFromArray(column('temperature'), new Float64()),
    salinity: vectorFromArray(column('salinity'), new Float64()),
  })
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setMaxRowGroupSize(ROW_GROUP_ROWS)
    .build()
  return writeParquet(ParquetTable.fromIPCStream(tableToIPC(table, 'stream')), properties)
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}

/** A generator of numbers in [0, 1) that gives the same ones everywhere, unlike Math.random. */
function mulberry32(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
