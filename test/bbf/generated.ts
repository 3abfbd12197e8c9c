import { fc } from '../support/generate.ts'
import type { Model, ModelArray, Plain } from './model.ts'

const TYPES = [
  'Boolean',
  'UInt8',
  'Int32',
  'Int64',
  'Float32',
  'Float64',
  'TimestampMilliseconds',
  'String',
  'Null',
] as const
type Type = (typeof TYPES)[number]

/** Types of which an array may be, in a column of a type. */
const STORED: Readonly<Record<Type, readonly Type[]>> = {
  Boolean: ['Boolean'],
  UInt8: ['UInt8'],
  Int32: ['Int32', 'UInt8'],
  Int64: ['Int64', 'Int32', 'UInt8'],
  Float32: ['Float32', 'UInt8'],
  Float64: ['Float64', 'Float32', 'Int32', 'UInt8'],
  TimestampMilliseconds: ['TimestampMilliseconds'],
  String: ['String', 'Int32'],
  Null: ['Null'],
}

function valuesOf(type: Type): fc.Arbitrary<Plain> {
  const value: fc.Arbitrary<Plain> = {
    Boolean: fc.boolean(),
    UInt8: fc.integer({ min: 0, max: 255 }),
    Int32: fc.integer({ min: -9, max: 9 }),
    Int64: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
    Float32: fc.constantFrom(-0, 0, 0.5, 1.25, -2, Number.NaN, Number.POSITIVE_INFINITY),
    Float64: fc.constantFrom(-0, 0, 0.1, 3, -2.5, Number.NaN, 1e300),
    TimestampMilliseconds: fc.integer({ min: -1000, max: 1e12 }),
    String: fc.constantFrom('', 'a', 'grün', 'a text of more than sixteen bytes', '日本'),
    Null: fc.constant(null),
  }[type]
  return fc.option(value, { freq: 6 })
}

const DIMENSIONS = ['x', 'y', 'a dimension with a long name']

/** An array of an entry whose dimensions have these sizes. */
function arrayOf(type: Type, sizes: Readonly<Record<string, number>>): fc.Arbitrary<ModelArray | null> {
  const array = fc
    .record({
      type: fc.constantFrom(...STORED[type]),
      dimensions: fc.shuffledSubarray(DIMENSIONS),
      isOfRuns: fc.nat(4).map((number) => number === 0),
    })
    .chain(({ type, dimensions, isOfRuns }) => {
      const length = dimensions.reduce((product, name) => product * (sizes[name] ?? 1), 1)
      return fc.array(valuesOf(type), { minLength: length, maxLength: length }).map(
        (values): ModelArray => ({
          type,
          dimensions,
          values,
          isOfRuns: isOfRuns && length > 0 && type !== 'Null',
        }),
      )
    })
  return fc.option(array, { freq: 5 })
}

/** Files of up to three columns and eight entries. */
export const models: fc.Arbitrary<Model> = fc
  .array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 })
  .chain((types) => {
    const entry = fc
      .record({
        isDeleted: fc.nat(5).map((number) => number === 0),
        sizes: fc.tuple(...DIMENSIONS.map(() => fc.constantFrom(1, 2, 3, 0, 4))),
      })
      .chain(({ isDeleted, sizes }) => {
        const named = Object.fromEntries(DIMENSIONS.map((name, index) => [name, sizes[index] ?? 1]))
        return fc
          .tuple(...types.map((type) => arrayOf(type, named)))
          .map((arrays) => ({ isDeleted, sizes: named, arrays }))
      })
    return fc.record({
      columns: fc.constant(types.map((type, index) => ({ name: `${type} column ${index}`, type }))),
      entries: fc.array(entry, { maxLength: 8 }),
      groupSizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
      compressions: fc.array(fc.constantFrom('none' as const, 'zstd' as const, 'lz4' as const), {
        minLength: 1,
        maxLength: 3,
      }),
      hasIndex: fc.boolean(),
    })
  })
