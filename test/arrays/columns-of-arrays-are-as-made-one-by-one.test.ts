/** The columns that the core makes of boxes of arrays, against columns that are made element by element in JavaScript. */
import assert from 'node:assert/strict'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import type { Attribute, Box, ElementType, Slab } from '../../src/workers/formats/arrays/array-file.ts'
import type { GridBox } from '../../src/workers/formats/arrays/box/box-spec.ts'
import { readArray } from '../../src/workers/formats/arrays/box/read-array.ts'
import { isTextDimension } from '../../src/workers/formats/arrays/cf/text.ts'
import { arrayColumn } from '../../src/workers/formats/arrays/columns.ts'
import { type Form, positions, type Stored, slabOf, widthOf } from '../core/box-oracle.ts'
import { valuesOf } from '../core/columns.ts'
import { fc } from '../support/generate.ts'
import { attribute, readingOf, storedArray } from './memory-arrays.ts'
import { readArraySlowly } from './oracle/read-array.ts'

const core = createCore({ maximumBytes: 64 << 20 })

const AXES = ['a', 'b', 'c', 'd'] as const

/** A box of a grid of up to four axes, and the dimensions of an array along some of them, of which some have one index. */
const boxes = fc
  .array(fc.record({ size: fc.integer({ min: 1, max: 5 }), isOne: fc.boolean() }), { maxLength: 4 })
  .chain((axes) =>
    fc.record({
      box: fc.tuple(...axes.map(({ size }) => fc.tuple(fc.nat(size - 1), fc.nat(size)))).map(
        (ranges): GridBox => ({
          names: AXES.slice(0, axes.length),
          origin: ranges.map(([from]) => from),
          extent: ranges.map(([from, length], axis) => Math.min(length, (axes[axis]?.size ?? 0) - from)),
        }),
      ),
      dimensions: fc
        .shuffledSubarray([...axes.keys()])
        .map((own) =>
          own.map((axis): [string, number] => [
            AXES[axis] ?? 'a',
            axes[axis]?.isOne ? 1 : (axes[axis]?.size ?? 1),
          ]),
        ),
      chunk: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 5, maxLength: 5 }),
      form: fc.record({
        isBigEndian: fc.boolean(),
        isShuffled: fc.boolean(),
        gap: fc.constantFrom(0, 0, 3),
        offset: fc.constantFrom(0, 0, 5),
      }),
      seed: fc.nat(),
    }),
  )

type Generated = typeof boxes extends fc.Arbitrary<infer T> ? T : never

const LETTERS = Buffer.from('ab \0\t\xff\xc3\xa9\xe2\x82', 'latin1')

t.test('characters are texts of one character', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(boxes, fc.constantFrom('', 'a', ' '), (generated, fill) => {
        checkElements(generated, { kind: 'char' }, generated.dimensions, fills(fill), LETTERS)
      }),
      { numRuns: 150 },
    ),
  )
})

t.test('characters along a dimension of texts are whole texts', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(boxes, fc.nat(6), fc.constantFrom('', 'a', 'ab ', '  '), (generated, length, fill) => {
        const dimensions = [...generated.dimensions, ['STRING6', length] as const]
        checkElements(generated, { kind: 'char' }, dimensions, fills(fill), LETTERS)
      }),
      { numRuns: 150 },
    ),
  )
})

t.test('texts of any length, also one that is everywhere', async (t) => {
  const texts = ['', 'a', 'Ωmega', 'more than twelve bytes', '\xff', 'a\xc3b'].map((each) =>
    Buffer.from(each, each.includes('\xff') || each.includes('\xc3') ? 'latin1' : 'utf8'),
  )
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(boxes, fc.constantFrom('', 'a', 'Ωmega'), fc.boolean(), (generated, fill, isRepeated) => {
        const { box, dimensions, chunk, seed } = generated
        const array = storedArray({ kind: 'text' }, dimensions, fills(fill))
        const all = dimensions.map(([, size]) => size)
        const slabsOf = () =>
          chunksOf(all, chunk).map((chunk): Slab => {
            const [one = Buffer.alloc(0)] = texts.slice(seed % texts.length)
            if (isRepeated) return { kind: 'repeated', ...chunk, bytes: one }
            const inside = positions(chunk.extent).map((position, index) => {
              const place = position.reduce(
                (sum, each, at) => 7 * sum + each + (chunk.origin[at] ?? 0),
                index * 0,
              )
              return texts[(place + seed) % texts.length] ?? one
            })
            const offsets = inside.map((_, index) => Buffer.concat(inside.slice(0, index + 1)).length)
            return {
              kind: 'texts',
              ...chunk,
              offsets: Int32Array.from([0, ...offsets]),
              bytes: Buffer.concat(inside),
            }
          })
        check(array, box, slabsOf)
      }),
      { numRuns: 150 },
    ),
  )
})

const NUMBERS: readonly Extract<ElementType, { kind: 'int' | 'float' }>[] = [
  ...([8, 16, 32, 64] as const).flatMap((bits) =>
    [true, false].map((signed) => ({ kind: 'int', bits, signed }) as const),
  ),
  ...([16, 32, 64] as const).map((bits) => ({ kind: 'float', bits }) as const),
]

const SINGLE = { kind: 'float', bits: 32 } as const

const BYTES = Uint8Array.of(0, 0, 0, 0x80, 0x7f, 0xc0, 0xff, 0x3f, 1)

t.test('numbers, packed or not, with fill values', async (t) => {
  const attributes = fc.tuple(
    fc.constantFrom<readonly Attribute[]>(
      [],
      [attribute('_FillValue', 0)],
      [attribute('_FillValue', Number.NaN), attribute('missing_value', -1)],
    ),
    fc.constantFrom<readonly Attribute[]>(
      [],
      [attribute('scale_factor', 0.1)],
      [attribute('scale_factor', Math.fround(0.1), SINGLE)],
      [
        attribute('scale_factor', Math.fround(0.1), SINGLE),
        attribute('add_offset', Math.fround(273.15), SINGLE),
      ],
      [attribute('scale_factor', Math.fround(0.1), SINGLE), attribute('add_offset', 273.15)],
      [attribute('scale_factor', Number.POSITIVE_INFINITY)],
      [attribute('add_offset', -273.15)],
      [attribute('scale_factor', 2), attribute('add_offset', 0)],
    ),
    fc.constantFrom<readonly Attribute[]>(
      [],
      [attribute('_Unsigned', 'true')],
      [attribute('_Unsigned', 'false')],
    ),
  )
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        boxes,
        fc.constantFrom(...NUMBERS),
        attributes,
        fc.boolean(),
        (generated, element, own, isNanNull) => {
          checkElements(generated, element, generated.dimensions, own.flat(), BYTES, isNanNull)
        },
      ),
      { numRuns: 300 },
    ),
  )
})

t.test('times of every unit and calendar', async (t) => {
  const units = fc
    .tuple(
      fc.constantFrom('nanoseconds', 'microseconds', 'ms', 'seconds', 'minutes', 'hours', 'days', 'weeks'),
      fc.constantFrom(
        '1970-01-01',
        '2000-01-01 12:00',
        '0001-01-01',
        '1850-1-1',
        '1582-10-15',
        '-4712-01-01',
      ),
    )
    .map(([unit, epoch]) => `${unit} since ${epoch}`)
  const calendars = fc.constantFrom('standard', 'proleptic_gregorian', 'julian', 'noleap')
  const second = fc.integer({ min: -200_000, max: 200_000 })
  const counts = fc.oneof(
    fc.double(),
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.double({ min: -1e6, max: 1e6 }),
    // Beside whole seconds of the day, and in the middle of two microseconds.
    fc
      .tuple(second, fc.constantFrom(1e-6, -1e-6, 1.4e-6, -0.6e-6, 0.5e-6, 0))
      .map(([s, more]) => (s + more) / 86_400),
    fc.tuple(second, fc.constantFrom(1, -1, 0.5, 1.5)).map(([s, us]) => s + us / 1e6),
  )
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        fc.constantFrom(...NUMBERS),
        fc.array(counts, { minLength: 1, maxLength: 20 }),
        units,
        calendars,
        (element, values, unit, calendar) => {
          const bytes = bytesOf(element, values)
          const array = storedArray(
            element,
            [['a', values.length]],
            [attribute('units', unit), attribute('calendar', calendar)],
          )
          const stored: Stored = { extent: [values.length], element, bytes }
          const box = { names: ['a'], origin: [0], extent: [values.length] }
          check(array, box, () => [slabOf(stored, [0], [values.length], PLAIN)])
        },
      ),
      { numRuns: 600 },
    ),
  )
})

const PLAIN: Form = { isBigEndian: false, isShuffled: false, gap: 0, offset: 0 }

function bytesOf({ kind, ...element }: (typeof NUMBERS)[number], values: readonly number[]): Uint8Array {
  const width = element.bits / 8
  const view = new DataView(new ArrayBuffer(values.length * width))
  for (const [index, value] of values.entries()) {
    if (kind === 'float' && width === 8) view.setFloat64(index * 8, value, true)
    else if (kind === 'float' && width === 4) view.setFloat32(index * 4, value, true)
    else {
      const whole = BigInt(Math.trunc(Math.max(-1e20, Math.min(1e20, value || 0))))
      for (let byte = 0; byte < width; byte++)
        view.setUint8(index * width + byte, Number((whole >> BigInt(8 * byte)) & 0xffn))
    }
  }
  return new Uint8Array(view.buffer)
}

function fills(text: string): readonly Attribute[] {
  return text === '' ? [] : [attribute('_FillValue', text)]
}

/** Checks an array of elements of some of these bytes. */
function checkElements(
  { box, chunk, form, seed }: Generated,
  element: Stored['element'],
  dimensions: readonly (readonly [string, number])[],
  attributes: readonly Attribute[],
  among: Uint8Array,
  isNanNull = true,
): void {
  const extent = dimensions.map(([, size]) => size)
  const length = extent.reduce((all, size) => all * size, widthOf(element))
  let state = seed | 1
  const bytes = Uint8Array.from({ length }, () => {
    state = Math.imul(state, 1_103_515_245) + 12_345
    return among[((state >>> 16) & 0xff) % among.length] ?? 0
  })
  const stored: Stored = { extent, element, bytes }
  const slabsOf = (): readonly Slab[] =>
    chunksOf(extent, chunk).map((each) => slabOf(stored, each.origin, each.extent, form))
  check(storedArray(element, dimensions, attributes), box, slabsOf, isNanNull)
}

/** The chunks of an array, the last ones of which may exceed it. */
function chunksOf(extent: readonly number[], chunk: readonly number[]): Box[] {
  const shape = extent.map((_, at) => chunk[at] ?? 1)
  const counts = extent.map((length, at) => Math.ceil(length / (shape[at] ?? 1)))
  return positions(counts).map((number) => ({
    origin: number.map((at, axis) => at * (shape[axis] ?? 1)),
    extent: shape,
  }))
}

function check(
  array: ReturnType<typeof storedArray>,
  box: GridBox,
  slabsOf: () => readonly Slab[],
  isNanNull = true,
): void {
  const column = arrayColumn(array, {
    attributes: array.attributes,
    isWholeText: isTextDimension(array.dimensions.at(-1)),
    isNanNull,
  })
  const type = column.type.kind === 'dictionary' ? column.type.value : column.type
  const made = readArray(readingOf(core, array, slabsOf), column, box)
  const slow = readArraySlowly(core, column, box, (stored) => (stored.extent.includes(0) ? [] : slabsOf()))
  const [values, expected] = [made, slow].map((each) => valuesOf(core, each, type))
  for (const each of [made, slow]) core.free(each)
  assert.deepEqual(values, expected)
}
