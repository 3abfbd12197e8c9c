import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { zarr } from '../../src/workers/formats/zarr/zarr.ts'
import { readContext } from '../formats/context.ts'
import { fixture } from '../formats/fixtures.ts'
import { memoryObjects, type Objects, readObjects } from '../formats/objects.ts'
import { readAll, type Value } from '../formats/values.ts'

const provider = createArrayProvider(zarr, { dimensions: null })
const context = readContext(createCore({ maximumBytes: 256 << 20 }))

/** The chunks of arrays of the golden stores that have a checksum over all of their bytes. */
const CHECKED = {
  codecs: ['crc32c', 'zstd_crc32c', 'crc32c_zstd', 'zstd_checksum'],
  shards: ['zstd_start'],
}

/** Those whose chunks end with the frame of a compression, of which some bits have no meaning. */
const HAS_NO_MEANING = new Set(['crc32c_zstd', 'zstd_checksum'])

/** The bytes of the index of a shard of those arrays: an offset and a length of each of six chunks, and a checksum. */
const INDEX_BYTES = 6 * 16 + 4

/** The column of an array. Null: it cannot be read, and the message names the chunk. */
function columnOf(objects: Objects, name: string, chunk: string): Value[] | null {
  try {
    const store = memoryObjects(objects)
    const file = provider.open(store, context)
    const [column = []] = readAll(
      file,
      store,
      context,
      file.schema.fields.filter((field) => field.name === name),
    )
    return column
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'unreadable_file') throw error
    if (!error.message.includes(name) || !error.message.includes(chunk)) throw error
    return null
  }
}

function withFlipped(objects: Objects, key: string, bit: number): Objects {
  const bytes = Uint8Array.from(objects.get(key) ?? [])
  const at = bit >> 3
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7))
  return new Map([...objects, [key, bytes]])
}

for (const [name, arrays] of Object.entries(CHECKED)) {
  const objects = readObjects(fixture('zarr', name))
  for (const array of arrays)
    t.test(`each bit of a chunk of ${array} in ${name}`, (t) => {
      const key = `${array}/c/0/0`
      const before = columnOf(objects, array, key)
      t.ok(before?.length)
      const bits = (objects.get(key)?.length ?? 0) * 8
      // Not a power of two, so that all bits of bytes are among them.
      const step = bits > 4000 ? 29 : 7
      let refused = 0
      for (let bit = 0; bit < bits; bit += step) {
        const column = columnOf(withFlipped(objects, key, bit), array, key)
        if (column === null) refused++
        else if (HAS_NO_MEANING.has(array)) t.strictSame(column, before, `bit ${bit} has no meaning`)
        else t.fail(`bit ${bit} is not noticed`)
      }
      t.ok(refused > (bits / step) * 0.9)
      t.end()
    })
}

t.test('each bit of the index of a shard', (t) => {
  const objects = readObjects(fixture('zarr', 'shards'))
  for (const [array, isAtStart] of [
    ['start', true],
    ['end', false],
  ] as const) {
    const key = `${array}/c/0/0`
    const end = objects.get(key)?.length ?? 0
    const from = isAtStart ? 0 : end - INDEX_BYTES
    for (let bit = from * 8; bit < (from + INDEX_BYTES) * 8; bit += 3)
      if (columnOf(withFlipped(objects, key, bit), array, key) !== null) t.fail(`bit ${bit} of ${array}`)
  }
  t.end()
})
