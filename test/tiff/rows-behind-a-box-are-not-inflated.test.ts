import t from 'tap'
import { valuesIn } from './open.ts'
import { writeTiff } from './write-tiff.ts'

const SIDE = 64

t.test('of a tile that only one unit needs, what lies behind its rows is not inflated', async (t) => {
  // Noise, of which compressors store each byte.
  const samples = [Array.from({ length: SIDE * SIDE }, (_, at) => BigInt((at * 2_654_435_761) % 251))]
  for (const compression of [5, 8, 50_000]) {
    const bytes = writeTiff({ width: SIDE, height: SIDE, bits: 8, samples, tile: [SIDE, SIDE], compression })
    const expected = (rows: number) => samples[0]?.slice(0, rows * SIDE)
    const box = (rows: number) => ({ origin: [0, 0], extent: [rows, SIDE] }) as const
    t.strictSame(valuesIn(bytes, 'band.0', box(8), true), expected(8))
    t.strictSame(valuesIn(bytes, 'band.0', box(SIDE), true), expected(SIDE))
  }
})
