import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Variable, writeNetcdf } from '../../../src/sample/write-netcdf.ts'

/** How many files there are, in how many folders, of which ten are a table. */
export interface CrawlSizes {
  readonly files: number
  readonly folders: number
}

/** The folders `cycle=…` of a table. */
export const FOLDERS_PER_TABLE = 10

const LEVELS = 40

/** Within so many degrees of its float's place a profile is. */
const DRIFT = 2

/** Writes small profiles as classic NetCDF files, of 1.3 kB each, into `float-…/cycle=…` below a folder. Numbers come from a seed. */
export function writeCrawlProfiles(root: string, { files, folders }: CrawlSizes): void {
  const random = generator(7)
  for (let folder = 0; folder < folders; folder++) {
    const float = Math.floor(folder / FOLDERS_PER_TABLE)
    const path = join(root, `float-${String(float).padStart(4, '0')}`, `cycle=${folder % FOLDERS_PER_TABLE}`)
    mkdirSync(path, { recursive: true })
    const [lat, lon] = [random() * 140 - 70, random() * 360 - 180]
    for (let file = folder; file < files; file += folders)
      writeFileSync(
        join(path, `profile-${String(file).padStart(6, '0')}.nc`),
        profile(
          lat + DRIFT * (random() - 0.5),
          // Floats that drift over the dateline go on at the other side.
          ((lon + DRIFT * (random() - 0.5) + 540) % 360) - 180,
          25_000 + random() * 2000,
          random,
        ),
      )
  }
}

function profile(lat: number, lon: number, day: number, random: () => number): Uint8Array {
  const scalar = (name: string, value: number, units: string, standard: string): Variable => ({
    name,
    dimensions: [],
    values: Float64Array.of(value),
    attributes: { units, standard_name: standard },
  })
  const levels = (name: string, units: string, valueAt: (level: number) => number): Variable => ({
    name,
    dimensions: ['level'],
    values: Float32Array.from({ length: LEVELS }, (_, level) => valueAt(level)),
    attributes: { units },
  })
  return writeNetcdf({ level: LEVELS }, {}, [
    scalar('latitude', lat, 'degrees_north', 'latitude'),
    scalar('longitude', lon, 'degrees_east', 'longitude'),
    scalar('juld', day, 'days since 1950-01-01 00:00:00', 'time'),
    levels('pres', 'decibar', (level) => 50 * level + random()),
    levels('temp', 'degree_Celsius', (level) => 25 * Math.exp(-level / 10) + random()),
    levels('psal', '1', (level) => 34 + level / 20 + random() / 20),
  ])
}

/** Mulberry32: numbers from 0 to 1 that are the same in each run. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b_79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
