import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { SMALL_FILE_BYTES } from '../../src/plan/limits.ts'
import { gridOfAll, withSharedParts } from '../../src/plan/source/array-layout.ts'
import type { ArrayReader } from '../../src/workers/formats/arrays/array-file.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import type { WholePlace } from '../../src/workers/formats/arrays/element-place.ts'
import { hdf5, netcdf4 } from '../../src/workers/formats/hdf5/hdf5.ts'
import { hasSignature } from '../../src/workers/formats/hdf5/signature.ts'
import type { AlikeFiles } from '../../src/workers/formats/provider.ts'
import { type FileStore, onlyObject } from '../../src/workers/store/store.ts'
import { memorySource } from '../formats/source.ts'
import { generator } from '../support/generate.ts'
import { context } from './datasets.ts'

const FIXTURES = join(import.meta.dirname, '..', 'fixtures')

/** Changed copies of each file. */
const COPIES = 40

const files = ['hdf5', 'hdf5-chunks', 'netcdf4'].flatMap((folder) =>
  globSync('*.{h5,nc}', { cwd: join(FIXTURES, folder) })
    .map((name) => ({ name, bytes: readFileSync(join(FIXTURES, folder, name)) }))
    .filter(({ bytes }) => bytes.length <= SMALL_FILE_BYTES && hasSignature(onlyObject(storeOf(bytes)))),
)

/** A store whose bytes are in memory, as those of small files are. */
function storeOf(bytes: Buffer): FileStore {
  const store: FileStore = {
    ...memorySource(bytes, 'file.h5'),
    view(from: number, length: number) {
      // A range outside of the file is its error.
      if (from < 0 || length < 0 || from + length > bytes.length)
        return memorySource(bytes, 'file.h5').read(from, length)
      return bytes.subarray(from, from + length)
    },
    open: (key: string) => (key === '' ? store : null),
  }
  return store
}

/** What is told of a file by its form. Null: it has to be opened. Files that equal another one wholly are found otherwise. */
function toldByForm(reader: ArrayReader, bytes: Buffer): AlikeFiles | null {
  const provider = createArrayProvider({ ...reader, openedBefore: () => undefined }, { dimensions: null })
  const store = storeOf(bytes)
  const held = { memory: bytes, at: 0, size: bytes.length, file: store.file, isCaching: false, store }
  return provider.alike?.(held, context) ?? null
}

/** The same of a file that is opened. Null: it cannot be. */
function toldAlone(reader: ArrayReader, bytes: Buffer) {
  const store = storeOf(bytes)
  try {
    const opened = createArrayProvider(reader, { dimensions: null }).open(store, context)
    const places = opened.wholePlaces?.(store, context) ?? []
    const others = opened.whole?.([], store, context, new Set(places.map(({ field }) => field)))
    const segments = opened.segments([], store, context, null)
    return { schema: opened.schema, segments, arrays: opened.layout?.(), places, others }
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}

/** A place without what its key says. */
function placeOf({ spec: _, ...place }: WholePlace): Omit<WholePlace, 'spec'> {
  return place
}

/** Compares what is told of a file. Returns whether it was told by its form. */
function compare(reader: ArrayReader, bytes: Buffer, name: string): boolean {
  const byForm = toldByForm(reader, bytes)
  if (byForm === null) return false
  const alone = toldAlone(reader, bytes)
  if (alone === null) throw new Error(`${name}: told of a file that cannot be opened`)
  const { segments, arrays } = alone
  if (segments.kind !== 'grid' || !arrays) throw new Error(`${name}: told of ${segments.kind}`)
  const same = (one: unknown, other: unknown, what: string): void => {
    if (isDeepStrictEqual(one, other)) return
    t.same(one, other, `${name}: ${what}`)
    throw new Error(`${name}: ${what} differs`)
  }
  same(byForm.schema, alone.schema, 'schema')
  same(byForm.arrays, arrays, 'arrays')
  same(gridOfAll(byForm.arrays), withSharedParts(segments, arrays), 'grid')
  same(byForm.places.map(placeOf), alone.places.map(placeOf), 'places')
  same(alone.others?.length, 0, 'bounds')
  return true
}

t.test('files of another program, as they are', async (t) => {
  let byForm = 0
  for (const { name, bytes } of files)
    for (const reader of [hdf5, netcdf4]) for (const _ of [1, 2]) if (compare(reader, bytes, name)) byForm++
  t.ok(byForm > 40, `${byForm} were told by their form`)
})

t.test('files that differ in any byte', async (t) => {
  const random = generator('metadata of a form')
  let byForm = 0
  for (const { name, bytes } of files)
    for (const reader of [hdf5, netcdf4])
      for (let copy = 0; copy < COPIES; copy++) {
        const changed = Buffer.from(bytes)
        for (let each = 0; each < 1 + (copy % 3); each++) changed[random(changed.length)] = random(256)
        if (compare(reader, changed, name)) byForm++
      }
  t.ok(byForm > 1000, `${byForm} were told by their form`)
})
