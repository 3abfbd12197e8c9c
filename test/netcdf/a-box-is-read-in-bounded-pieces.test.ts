import t from 'tap'
import type { Box } from '../../src/workers/formats/arrays/array-file.ts'
import type { ByteSource } from '../../src/workers/store/byte-source.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { memorySource } from '../formats/source.ts'
import { fc } from '../support/generate.ts'
import { arrayOf, context, open } from './open.ts'
import { writeClassic } from './write-classic.ts'

/** The most bytes of a piece of a box, and of a read. */
const MOST_BYTES = 4 << 20

const INT = 4

interface Made {
  readonly store: Store
  /** The length of each read. */
  readonly reads: number[]
  /** The place in the file of the first element. */
  readonly begin: number
}

/** A file of 4-byte elements, each of which is the number of its word in the file. It is as large as its header says. */
function made(sizes: readonly number[], records: number, others: number): Made {
  const isInRecords = records > 0
  const shape = sizes.map((_, index) => index)
  const head = writeClassic({
    version: 5,
    records: 0,
    dimensions: [...sizes.map((_, index) => ({ name: `d${index}`, size: 1 })), { name: 'rec', size: 0 }],
    attributes: [],
    variables: [
      {
        name: 'v',
        dimensions: isInRecords ? [sizes.length, ...shape] : shape,
        type: 4,
        attributes: [],
        bytes: Buffer.alloc(0),
      },
      ...Array.from({ length: others }, (_, index) => ({
        name: `other${index}`,
        dimensions: [sizes.length],
        type: 4,
        attributes: [],
        bytes: Buffer.alloc(0),
      })),
    ],
  })
  const end = isInRecords ? head.length : head.length - INT
  head.writeBigUInt64BE(BigInt(records), 4)
  for (const [index, size] of sizes.entries())
    head.writeBigUInt64BE(BigInt(size), head.indexOf(`d${index}\0\0`) + INT)
  const partBytes = sizes.reduce((bytes, size) => bytes * size, INT)
  // The other variables follow in each record.
  const begins = Array.from({ length: others }, (_, index) => end + partBytes + INT * index)
  for (const [index, begin] of begins.entries())
    head.writeBigUInt64BE(BigInt(begin), behindVariable(head, `other${index}`))
  const reads: number[] = []
  const size = isInRecords ? end + records * (partBytes + INT * others) : end + partBytes
  return { store: numbered(head.subarray(0, end), size, reads), reads, begin: end }
}

/** The place where the header has the begin of a variable of rank 1 without attributes. */
function behindVariable(head: Buffer, name: string): number {
  return head.indexOf(name) + Math.ceil(name.length / 4) * 4 + 8 + 8 + 12 + 4 + 8
}

function numbered(head: Uint8Array, size: number, reads: number[]): Store {
  const file = memorySource(head, 'large.nc')
  const readInto = (offset: number, target: Uint8Array): void => {
    if (offset < 0 || offset + target.length > size) throw new Error(`no ${target.length} bytes at ${offset}`)
    reads.push(target.length)
    const words = new DataView(target.buffer, target.byteOffset, target.length)
    for (let at = 0; at + INT <= target.length; at += INT) words.setUint32(at, (offset + at) / INT)
    if (offset < head.length) target.set(head.subarray(offset, offset + target.length))
  }
  const source: ByteSource = {
    version: file.version,
    size,
    read(offset, length) {
      const bytes = new Uint8Array(length)
      readInto(offset, bytes)
      return bytes
    },
    readInto,
    release() {},
  }
  return { ...file, open: () => source }
}

interface FileAndBox {
  /** Of the dimensions, without the unlimited one. */
  readonly sizes: number[]
  /** 0: the array is not in records. */
  readonly records: number
  /** How many other variables are in the records. */
  readonly others: number
  /** Of the box, along each dimension from the fastest on: where it is, and how much of the dimension it has at most. */
  readonly parts: { readonly from: number; readonly share: number }[]
  /** The most elements of the box. */
  readonly elements: number
}

const SHAPES: fc.Arbitrary<FileAndBox> = fc
  .record({
    sizes: fc.array(fc.constantFrom(1, 2, 3, 10, 100, 1000, 5000, 70_000), { minLength: 1, maxLength: 4 }),
    records: fc.constantFrom(0, 1, 1000, 1_000_000),
    others: fc.constantFrom(1, 3, 10, 5000),
    parts: fc.array(fc.record({ from: fc.nat({ max: 999 }), share: fc.constantFrom(1, 0.5, 0.9) }), {
      minLength: 5,
      maxLength: 5,
    }),
    elements: fc.constantFrom(1, 100, 10_000, 1_200_000),
  })
  // No file is larger than a number of JavaScript can say.
  .filter(({ sizes, records }) => product([records || 1, ...sizes]) < 2 ** 48)

t.test('boxes of any shape', async (t) => {
  let most = 0
  fc.assert(
    fc.property(SHAPES, ({ sizes, records, others, parts, elements }) => {
      const { store, reads, begin } = made(sizes, records, records > 0 ? others : 0)
      const shape = records > 0 ? [records, ...sizes] : sizes
      const box = boxOf(shape, parts, elements)
      const file = open(store)
      reads.length = 0
      const strides = stridesOf(sizes)
      if (records > 0) strides.unshift(INT * (product(sizes) + others))
      let count = 0
      let last = -1
      for (const slab of file.slabs(store, arrayOf(file, 'v'), box, context)) {
        if (slab.kind !== 'elements') throw new Error(slab.kind)
        most = Math.max(most, slab.bytes.length)
        const words = new DataView(slab.bytes.buffer, slab.bytes.byteOffset, slab.bytes.length)
        forEachIndex(slab, strides, (offset, element) => {
          const place = begin + offset
          if (words.getUint32(element * INT) !== (place / INT) % 2 ** 32) throw new Error(`at ${place}`)
          // Pieces follow each other in C order, so no element comes twice.
          if (place <= last) throw new Error('out of order')
          last = place
          count++
        })
      }
      if (count !== product(box.extent)) throw new Error(`${count}`)
      most = reads.reduce((longest, length) => Math.max(longest, length), most)
      const wanted = count * INT
      const spent = reads.reduce((sum, length) => sum + length + (16 << 10), 0)
      // A gap that is read with its neighbours costs less than another read.
      if (spent > 2 * (wanted + (16 << 10) * Math.max(1, runsIn(box, shape))))
        throw new Error(`${spent} for ${wanted}`)
    }),
    { numRuns: 40, examples: [[severalPieces()]] },
  )
  t.ok(most <= MOST_BYTES, `${most} bytes at once`)
  t.ok(most > MOST_BYTES / 2, 'some boxes have several pieces')
})

/** A box of 4.8 MB, most of which lies in one run in each record. */
function severalPieces(): FileAndBox {
  const parts = Array.from({ length: 5 }, () => ({ from: 0, share: 1 }))
  return { sizes: [5000], records: 1000, others: 3, parts, elements: 1_200_000 }
}

/** A box of at most so many elements. */
function boxOf(
  shape: readonly number[],
  parts: readonly { from: number; share: number }[],
  elements: number,
): Box {
  let left = elements
  const extent = shape
    .toReversed()
    .map((size, axis) => {
      const length = Math.max(1, Math.min(left, Math.floor(size * (parts[axis]?.share ?? 1))))
      left = Math.max(1, Math.floor(left / length))
      return length
    })
    .toReversed()
  return {
    extent,
    origin: extent.map((length, axis) => (parts[axis]?.from ?? 0) % ((shape[axis] ?? 1) - length + 1)),
  }
}

/** How many runs of elements that lie side by side make up a box. */
function runsIn({ extent }: Box, shape: readonly number[]): number {
  let axis = extent.length - 1
  while (axis > 0 && extent[axis] === shape[axis]) axis--
  return (
    extent.slice(0, axis).reduce((product, length) => product * length, 1) *
    (axis === 0 ? (extent[0] ?? 1) : 1)
  )
}

function product(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all * size, 1)
}

function stridesOf(sizes: readonly number[]): number[] {
  return sizes.map((_, axis) => sizes.slice(axis + 1).reduce((bytes, size) => bytes * size, INT))
}

/** Calls `visit` with the place of each element of a box, and its number in the box, in C order. */
function forEachIndex(
  { origin, extent }: Box,
  strides: readonly number[],
  visit: (place: number, element: number) => void,
): void {
  let element = 0
  const descend = (axis: number, place: number): void => {
    const length = extent[axis]
    if (length === undefined) visit(place, element++)
    else
      for (let index = 0; index < length; index++)
        descend(axis + 1, place + ((origin[axis] ?? 0) + index) * (strides[axis] ?? 0))
  }
  descend(0, 0)
}
