import assert from 'node:assert/strict'
import t from 'tap'
import { fc } from '../support/generate.ts'
import { valuesIn } from './open.ts'
import { writeTiff } from './write-tiff.ts'

const UNCOMPRESSED = 1
const PACKBITS = 32_773

const rasters = fc
  .record({
    isBig: fc.boolean(),
    isBigEndian: fc.boolean(),
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 24 }),
    bands: fc.integer({ min: 1, max: 4 }),
    bits: fc.oneof(fc.constantFrom(8, 16, 32, 64, 24, 1), fc.integer({ min: 1, max: 64 })),
    format: fc.constantFrom(1, 2),
    tile: fc.option(fc.constantFrom([16, 16], [16, 32], [48, 16] as const), { nil: undefined }),
    rowsPerStrip: fc.integer({ min: 1, max: 30 }),
    isSeparate: fc.boolean(),
    isFilledUp: fc.boolean(),
    isBitReversed: fc.boolean(),
    compression: fc.constantFrom(UNCOMPRESSED, 5, 8, 32_946, PACKBITS, 50_000),
    hasPredictor: fc.boolean(),
    /** How far a sample is from the one before. */
    most: fc.constantFrom(0n, 1n, 3n, 2n ** 64n - 1n),
    seed: fc.nat(),
    holes: fc.array(fc.nat({ max: 6 }), { maxLength: 2 }),
    nodata: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
    box: fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()),
  })
  .map((raster) => ({
    ...raster,
    tile: raster.tile as readonly [number, number] | undefined,
    predictor: raster.hasPredictor && [8, 16, 32, 64].includes(raster.bits) ? 2 : 1,
    rowsPerStrip: Math.min(raster.rowsPerStrip, raster.height),
  }))

t.test('each band of any raster is what was written, in any box', async () => {
  const property = fc.property(rasters, (raster) => {
    const { width, height, bands, bits, format, most, nodata, holes, isSeparate, tile } = raster
    let state = BigInt(raster.seed)
    const random = (below: bigint): bigint => {
      state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n)
      return (state >> 20n) % below
    }
    let sample = 0n
    const samples = Array.from({ length: bands }, () =>
      Array.from({ length: width * height }, () => {
        sample = BigInt.asUintN(bits, sample + random(most + 1n))
        return sample
      }),
    )
    const bytes = writeTiff({
      ...raster,
      samples,
      holes: new Set(holes),
      tags: nodata === undefined ? {} : { 42113: { kind: 'text', text: `${nodata}` } },
    })
    const [tileWidth, tileHeight] = tile ?? [width, raster.rowsPerStrip]
    const [across, down] = [Math.ceil(width / tileWidth), Math.ceil(height / tileHeight)]
    const wide = bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64
    const [a, b, c, d] = raster.box
    const origin = [a % height, b % width] as const
    const extent = [1 + (c % (height - origin[0])), 1 + (d % (width - origin[1]))] as const
    for (const [band, values] of samples.entries()) {
      const valueAt = (y: number, x: number): bigint | null => {
        const tileIndex = Math.floor(y / tileHeight) * across + Math.floor(x / tileWidth)
        const index = tileIndex + (isSeparate ? band * across * down : 0)
        if (holes.includes(index)) return nodata === undefined ? 0n : null
        const stored = values[y * width + x] ?? 0n
        const value = format === 2 ? BigInt.asIntN(bits, stored) : stored
        // Integers are compared by their bits.
        return nodata !== undefined && value === BigInt(nodata) ? null : BigInt.asUintN(wide, value)
      }
      const expected = Array.from({ length: extent[0] * extent[1] }, (_, at) =>
        valueAt(origin[0] + Math.floor(at / extent[1]), origin[1] + (at % extent[1])),
      )
      for (const isOnlyUnit of [false, true])
        assert.deepEqual(valuesIn(bytes, `band.${band}`, { origin, extent }, isOnlyUnit), expected)
    }
  })
  fc.assert(property, { numRuns: 300 })
})
