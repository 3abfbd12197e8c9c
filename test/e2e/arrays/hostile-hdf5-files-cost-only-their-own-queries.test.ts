import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { metadataOf } from '../../hdf5/describe.ts'
import { countMutations, type Mutation, mutationAt, type Sound } from '../../hdf5/hostile/mutations.ts'
import { structuresOf } from '../../hdf5/hostile/structures.ts'
import { generator } from '../../support/generate.ts'
import { startTestService, type TestService } from '../service.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures')

/** Small files with every kind of header, index and heap. */
const FILES = [
  'hdf5/attributes-earliest.h5',
  'hdf5/attributes-v200.h5',
  'hdf5/compound.h5',
  'hdf5/filter-bitshuffle-lz4.h5',
  'hdf5/filter-blosc-lz4.h5',
  'hdf5/filter-bzip2.h5',
  'hdf5/filter-scaleoffset.h5',
  'hdf5/filter-shuffle-deflate-fletcher32.h5',
  'hdf5/filter-szip.h5',
  'hdf5/filter-zfp.h5',
  'hdf5/filter-zstd.h5',
  'hdf5/groups.h5',
  'hdf5/layouts-v110.h5',
  'hdf5/layouts-v200.h5',
  'hdf5/links.h5',
  'hdf5/many-links.h5',
  'hdf5/packed.h5',
  'hdf5/refused-external-storage.h5',
  'hdf5/refused-external-link.h5',
  'hdf5/refused-filter.h5',
  'hdf5/refused-virtual.h5',
  'hdf5/types.h5',
  'hdf5/unwritten.h5',
  'hdf5/user-block-512.h5',
  'hdf5-chunks/indexes-earliest.h5',
  'hdf5-chunks/indexes-v110.h5',
  'hdf5-chunks/layouts-earliest.h5',
  'hdf5-chunks/layouts-v110.h5',
  'hdf5-chunks/texts-earliest.h5',
  'hdf5-chunks/texts-v110.h5',
  'netcdf4/scalars-nc4.nc',
  'netcdf4/strings.nc',
  'netcdf4/two-unlimited.nc',
]

/**
 * How many mutations of each file are tried. `HALOCLINE_MUTATIONS=n` tries n of each, `all` every one; `HALOCLINE_FILE` only those
 * of files whose name has this text.
 */
const SOME = '6'
const ASKED = process.env['HALOCLINE_MUTATIONS'] ?? SOME
const ONLY = process.env['HALOCLINE_FILE'] ?? ''

/** Statements over a file. One in eight is run by DuckDB. */
const BY_CORE = "SELECT * FROM read_hdf5('FILE') LIMIT 200"
const BY_DUCKDB = `WITH unused AS (SELECT 1) ${BY_CORE}`

interface Answered {
  readonly status: number
  readonly text: string
}

async function ask({ query }: TestService, sql: string, path: string): Promise<Answered> {
  const response = await query({ sql: sql.replace('FILE', path), output: { format: 'csv' } })
  return { status: response.status, text: await response.text() }
}

async function soundOf(file: string): Promise<Sound> {
  const location = join(FIXTURES, file)
  const bytes = readFileSync(location)
  const { arrays } = await metadataOf(location)
  const headers = arrays.map((each) => each.address).filter((each) => each < bytes.length)
  return { bytes, structures: structuresOf(bytes, headers) }
}

const service = await startTestService(t)
copyFileSync(join(FIXTURES, 'hdf5/groups.h5'), join(service.datasets, 'control.h5'))
const control = await ask(service, BY_CORE, 'control.h5')

for (const file of FILES.filter((each) => each.includes(ONLY)))
  t.test(file, async (t) => {
    const sound = await soundOf(file)
    const folder = join(service.datasets, file)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'sound.h5'), sound.bytes)
    const expected = await ask(service, BY_CORE, `${file}/sound.h5`)
    const outcomes = { same: 0, other: 0, refused: 0 }
    for (const number of numbers(file, countMutations(sound))) {
      const mutation = mutationAt(sound, number)
      const path = `${file}/mutation-${number}.h5`
      writeFileSync(join(service.datasets, path), mutation.bytes())
      const began = performance.now()
      const found = await ask(service, number % 8 === 0 ? BY_DUCKDB : BY_CORE, path)
      if (ASKED !== SOME && performance.now() - began > 3000)
        t.comment(`${number}: ${mutation.what}: ${performance.now() - began} ms ${found.text.slice(0, 200)}`)
      outcomes[outcomeOf(t, found, expected, mutation, path)]++
      rmSync(join(service.datasets, path))
    }
    t.comment(JSON.stringify(outcomes))
    t.same(await ask(service, BY_CORE, 'control.h5'), control, 'other queries have their answers')
    t.same(await ask(service, BY_CORE, `${file}/sound.h5`), expected, 'and so has the sound file')
  })

function* numbers(file: string, count: number): Iterable<number> {
  const random = generator(file)
  if (ASKED === 'all') for (let number = 0; number < count; number++) yield number
  else for (let tried = 0; tried < Number(ASKED); tried++) yield random(count)
}

function outcomeOf(
  t: Test,
  found: Answered,
  expected: Answered,
  { what, isTold }: Mutation,
  path: string,
): 'same' | 'other' | 'refused' {
  const shown = `${path}: ${what}: ${found.status} ${found.text.slice(0, 300)}`
  if (found.status === 400) {
    if (!found.text.includes(path)) t.fail(`the file is not named: ${shown}`)
    return 'refused'
  }
  if (found.status !== 200) t.fail(shown)
  if (found.text === expected.text) return 'same'
  if (isTold) t.fail(`a checksum is not checked: ${path}: ${what}: ${found.text} instead of ${expected.text}`)
  return 'other'
}
