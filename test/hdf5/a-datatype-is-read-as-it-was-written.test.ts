import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import {
  type Datatype,
  type IntegerType,
  readDatatype,
} from '../../src/workers/formats/hdf5/data/structures/messages/datatype.ts'
import { fc } from '../support/generate.ts'
import { offsetsOf, sizeOf, type WrittenType, writeDatatype } from './write-datatype.ts'

const SIZES = { addressBytes: 8, lengthBytes: 8 }

function read(bytes: Uint8Array): Datatype {
  return readDatatype(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), SIZES)
}

const integers = fc
  .record({ size: fc.constantFrom(1, 2, 3, 4, 8, 16), signed: fc.boolean(), big: fc.boolean() })
  .chain((type) =>
    fc
      .record({
        bits: fc.integer({ min: 1, max: type.size * 8 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ bits, share }) => ({
        class: 'integer' as const,
        ...type,
        bits,
        from: Math.floor((type.size * 8 - bits) * share),
      })),
  )

const names = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom('a', 'B', '/', ' ', 'ü', '日') })

const { type: types } = fc.letrec<{ type: WrittenType; compound: WrittenType }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    integers,
    fc.record({
      class: fc.constant('float' as const),
      size: fc.constantFrom(2 as const, 4 as const, 8 as const),
      big: fc.boolean(),
    }),
    fc.record({
      class: fc.constant('text' as const),
      size: fc.integer({ min: 1, max: 300 }),
      padding: fc.integer({ min: 0, max: 2 }),
    }),
    fc.constantFrom<WrittenType>(
      { class: 'heap_text' },
      { class: 'reference' },
      { class: 'bits' },
      { class: 'time' },
    ),
    fc.record({
      class: fc.constant('opaque' as const),
      size: fc.integer({ min: 1, max: 9 }),
      tag: fc.stringMatching(/^[a-z]{0,20}$/),
    }),
    fc.record({ class: fc.constant('list' as const), of: tie('type') }),
    fc.record({
      class: fc.constant('array' as const),
      lengths: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
      of: tie('type'),
    }),
    fc.record({
      class: fc.constant('enum' as const),
      names: fc.array(names, { maxLength: 5 }),
      of: integers,
    }),
    tie('compound'),
  ),
  compound: fc.record({
    class: fc.constant('compound' as const),
    gap: fc.integer({ min: 0, max: 3 }),
    members: fc.array(fc.record({ name: names, type: tie('type') }), { minLength: 1, maxLength: 6 }),
  }),
}))

const WHAT: Readonly<Partial<Record<WrittenType['class'], string>>> = {
  list: 'sequences',
  array: 'arrays',
  opaque: 'opaque values',
  reference: 'references',
  bits: 'bit fields',
  time: 'times of HDF5',
}

/** The number of a name: each byte is one more than that of the name before, from 126 on. */
function enumerated(index: number, { size, isSigned }: IntegerType): bigint {
  const bytes = Buffer.alloc(size, 126 + index).toString('hex')
  return isSigned ? BigInt.asIntN(8 * size, BigInt(`0x${bytes}`)) : BigInt(`0x${bytes}`)
}

/** What is read of a type. */
function expected(type: WrittenType): Datatype {
  const size = sizeOf(type)
  switch (type.class) {
    case 'integer':
      return {
        kind: 'integer',
        size,
        isSigned: type.signed,
        isBigEndian: type.big,
        bits: type.bits,
        lowestBit: type.from,
      }
    case 'float':
      return { kind: 'float', size, isBigEndian: type.big, isIeee: true }
    case 'text': {
      const storage = (['ends_at_zero', 'padded_with_zeros', 'padded_with_spaces'] as const)[type.padding]
      return { kind: 'text', size, storage: storage ?? 'heap' }
    }
    case 'heap_text':
      return { kind: 'text', size, storage: 'heap' }
    case 'enum': {
      const base = expected(type.of)
      const isWhole = base.kind === 'integer' && base.bits === 8 * size && size <= 8
      if (!isWhole) return { kind: 'other', size, what: 'enumerations' }
      const names = type.names.map((name, index) => ({ name, value: enumerated(index, base) }))
      return { kind: 'enumeration', size, base, names }
    }
    case 'compound': {
      const offsets = offsetsOf(type)
      const members = type.members.map(({ name, type: of }, index) => ({
        name,
        offset: offsets[index] ?? -1,
        type: expected(of),
      }))
      return { kind: 'compound', size, members }
    }
    default:
      return { kind: 'other', size, what: WHAT[type.class] ?? '' }
  }
}

t.test('any type, in each version', async () => {
  fc.assert(
    fc.property(types, fc.constantFrom(1 as const, 2 as const, 3 as const), (type, version) =>
      isDeepStrictEqual(read(writeDatatype(type, version)), expected(type)),
    ),
  )
})

t.test('damaged types are errors of the file', async () => {
  const damages = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(
      types,
      fc.constantFrom(1 as const, 3 as const),
      damages,
      fc.nat(),
      (type, version, bytes, cut) => {
        const damaged = writeDatatype(type, version)
        for (const [at, byte] of bytes) damaged[at % damaged.length] = byte
        for (const message of [damaged, damaged.subarray(0, cut % damaged.length)]) {
          try {
            read(message)
          } catch (error) {
            if (!isServiceError(error) || error.code !== 'unreadable_file') throw error
          }
        }
      },
    ),
    { numRuns: 500 },
  )
})

t.test('a type that cannot be is an error that says why', async (t) => {
  const refused = (bytes: Uint8Array, message: RegExp) =>
    t.throws(() => read(bytes), { code: 'unreadable_file', message })
  let nested: WrittenType = { class: 'reference' }
  for (let depth = 0; depth < 100; depth++) nested = { class: 'list', of: nested }
  refused(writeDatatype(nested, 3), /more than 32 types in each other/)
  const short = writeDatatype({ class: 'heap_text' }, 3)
  short.writeUInt32LE(4, 4)
  refused(short, /elements of variable length have 4 bytes instead of 16/)
  const outside = writeDatatype(
    { class: 'compound', gap: 0, members: [{ name: 'a', type: { class: 'text', size: 9, padding: 0 } }] },
    3,
  )
  outside.writeUInt32LE(8, 4)
  refused(outside, /member "a" of 9 bytes at 0 is not within 8 bytes/)
  const many = writeDatatype({ class: 'compound', gap: 0, members: [] }, 3)
  many.writeUInt16LE(65_535, 1)
  refused(many, /does not end/)
  const wide = writeDatatype({ class: 'integer', size: 4, signed: true, big: false, bits: 20, from: 12 }, 3)
  wide.writeUInt16LE(13, 8)
  refused(wide, /integers of 4 bytes have 20 bits from bit 13 on/)
  refused(Buffer.from([0x6c, 0, 0, 0, 1, 0, 0, 0]), /a type of version 6/)
  refused(Buffer.from([0x3c, 0, 0, 0, 1, 0, 0, 0]), /a type of class 12/)
  refused(Buffer.from([0x30, 0, 0, 0, 0, 0, 0, 0]), /no bytes/)
})

t.test('floats that are not those of IEEE 754 are told from these', async (t) => {
  const type = (change: (bytes: Buffer) => void): Datatype => {
    const bytes = writeDatatype({ class: 'float', size: 4, big: false }, 3)
    change(bytes)
    return read(bytes)
  }
  t.match(
    type(() => {}),
    { isIeee: true },
  )
  // The bias, the exponent's bits, the sign's place, the implied bit, the order of VAX, and the precision.
  t.match(
    type((bytes) => bytes.writeUInt32LE(128, 16)),
    { isIeee: false },
  )
  for (const [at, byte] of [
    [13, 7],
    [2, 30],
    [1, 0],
    [1, 0x61],
    [10, 24],
  ] as const)
    t.match(
      type((bytes) => bytes.writeUInt8(byte, at)),
      { isIeee: false },
    )
})

t.test('a member of version 1 may be an array by itself', async (t) => {
  const bytes = writeDatatype(
    { class: 'compound', gap: 0, members: [{ name: 'a', type: { class: 'reference' } }] },
    1,
  )
  // Behind the head, the name and the offset of the member: its rank, and its lengths.
  const at = 8 + 8 + 4
  bytes.writeUInt8(2, at)
  bytes.writeUInt32LE(2, at + 12)
  bytes.writeUInt32LE(3, at + 16)
  t.throws(() => read(bytes), { message: /"a" of 48 bytes at 0 is not within 8 bytes/ })
  bytes.writeUInt32LE(48, 4)
  t.same(read(bytes), {
    kind: 'compound',
    size: 48,
    members: [{ name: 'a', offset: 0, type: { kind: 'other', size: 48, what: 'arrays' } }],
  })
  bytes.writeUInt8(5, at)
  t.throws(() => read(bytes), { message: /a member has 5 dimensions/ })
})
