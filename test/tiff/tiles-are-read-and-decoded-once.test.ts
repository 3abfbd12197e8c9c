import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import type { ReadContext } from '../../src/workers/formats/provider.ts'
import { tiff } from '../../src/workers/formats/tiff/tiff.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readSegment } from '../formats/values.ts'
import { writeTiff } from './write-tiff.ts'

const WIDTH = 64
const HEIGHT = 96
const BANDS = 3

const DEFLATE = 8

const samples = Array.from({ length: BANDS }, (_, band) =>
  Array.from({ length: WIDTH * HEIGHT }, (__, at) => BigInt((at * (band + 3)) % 251)),
)

/** A context that keeps tiles, and counts how many are decoded. */
function countingContext(unitColumns?: readonly string[]): { context: ReadContext; decoded(): number } {
  const base = readContext(createCore({ maximumBytes: 1 << 26 }))
  const tiles = new Map<string, ArrayBuffer>()
  let decoded = 0
  const chunks: ReadContext['chunks'] = {
    ...base.chunks,
    get(_store, chunk, _version, make) {
      const tile = tiles.get(chunk) ?? make()
      if (!tiles.has(chunk)) decoded++
      tiles.set(chunk, tile)
      return tile
    },
  }
  return { context: { ...base, chunks, ...(unitColumns && { unitColumns }) }, decoded: () => decoded }
}

function readBands(bytes: Uint8Array, names: readonly string[], context: ReadContext) {
  const store = memorySource(bytes, 'a.tif')
  const file = createArrayProvider(tiff, { dimensions: null, isNanValue: true }).open(store, context)
  const fields = file.schema.fields.filter(({ name }) => names.includes(name))
  const whole = { origin: [0, 0], extent: [HEIGHT, WIDTH] }
  const range = { kind: 'box', dimensions: [0, 1], ...whole, exclusive: whole } as const
  const opening = store.reads.length
  const { values } = readSegment(file, store, range, fields, context)
  return { values, reads: store.reads.length - opening }
}

t.test('a tile is decoded once for all bands of a unit, and not kept for the only one', async (t) => {
  const bytes = writeTiff({
    width: WIDTH,
    height: HEIGHT,
    bits: 8,
    samples,
    tile: [32, 32],
    compression: DEFLATE,
  })
  const all = ['band.0', 'band.1', 'band.2']
  const several = countingContext(all)
  t.strictSame(readBands(bytes, all, several.context).values, samples)
  t.equal(several.decoded(), 6)

  const one = countingContext(['band.1', 'geo.lon'])
  t.strictSame(readBands(bytes, ['band.1'], one.context).values, [samples[1]])
  t.equal(one.decoded(), 0, 'none is kept')

  const unknown = countingContext()
  t.strictSame(readBands(bytes, ['band.1'], unknown.context).values, [samples[1]])
  t.equal(unknown.decoded(), 6, 'other bands may follow')
})

t.test('small strips that follow each other are read at once', async (t) => {
  const image = { width: WIDTH, height: HEIGHT, bits: 8, samples: samples.slice(0, 1), rowsPerStrip: 1 }
  for (const compression of [5, DEFLATE]) {
    const bytes = writeTiff({ ...image, compression, holes: new Set([7, 40]) })
    const { values, reads } = readBands(bytes, ['band.0'], countingContext(['band.0']).context)
    const isHole = (at: number) => [7, 40].includes(Math.floor(at / WIDTH))
    t.strictSame(values, [samples[0]?.map((value, at) => (isHole(at) ? 0n : value))])
    // Both tables, and the strips before, between and behind the holes.
    t.equal(reads, 5)
  }
})

t.test('pixels that are not compressed are read once for all bands of a unit', async (t) => {
  const all = ['band.0', 'band.1', 'band.2']
  const whole = { width: WIDTH, height: HEIGHT, bits: 8, samples }
  // Each band reads both tables, those of tiles for each row of them.
  for (const [tiles, tables] of [
    [{ tile: [32, 32] as const }, 6],
    [{ rowsPerStrip: 7 }, 2],
    [{ rowsPerStrip: HEIGHT }, 2],
  ] as const) {
    const bytes = writeTiff({ ...whole, ...tiles })
    const single = readBands(bytes, ['band.1'], countingContext(['band.1']).context)
    t.strictSame(single.values, [samples[1]])
    const several = readBands(bytes, all, countingContext(all).context)
    t.strictSame(several.values, samples)
    t.equal(several.reads, single.reads + tables * (BANDS - 1))
  }
})
