import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { filterOf } from '../../src/workers/formats/hdf5/data/filters/filters.ts'
import { generator } from '../support/generate.ts'
import { runPython, skipWithout } from '../support/python.ts'

/** Chunks of random data by LZF, and what h5py reads of each after some bytes were changed. */
const PROGRAM = `
import base64, json, sys
import h5py
import numpy as np

random = np.random.default_rng(int(sys.argv[1]))

def changed(chunk):
    bytes = bytearray(chunk)
    if random.integers(4) == 0:
        return bytes[: random.integers(1, len(bytes) + 1)]
    for _ in range(random.integers(1, 4)):
        bytes[random.integers(len(bytes))] = random.choice([0, 31, 32, 224, 255, random.integers(256)])
    return bytes

cases = []
file = h5py.File("memory.h5", "w", driver="core", backing_store=False)
for number in range(int(sys.argv[2])):
    size = int(random.choice([64, 300, 9000, 100_000, random.integers(1, 3000)]))
    values = np.cumsum(random.integers(0, int(random.choice([2, 3, 250])), size)).astype("u1")
    if random.integers(3) == 0:
        values = np.tile(values[: random.integers(1, min(size, 40) + 1)], size)[:size]
    dataset = file.create_dataset(str(number), data=values, chunks=(size,), compression="lzf")
    mask, chunk = dataset.id.read_direct_chunk((0,))
    # What does not get smaller is stored as it is.
    if mask != 0:
        continue
    for each in [chunk] + [changed(chunk) for _ in range(6)]:
        dataset.id.write_direct_chunk((0,), bytes(each), 0)
        dataset.id.refresh()
        try:
            decoded = base64.b64encode(dataset[:].tobytes()).decode()
        except OSError:
            decoded = None
        cases.append({
            "stored": base64.b64encode(bytes(each)).decode(), "decoded": decoded, "isWhole": each is chunk, "bytes": size,
        })
print(json.dumps(cases))
`

interface Case {
  readonly stored: string
  /** Null: h5py refuses it. */
  readonly decoded: string | null
  /** Whether nothing was changed. */
  readonly isWhole: boolean
  readonly bytes: number
}

const core = createCore({ maximumBytes: 1 << 26 })

/** Null: it is refused. */
function decoded(stored: Buffer, bytes: number): Buffer | null {
  const filter = filterOf({ id: 32000, values: [] })
  if (filter.decode === null) throw new TypeError('LZF is undone by the library')
  try {
    return Buffer.from(filter.decode(stored, { bytes, isExact: true }, [], core))
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'unreadable_file') throw error
    return null
  }
}

t.test('what h5py reads of a chunk, whole or changed', { skip: skipWithout('h5py') }, async (t) => {
  const random = generator('lzf')
  const cases: readonly Case[] = JSON.parse(await runPython(PROGRAM, [String(random(2 ** 31)), '80']))
  t.ok(cases.length > 0)
  for (const { stored, decoded: expected, isWhole, bytes } of cases) {
    const result = decoded(Buffer.from(stored, 'base64'), bytes)
    const isRead = expected !== null && result?.equals(Buffer.from(expected, 'base64')) === true
    if (isWhole && !isRead) t.fail(`whole: ${stored}`)
    // Of a chunk that has become shorter the library gives what is behind it in its memory.
    if (result?.length === bytes && expected !== null && !isRead) t.fail(`changed: ${stored}`)
  }
  t.notOk(core.isDead(), 'nothing has trapped')
})
