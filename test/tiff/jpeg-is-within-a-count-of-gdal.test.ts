import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { decodeJpeg } from '../../src/wasm/codecs/jpeg.ts'
import { samples } from '../formats/fixtures.ts'
import { columnValues, type Value } from '../formats/values.ts'
import { readCorners, valuesIn } from './open.ts'

/**
 * Counts that a sample may differ, since decoders round in other places: red and blue are luma and 1.4 or 1.8 times chroma, and subsampled
 * chroma is interpolated in another way.
 */
const MOST = Object.freeze({ sample: 1, colour: 3, subsampled: 8 })

function differenceOf(actual: Value | undefined, expected: Value | undefined): number {
  assert.equal(typeof actual, typeof expected)
  return typeof actual === 'bigint' && typeof expected === 'bigint' ? Math.abs(Number(actual - expected)) : 0
}

t.test('samples that JPEG compressed are those of GDAL, but for how they are rounded', async (t) => {
  const all = samples('tiff/jpeg')
  t.equal(all.length, 11)
  for (const { name, location, expected } of all) {
    const bytes = readFileSync(location)
    const table = tableFromIPC(gunzipSync(readFileSync(expected)))
    const columns = columnValues(table)
    const most = name.includes('subsampled')
      ? MOST.subsampled
      : name.startsWith('ycc')
        ? MOST.colour
        : MOST.sample
    for (const [index, { name: column }] of table.schema.fields.entries()) {
      if (!column.startsWith('band.')) continue
      const values = columns[index] ?? []
      const read = valuesIn(bytes, column, { origin: [0, 0], extent: [21, 35] })
      assert.equal(read.length, values.length)
      const largest = Math.max(...values.map((value, row) => differenceOf(read[row], value)))
      t.ok(largest <= most, `${name}, ${column}: ${largest}`)
      const box = { origin: [5, 3], extent: [9, 30] } as const
      const inBox = valuesIn(bytes, column, box)
      t.strictSame(
        inBox,
        read.filter((_, row) => row % 35 >= 3 && row % 35 < 33 && row >= 5 * 35 && row < 14 * 35),
        'a box has those of the whole',
      )
    }
    t.ok(readCorners(bytes) > 0)
  }
})

t.test('an image of many scans, each of which takes the time of the image, is refused', async (t) => {
  const [file] = samples('tiff/jpeg').filter(({ name }) => name === 'ycc-progressive')
  assert.ok(file)
  const image = readFileSync(file.location).subarray(512)
  const shape = { width: 35, leastHeight: 21, mostHeight: 21, samples: 3, isYcc: true }
  t.equal(decodeJpeg([image], shape).length, 35 * 21 * 3)
  const scan = Buffer.from([0xff, 0xda])
  const scans = Array.from({ length: 101 }, () => scan)
  t.throws(() => decodeJpeg([image, ...scans], shape), { message: /more than 100/ })
  for (const other of [
    { ...shape, width: 36 },
    { ...shape, leastHeight: 22, mostHeight: 40 },
    { ...shape, samples: 1 },
  ])
    t.throws(() => decodeJpeg([image], other), { code: 'unreadable_file' })
  for (let length = 0; length < image.length - 2; length += 40)
    t.throws(() => decodeJpeg([image.subarray(0, length)], shape), { code: 'unreadable_file' }, `${length}`)
})
