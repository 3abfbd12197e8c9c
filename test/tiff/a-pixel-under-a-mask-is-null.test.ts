import t from 'tap'
import { valuesIn, valuesInEach } from './open.ts'
import { writeTiff } from './write-tiff.ts'

const LERC = 34_887
const WIDTH = 20
const HEIGHT = 6
const VALUE = 7

/** A blob of LERC 2.2 whose pixels are all `VALUE`, but for those that `isMasked`. */
function lercBlob(isMasked: (pixel: number) => boolean): Buffer {
  const pixels = Array.from({ length: WIDTH * HEIGHT }, (_, pixel) => (isMasked(pixel) ? '0' : '1'))
  const bits = pixels.join('')
  const mask = Buffer.from(
    Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
      Number.parseInt(bits.slice(8 * at, 8 * at + 8).padEnd(8, '0'), 2),
    ),
  )
  // Runs: a number of bytes and the bytes, and at the end the least number.
  const runs = Buffer.alloc(mask.length + 4)
  runs.writeInt16LE(mask.length, 0)
  mask.copy(runs, 2)
  runs.writeInt16LE(-32_768, mask.length + 2)
  const blob = Buffer.concat([Buffer.alloc(58), Buffer.alloc(4), runs])
  blob.write('Lerc2 ')
  const valid = pixels.filter((each) => each === '1').length
  for (const [at, number] of [2, HEIGHT, WIDTH, valid, 8, blob.length, 1].entries())
    blob.writeInt32LE(number, 6 + 4 * at)
  for (const [at, number] of [0.5, VALUE, VALUE].entries()) blob.writeDoubleLE(number, 34 + 8 * at)
  blob.writeInt32LE(runs.length, 58)
  return blob
}

t.test('integers that LERC masks are null, though there is no nodata', async (t) => {
  const isMasked = (pixel: number): boolean => pixel % 7 < 3
  const blob = lercBlob(isMasked)
  const samples = [Array.from({ length: WIDTH * HEIGHT }, () => 0n)]
  const long = (value: number) => ({ kind: 'long', values: [value] }) as const
  const tags = { 259: long(LERC), 273: long(1 << 12), 279: long(blob.length) }
  const head = writeTiff({ width: WIDTH, height: HEIGHT, bits: 8, samples, tags })
  const bytes = Buffer.concat([head, Buffer.alloc((1 << 12) - head.length), blob])
  const expected = samples[0]?.map((_, pixel) => (isMasked(pixel) ? null : BigInt(VALUE)))
  t.strictSame(valuesIn(bytes, 'band.0', { origin: [0, 0], extent: [HEIGHT, WIDTH] }), expected)
  const row = expected?.slice(2 * WIDTH + 3, 2 * WIDTH + 13)
  const box = { origin: [2, 3], extent: [1, 10] } as const
  t.strictSame(valuesIn(bytes, 'band.0', box), row, 'in a box')
  t.strictSame(valuesInEach(bytes, 'band.0', [box, box]), [row, row], 'also where a unit before has read it')
})
