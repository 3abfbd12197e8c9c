import t from 'tap'
import type { Attribute, Box } from '../../src/workers/formats/arrays/array-file.ts'
import { memorySource } from '../formats/source.ts'
import { fc, generator } from '../support/generate.ts'
import { arrayOf, elementsOf, open } from './open.ts'
import { type ClassicAttribute, type ClassicFile, TYPE_BYTES, writeClassic } from './write-classic.ts'

const NAMES = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom('a', 'b', 'time', 'grün', '日本', 'a b', 'x.y', '_', 'Z9'),
    fc.string({ minLength: 1, maxLength: 9, unit: 'grapheme-ascii' }),
  ),
  { minLength: 6, maxLength: 6 },
)

/** Stored bytes of so many elements. */
function stored(type: number, elements: number, random: (below: number) => number): Uint8Array {
  return Uint8Array.from({ length: elements * (TYPE_BYTES[type] ?? 1) }, () => random(256))
}

/** A file of any version: its dimensions, variables and attributes, and all of their values. */
const FILES = fc
  .record({
    version: fc.constantFrom(1 as const, 2 as const, 5 as const),
    names: fc.tuple(NAMES, NAMES, NAMES),
    sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
    unlimited: fc.option(fc.nat({ max: 3 })),
    records: fc.nat({ max: 5 }),
    isStream: fc.boolean(),
    gap: fc.constantFrom(0, 4, 512),
    variables: fc.array(
      fc.record({
        type: fc.integer({ min: 1, max: 11 }),
        dimensions: fc.array(fc.nat({ max: 3 }), { maxLength: 4 }),
        isInRecords: fc.boolean(),
        attributes: fc.nat({ max: 3 }),
      }),
      { maxLength: 6 },
    ),
    seed: fc.string({ minLength: 1, maxLength: 4 }),
  })
  .map((made): ClassicFile => {
    const { version, names, gap } = made
    const random = generator(made.seed)
    const typeOf = (type: number): number => (version === 5 ? type : 1 + (type % 6))
    const unlimited = made.unlimited === null ? -1 : made.unlimited % made.sizes.length
    const dimensions = made.sizes.map((size, index) => ({
      name: names[0][index] ?? '',
      size: index === unlimited ? 0 : size,
    }))
    const attributes = (count: number): ClassicAttribute[] =>
      names[1].slice(0, count).map((name) => {
        const type = typeOf(1 + random(11))
        return { name, type, bytes: stored(type, random(5), random) }
      })
    const variables = made.variables.map((variable, index) => {
      const type = typeOf(variable.type)
      const inner = variable.dimensions
        .map((each) => each % dimensions.length)
        .filter((each) => each !== unlimited)
      const own = variable.isInRecords && unlimited >= 0 ? [unlimited, ...inner] : inner
      const elements = own.reduce((product, each) => product * (dimensions[each]?.size || made.records), 1)
      return {
        name: names[2][index] ?? '',
        dimensions: own,
        type,
        attributes: attributes(variable.attributes),
        bytes: stored(type, elements, random),
      }
    })
    // Without a variable that has records, a stream does not tell how many there are.
    const isStream = made.isStream && variables.some(({ dimensions: [first] }) => first === unlimited)
    return { version, records: made.records, isStream, gap, dimensions, attributes: attributes(3), variables }
  })

t.test('files of all three versions', async () => {
  fc.assert(
    fc.property(FILES, fc.string({ minLength: 1, maxLength: 4 }), (defined, seed) => {
      const random = generator(seed)
      const store = memorySource(writeClassic(defined), 'any.nc')
      const file = open(store)
      const sizeOf = (index: number): number => defined.dimensions[index]?.size || defined.records
      t.strictSame(
        file.arrays.map(({ name }) => name),
        defined.variables
          .map(({ name }) => name)
          .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      )
      t.strictSame(valuesOf(file.attributes), expectedOf(defined.attributes, '.'))
      for (const { name, type, dimensions, attributes, bytes } of defined.variables) {
        const array = arrayOf(file, name)
        const shape = dimensions.map(sizeOf)
        t.strictSame(
          array.dimensions,
          dimensions.map((index) => ({
            name: defined.dimensions[index]?.name,
            size: sizeOf(index),
            isInvented: false,
          })),
        )
        t.strictSame(valuesOf(array.attributes), expectedOf(attributes, ''))
        t.strictSame(elementsOf(store, file, array), Buffer.from(bytes), name)
        t.equal(array.storedBytes, bytes.length)
        for (let round = 0; round < 3 && !shape.includes(0); round++) {
          const box = randomBox(shape, random)
          t.strictSame(elementsOf(store, file, array, box), boxOf(bytes, TYPE_BYTES[type] ?? 1, shape, box))
        }
      }
    }),
    { numRuns: 300 },
  )
})

function randomBox(shape: readonly number[], random: (below: number) => number): Box {
  const origin = shape.map((size) => random(size))
  return { origin, extent: shape.map((size, axis) => random(size - (origin[axis] ?? 0) + 1)) }
}

/** The elements of a box, out of those of an array. */
function boxOf(bytes: Uint8Array, width: number, shape: readonly number[], { origin, extent }: Box): Buffer {
  const places = extent.reduce<number[]>(
    (all, length, axis) =>
      all.flatMap((place) =>
        Array.from({ length }, (_, index) => place * (shape[axis] ?? 1) + (origin[axis] ?? 0) + index),
      ),
    [0],
  )
  return Buffer.concat(places.map((place) => bytes.subarray(place * width, (place + 1) * width)))
}

/** Names and values, numbers as texts that tell -0 and NaN apart. */
function valuesOf(attributes: readonly Attribute[]): unknown[] {
  return attributes.map(({ name, value }) => [
    name,
    value.kind === 'numbers' ? value.values.map(textOf) : value.kind === 'text' ? value.value : value.kind,
  ])
}

function expectedOf(attributes: readonly ClassicAttribute[], prefix: string): unknown[] {
  return attributes.flatMap(({ name, type, bytes }) => {
    if (type === 2) return [[prefix + name, Buffer.from(bytes).toString().replaceAll('\0', '')]]
    const width = TYPE_BYTES[type] ?? 1
    const values = Array.from({ length: bytes.length / width }, (_, index) =>
      textOf(numberOf(type, Buffer.from(bytes.subarray(index * width, (index + 1) * width)))),
    )
    return values.length === 0 ? [] : [[prefix + name, values]]
  })
}

function numberOf(type: number, bytes: Buffer): number | bigint {
  if (type === 5) return bytes.readFloatBE()
  if (type === 6) return bytes.readDoubleBE()
  const bits = BigInt(`0x${bytes.toString('hex')}`)
  const value = type < 6 || type === 10 ? BigInt.asIntN(8 * bytes.length, bits) : bits
  return bytes.length === 8 ? value : Number(value)
}

function textOf(value: number | bigint): string {
  return Object.is(value, -0) ? '-0' : `${typeof value} ${value}`
}
