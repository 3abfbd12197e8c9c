import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import type { FilteredBytes } from '../../src/plan/task/filtered-bytes.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { decodeInLibrary } from '../../src/workers/formats/hdf5/data/decode-chunk.ts'
import { filterOf } from '../../src/workers/formats/hdf5/data/filters/filters.ts'
import { hdf5 } from '../../src/workers/formats/hdf5/hdf5.ts'
import { openFileStore } from '../../src/workers/store/file-store.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import { readContext } from '../formats/context.ts'
import { fileRef } from '../formats/source.ts'
import { readAll } from '../formats/values.ts'
import { fixture } from './describe.ts'
import { undoingHere } from './undo-here.ts'

/** A fixture, and where the stored bytes have a number that must not be changed to the greatest one, such as their size. */
const FILTERS = [
  { name: 'szip', sizeAt: 0 },
  { name: 'scaleoffset', sizeAt: 0 },
  { name: 'bzip2', sizeAt: null },
  { name: 'bitshuffle', sizeAt: null },
  { name: 'bitshuffle-lz4', sizeAt: 4 },
  { name: 'bitshuffle-zstd', sizeAt: 4 },
  { name: 'blosc2', sizeAt: 34 },
  { name: 'blosc2-zlib', sizeAt: 34 },
  { name: 'zfp', sizeAt: null },
  { name: 'zfp-doubles', sizeAt: null },
] as const

/** The library goes on with other values where these end. */
const OPEN_ENDED = /^(?:zfp|szip)/

const context = readContext(createCore({ maximumBytes: 256 << 20 }))

for (const { name, sizeAt } of FILTERS) {
  t.test(name, async (t) => {
    const chunk = await chunkOf(`filter-${name}.h5`)
    const stored = new Uint8Array(chunk.stored)
    const right = await undone(chunk)
    t.equal(right?.length, chunk.bytes)
    const kept = (length: number): FilteredBytes => ({ ...chunk, stored: chunk.stored.slice(0, length) })

    for (const length of [0, 1, 16, stored.length >> 1, stored.length - (name === 'bitshuffle' ? 1 : 12)]) {
      const cut = await undone(kept(length))
      if (!OPEN_ENDED.test(name)) t.equal(cut, null, `cut to ${length} bytes`)
    }
    if (sizeAt !== null) {
      const lying = stored.slice().fill(0xff, sizeAt, sizeAt + 4)
      t.equal(await undone({ ...chunk, stored: lying.buffer }), null, 'a size that lies')
    }
    const { id, values } = chunk.filter
    for (const wrong of [[], values.map(() => 0), values.map(() => 0xffff_ffff)])
      sized(await undone({ ...chunk, filter: { id, values: wrong } }))
    t.equal(await undone({ ...chunk, bytes: chunk.bytes + 8 }), null, 'a chunk that is longer')
    for (let seed = 1; seed <= 40; seed++) {
      const flipped = stored.slice()
      const at = (seed * 7919 * (seed % 3 === 0 ? 1 : stored.length)) % stored.length
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (seed % 8))
      sized(await undone({ ...chunk, stored: flipped.buffer }))
    }
    t.same(await undone(chunk), right, 'and nothing of that is left')

    function sized(bytes: Uint8Array | null): void {
      if (bytes !== null && bytes.length !== chunk.bytes) t.fail(`${bytes.length} bytes`)
    }
  })
}

/** Null: it is an error. */
async function undone({ stored, filter, bytes }: FilteredBytes): Promise<Uint8Array | null> {
  const known = filterOf(filter)
  if (known.decode !== null) throw new Error('it is decoded here')
  try {
    return await undoingHere(context, ({ undoFilter }) =>
      decodeInLibrary(new Uint8Array(stored), filter, known, { bytes, isExact: true }, undoFilter),
    )
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file') return null
    throw error
  }
}

/** The first chunk of a file that the library decodes. */
async function chunkOf(name: string): Promise<FilteredBytes> {
  const file = fileRef(fixture(name))
  using store = openFileStore(file, createStopwatch())
  const opened = createArrayProvider(hdf5, { dimensions: null }).open(store, context)
  const chunks: FilteredBytes[] = []
  await undoingHere(
    context,
    (undoing) => readAll(opened, store, undoing),
    (filtered) => chunks.push(filtered),
  )
  const [first] = chunks
  if (first === undefined) throw new Error(`${name} has no such chunk`)
  return first
}
