import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { fileMetaData, pageHeader } from '../../src/workers/formats/parquet/metadata/metadata.ts'
import {
  binary,
  bool,
  decode,
  encode,
  i32,
  i64,
  list,
  struct,
  utf8,
} from '../../src/workers/formats/parquet/metadata/thrift.ts'
import { fc } from '../support/generate.ts'

const inner = struct({ flag: [1, bool], far: [100, i32] }, { text: [2, utf8] })
const outer = struct(
  { count: [1, i64], items: [3, list(inner)] },
  { bytes: [4, binary], flags: [5, list(bool)], numbers: [20, list(i32)], flag: [21, bool] },
)

t.test('what is written is read back', async (t) => {
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
  const items = fc.array(
    fc.record({ flag: fc.boolean(), far: fc.integer(), text: optional(fc.string({ unit: 'grapheme' })) }),
    { maxLength: 20 },
  )
  const value = fc.record({
    count: fc.integer({ min: -(2 ** 52), max: 2 ** 52 - 1 }),
    items,
    bytes: optional(fc.uint8Array()),
    flags: optional(fc.array(fc.boolean())),
    numbers: optional(fc.array(fc.integer(), { maxLength: 40 })),
    flag: optional(fc.boolean()),
  })
  const present = (object: object): object => JSON.parse(JSON.stringify(object))
  fc.assert(
    fc.property(value, (each) => {
      t.same(present(decode(outer, encode(outer, each as never))), present(each))
    }),
    { numRuns: 200 },
  )
})

t.test('any bytes are a value or a clear error', async (t) => {
  let errors = 0
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom(outer, fileMetaData, pageHeader),
      (bytes, codec) => {
        try {
          decode<unknown>(codec, bytes)
        } catch (error) {
          errors++
          if (!isServiceError(error) || error.code !== 'unreadable_file') throw error
        }
      },
    ),
    { numRuns: 5000 },
  )
  t.ok(errors > 0)
})

t.test('an optional field of another type is passed over, as by generated readers', async (t) => {
  const [count, items, end] = [[0x16, 14], [0x29, 0x0c], 0] as const
  const other: readonly (readonly [name: string, bytes: readonly number[]])[] = [
    ['a list for bytes', [0x19, 0x25, 2, 4]],
    ['a number for bytes', [0x15, 2]],
    ['bytes for a list', [0x28, 2, 7, 7]],
    ['a set for a list', [0x2a, 0x25, 2, 4]],
    ['a struct for numbers, by its long form', [0x0c, 40, 0x15, 2, 0]],
    ['a map for a boolean', [0x0b, 42, 1, 0x55, 2, 4]],
    ['a byte for a boolean', [0x03, 42, 1]],
    ['a boolean for bytes', [0x11]],
  ]
  for (const [name, bytes] of other) {
    const read = decode(outer, Uint8Array.from([...count, ...items, ...bytes, end]))
    t.same(read, { count: 7, items: [] }, name)
  }
  // The field after it is read as usual.
  const flag = [0x19, 0x15, 2, 0x01, 42]
  t.same(decode(outer, Uint8Array.from([...count, ...items, ...flag, end])).flag, true)
  for (const bytes of [[0x19, 0xf5, 0xff, 0xff, 0x7f], [0x1d], Array(4096).fill(0x1c)])
    t.throws(() => decode(outer, Uint8Array.from([...count, ...items, ...bytes])), {
      code: 'unreadable_file',
    })
})

const refused: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['a length beyond the bytes', [0x48, 0xff, 0xff, 0xff, 0x7f]],
  ['a list longer than the bytes', [0x16, 2, 0x29, 0xfc, 0xff, 0xff, 0xff, 0x0f]],
  ['a list of another type', [0x16, 2, 0x29, 0x15, 2, 0]],
  ['a field of another type', [0x18, 0]],
  ['an integer of 80 bits', [0x16, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]],
  ['a required field left out', [0]],
  ['unknown structs without end', Array(4096).fill(0x6c)],
  ['unknown lists without end', [0x69, ...Array(4096).fill(0x19)]],
  ['a type that does not exist', [0x6d]],
]
for (const [name, bytes] of refused) {
  t.test(name, async (t) => {
    t.throws(() => decode(outer, Uint8Array.from(bytes)), { code: 'unreadable_file' })
  })
}
