import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openFileStore } from '../../src/workers/store/file-store.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import { fileRef } from '../formats/source.ts'
import { arrayOf, elementsOf, open } from './open.ts'
import { writeClassic } from './write-classic.ts'

/** Writes the head of a file that goes on to `size` bytes, without using that much of a disk, and these bytes at its end. */
function writeSparse(location: string, head: Uint8Array, size: number, end: Uint8Array): void {
  const file = openSync(location, 'w')
  writeSync(file, head)
  ftruncateSync(file, size)
  writeSync(file, end, 0, end.length, size - end.length)
  closeSync(file)
}

t.test('the end of an array of 6.4 GB in CDF-5', async (t) => {
  const elements = 1_600_000_000
  const head = writeClassic({
    version: 5,
    records: 0,
    dimensions: [
      { name: 'row', size: 1 },
      { name: 'column', size: 100 },
    ],
    attributes: [],
    variables: [{ name: 'v', dimensions: [0, 1], type: 4, attributes: [], bytes: Buffer.alloc(400) }],
  })
  // The size of the variable in the header stays 400. It is not used.
  head.writeBigUInt64BE(BigInt(elements / 100), head.indexOf('row\0') + 4)
  const location = join(t.testdir(), 'large.nc')
  const end = Buffer.alloc(800)
  for (let at = 0; at < 200; at++) end.writeInt32BE(at - 100, 4 * at)
  writeSparse(location, head, head.length - 400 + 4 * elements, end)

  const stopwatch = createStopwatch()
  using store = openFileStore(fileRef(location), stopwatch)
  const file = open(store)
  const array = arrayOf(file, 'v')
  t.equal(array.storedBytes, 4 * elements)
  const rows = elements / 100
  t.strictSame(elementsOf(store, file, array, { origin: [rows - 2, 0], extent: [2, 100] }), end)
  t.strictSame(
    elementsOf(store, file, array, { origin: [rows - 2, 98], extent: [2, 2] }),
    Buffer.concat([end.subarray(392, 400), end.subarray(792)]),
  )
  t.ok(stopwatch.metrics().bytesRead < 100_000, 'only what is wanted is read')
})

t.test('the last records of a CDF-2 file', async (t) => {
  const records = 700_000_000
  const head = writeClassic({
    version: 2,
    records: 1,
    dimensions: [{ name: 'time', size: 0 }],
    attributes: [],
    variables: [
      { name: 'small', dimensions: [0], type: 3, attributes: [], bytes: Buffer.alloc(2) },
      { name: 'other', dimensions: [0], type: 4, attributes: [], bytes: Buffer.alloc(4) },
    ],
  })
  head.writeUInt32BE(records, 4)
  const location = join(t.testdir(), 'records.nc')
  writeSparse(location, head, head.length + 8 * (records - 1), Buffer.from([0, 7, 0xff, 0xff, 0, 0, 1, 2]))

  using store = openFileStore(fileRef(location), createStopwatch())
  const file = open(store)
  const box = { origin: [records - 3], extent: [3] }
  t.strictSame(elementsOf(store, file, arrayOf(file, 'small'), box), Buffer.from([0, 0, 0, 0, 0, 7]))
  t.strictSame(elementsOf(store, file, arrayOf(file, 'other'), box).subarray(8), Buffer.from([0, 0, 1, 2]))
})
