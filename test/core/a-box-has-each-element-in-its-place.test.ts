import assert from 'node:assert/strict'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { BoxDecoding, BoxElement, BoxSlab, BoxSpec } from '../../src/wasm/core/boxes/box-column.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { fc } from '../support/generate.ts'
import { elementAt, positions, rowsOf, type Stored, slabOf, typeOf, widthOf } from './box-oracle.ts'
import { valuesOf } from './columns.ts'

const core = createCore({ maximumBytes: 64 << 20 })

type NumberElement = Extract<BoxElement, { kind: 'int' | 'float' }>

const NUMBERS: readonly NumberElement[] = [
  ...([8, 16, 32, 64] as const).flatMap((bits) =>
    [true, false].map((signed) => ({ kind: 'int', bits, signed }) as const),
  ),
  ...([16, 32, 64] as const).map((bits) => ({ kind: 'float', bits }) as const),
]

const DAY = 86_400_000_000_000n

const decodings: fc.Arbitrary<BoxDecoding> = fc.oneof(
  fc.constant<BoxDecoding>({ kind: 'stored' }),
  fc.record({
    kind: fc.constant('scaled' as const),
    scale: fc.option(fc.double()),
    offset: fc.option(fc.double()),
    bits: fc.constantFrom(32 as const, 64 as const),
    isNanNull: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('instants' as const),
    unit: fc.constantFrom(1n, 1_000n, 1_000_000_000n, 3_600_000_000_000n, DAY),
    epoch: fc.constantFrom(0n, -719_162n * DAY, 10_957n * DAY + 1n, -(2n ** 63n), 2n ** 63n),
    calendar: fc.constant('gregorian' as const),
    floats: fc.constant('nanoseconds' as const),
  }),
)

/** A box of up to four axes, an array along some of them in any order, and where the box lies in it. */
const places = fc
  .record({ shape: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }), rank: fc.nat(4) })
  .chain(({ shape, rank }) =>
    fc.record({
      shape: fc.constant(shape),
      axes: fc.shuffledSubarray([...shape.keys()], {
        minLength: Math.min(rank, shape.length),
        maxLength: Math.min(rank, shape.length),
      }),
      before: fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
      after: fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
      chunk: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 4, maxLength: 4 }),
    }),
  )

const forms = fc.record({
  isBigEndian: fc.boolean(),
  isShuffled: fc.boolean(),
  gap: fc.constantFrom(0, 0, 3),
  offset: fc.constantFrom(0, 0, 5),
})

/** Bytes among which equal elements, zeros and NaNs are frequent. */
const bytesOf = (length: number, seed: number) => {
  const some = [0, 0, 0, 0x80, 0x7f, 0xc0, 0xff, 0x3f]
  let state = seed | 1
  return Uint8Array.from({ length }, (_, i) => {
    state = Math.imul(state, 1_103_515_245) + 12_345
    const random = (state >>> 16) & 0xff
    return random % 3 === 0 ? random : (some[(i + random) % 8] ?? 0)
  })
}

t.test('numbers, characters and booleans', async (t) => {
  const property = fc.property(
    places,
    forms,
    fc.constantFrom<Stored['element']>(...NUMBERS, { kind: 'char' }, { kind: 'bool' }),
    decodings,
    fc.nat(),
    fc.boolean(),
    ({ shape, axes, before, after, chunk }, form, element, decoding, seed, hasFills) => {
      const origin = axes.map((_, i) => before[i] ?? 0)
      const extent = axes.map((axis, i) => (shape[axis] ?? 0) + (before[i] ?? 0) + (after[i] ?? 0))
      const elements = extent.reduce((product, length) => product * length, 1)
      const stored: Stored = { extent, element, bytes: bytesOf(elements * widthOf(element), seed) }
      const spec: BoxSpec = {
        shape,
        axes,
        origin,
        element,
        decoding: element.kind === 'char' || element.kind === 'bool' ? { kind: 'stored' } : decoding,
        fills: hasFills && elements > 0 ? fillsOf(stored) : [],
      }
      check(
        spec,
        stored,
        chunksOf(stored, chunk.slice(0, axes.length)).map((box) =>
          slabOf(stored, box.origin, box.extent, form),
        ),
      )
    },
  )
  t.doesNotThrow(() => fc.assert(property, { numRuns: 400 }))
})

t.test('boxes one after the other are one column', async (t) => {
  const elements = fc.constantFrom<Stored['element']>(...NUMBERS, { kind: 'char' }, { kind: 'bool' })
  const property = fc.property(
    fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 3 }).chain((shape) =>
      fc.record({
        shape: fc.constant(shape),
        axes: fc.shuffledSubarray([...shape.keys()], { minLength: shape.length }),
        block: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 3 }),
        chunk: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 4, maxLength: 4 }),
        length: fc.option(fc.integer({ min: 0, max: 4 })),
      }),
    ),
    forms,
    elements,
    decodings,
    fc.nat(),
    ({ shape, axes, block, chunk, length }, form, numbers, decoding, seed) => {
      const isJoined = length !== null
      const element: Stored['element'] = isJoined ? { kind: 'char' } : numbers
      const extent = [...axes.map((axis) => shape[axis] ?? 0), ...(isJoined ? [length] : [])]
      const stored: Stored = {
        extent,
        element,
        bytes: bytesOf(extent.reduce((all, each) => all * each, 1) * widthOf(element), seed),
      }
      const isPlain = element.kind === 'char' || element.kind === 'bool'
      const spec = {
        axes,
        element,
        decoding: isJoined
          ? ({ kind: 'joined', length } as const)
          : isPlain
            ? ({ kind: 'stored' } as const)
            : decoding,
        fills: isPlain || stored.bytes.length === 0 ? [] : fillsOf(stored),
      }
      const slabs = chunksOf(stored, chunk.slice(0, extent.length)).map((box) =>
        slabOf(stored, box.origin, box.extent, form),
      )
      const counts = shape.map((rows, axis) => Math.ceil(rows / (block[axis] ?? 1)))
      const blocks = positions(counts).map((at) => {
        const from = at.map((number, axis) => number * (block[axis] ?? 1))
        const rows = shape.map((all, axis) => Math.min(block[axis] ?? 1, all - (from[axis] ?? 0)))
        return { shape: rows, origin: [...axes.map((axis) => from[axis] ?? 0), ...(isJoined ? [0] : [])] }
      })
      const expected = blocks.flatMap((each) => rowsOf(stored, { ...spec, ...each }))
      const rows = shape.reduce((all, each) => all * each, 1)
      for (const inCore of [false, true]) {
        const given = blocks.map((each) => ({ ...each, slabs: inCore ? inflatedInCore(slabs) : slabs }))
        const column = core.blocksColumn(spec, rows, given)
        const values = valuesOf(core, column, typeOf({ ...spec, shape: [rows], origin: [0] }))
        core.free(column)
        assert.deepEqual(values, expected)
      }
    },
  )
  t.doesNotThrow(() => fc.assert(property, { numRuns: 300 }))
})

t.test('what was made of boxes is freed if the reader of one fails', async (t) => {
  const element = { kind: 'int', bits: 32, signed: true } as const
  const spec = { axes: [0], element, decoding: { kind: 'stored' }, fills: [] } as const
  function* slabs(): Generator<BoxSlab> {
    yield { kind: 'repeated', origin: [0], extent: [100], bytes: Uint8Array.of(1, 0, 0, 0) }
    throw new RangeError('of one')
  }
  const used = core.usedBytes()
  const block = { shape: [100], origin: [0], slabs: [] }
  t.throws(() => core.blocksColumn(spec, 200, [{ ...block, slabs: slabs() }, block]), /of one/)
  t.throws(() => core.blocksColumn(spec, 200, [block]), { code: 'unreadable_file' })
  t.equal(core.usedBytes(), used)
})

t.test('a slab that has all elements of the box, and no others', async (t) => {
  const form = { isBigEndian: false, isShuffled: false, gap: 0, offset: 0 }
  const property = fc.property(
    places,
    fc.constantFrom(...NUMBERS),
    decodings,
    fc.nat(),
    fc.constantFrom('none', 'nan', 'some'),
    ({ shape, before }, element, decoding, seed, which) => {
      const axes = [...shape.keys()]
      const origin = axes.map((axis) => before[axis] ?? 0)
      const extent = shape.map((length, axis) => length + (origin[axis] ?? 0))
      const elements = extent.reduce((product, length) => product * length, 1)
      const stored: Stored = { extent, element, bytes: bytesOf(elements * widthOf(element), seed) }
      const some = which === 'some' && elements > 0 ? fillsOf(stored) : []
      const fills: Scalar[] = which === 'nan' ? [{ kind: 'float', value: Number.NaN }] : some
      check({ shape, axes, origin, element, decoding, fills }, stored, [slabOf(stored, origin, shape, form)])
    },
  )
  t.doesNotThrow(() => fc.assert(property, { numRuns: 200 }))
})

t.test('a column of such a slab is freed if its reader fails behind it', async (t) => {
  const element = { kind: 'int', bits: 32, signed: true } as const
  const spec: BoxSpec = {
    shape: [100],
    axes: [0],
    origin: [0],
    element,
    decoding: { kind: 'stored' },
    fills: [],
  }
  function* slabs(): Generator<BoxSlab> {
    const order = { isBigEndian: false, isShuffled: false, stride: 4, offset: 0 }
    yield { kind: 'elements', origin: [0], extent: [100], bytes: new Uint8Array(400), ...order }
    throw new RangeError('behind it')
  }
  const used = core.usedBytes()
  t.throws(() => core.boxColumn(spec, slabs()), /behind it/)
  t.equal(core.usedBytes(), used)
})

t.test('characters along the last dimension are one text', async (t) => {
  const property = fc.property(
    places,
    forms,
    fc.integer({ min: 0, max: 6 }),
    fc.nat(),
    ({ shape, axes, before, chunk }, form, length, seed) => {
      const extent = [...axes.map((axis, i) => (shape[axis] ?? 0) + (before[i] ?? 0)), length]
      const elements = extent.reduce((product, length) => product * length, 1)
      const letters = Buffer.from('ab \0\t\xff\xc3\xa9', 'latin1')
      const bytes = bytesOf(elements, seed).map((byte) => letters[byte % letters.length] ?? 0)
      const stored: Stored = { extent, element: { kind: 'char' }, bytes }
      const spec: BoxSpec = {
        shape,
        axes,
        origin: [...axes.map((_, i) => before[i] ?? 0), 0],
        element: stored.element,
        decoding: { kind: 'joined', length },
        fills: [{ kind: 'bytes', value: new Uint8Array(Buffer.from('a')) }],
      }
      check(
        spec,
        stored,
        chunksOf(stored, [...chunk.slice(0, axes.length), chunk[3] ?? 1]).map((box) =>
          slabOf(stored, box.origin, box.extent, form),
        ),
      )
    },
  )
  t.doesNotThrow(() => fc.assert(property, { numRuns: 200 }))
})

t.test('texts and bytes of any length', async (t) => {
  const words = ['', 'a', 'Ωmega', 'a long text of more than twelve bytes', '2'].map((word) =>
    Buffer.from(word),
  )
  // The last one is no UTF-8, so as text it is another one.
  const all = [...words, Buffer.of(0x61, 0xff)]
  const asText = (bytes: Buffer): Buffer => Buffer.from(bytes.toString('utf8'))
  const kinds = fc.constantFrom('text' as const, 'bytes' as const)
  const property = fc.property(places, fc.nat(), kinds, ({ shape, axes, chunk }, seed, kind) => {
    const extent = axes.map((axis) => shape[axis] ?? 0)
    const elements = extent.reduce((product, length) => product * length, 1)
    const stored: Stored = { extent, element: { kind: 'char' }, bytes: bytesOf(elements, seed) }
    const wordAt = (position: readonly number[]) =>
      all[(elementAt(stored, position)[0] ?? 0) % all.length] ?? Buffer.alloc(0)
    const slabs = chunksOf(stored, chunk.slice(0, axes.length)).map((box): BoxSlab => {
      const inside = positions(box.extent).map((local) => {
        const position = local.map((index, i) => index + (box.origin[i] ?? 0))
        const isInside = position.every((index, i) => index < (extent[i] ?? 0))
        return isInside ? wordAt(position) : Buffer.from('outside')
      })
      const ends = inside.map((_, i) => Buffer.concat(inside.slice(0, i + 1)).length)
      const offsets = Int32Array.from([0, ...ends])
      return { kind: 'texts', ...box, offsets, bytes: new Uint8Array(Buffer.concat(inside)) }
    })
    const spec: BoxSpec = {
      shape,
      axes,
      origin: axes.map(() => 0),
      element: { kind },
      decoding: { kind: 'stored' },
      fills: [text('2')],
    }
    const expected = positions(shape).map((row) => {
      const word = wordAt(axes.map((axis) => row[axis] ?? 0))
      if (word.toString('latin1') === '2') return null
      return { kind: 'bytes', value: new Uint8Array(kind === 'text' ? asText(word) : word) }
    })
    const column = core.boxColumn(spec, slabs)
    const values = valuesOf(core, column, kind === 'text' ? { kind: 'utf8' } : { kind: 'binary' })
    core.free(column)
    assert.deepEqual(values, expected)
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 200 }))
})

function text(value: string): Scalar {
  return { kind: 'bytes', value: new Uint8Array(Buffer.from(value)) }
}

/** The array in chunks of this shape, the last ones of which may exceed it. */
function chunksOf(
  stored: Stored,
  chunk: readonly number[],
): { origin: number[]; extent: readonly number[] }[] {
  const counts = stored.extent.map((length, i) => Math.ceil(length / (chunk[i] ?? 1)))
  return positions(counts).map((number) => ({
    origin: number.map((at, i) => at * (chunk[i] ?? 1)),
    extent: chunk,
  }))
}

/** The first element, NaN and a number. */
function fillsOf(stored: Stored): Scalar[] {
  const { element } = stored
  const origin =
    element.kind === 'char'
      ? text('\x7f')
      : rowsOf(stored, {
          shape: [],
          axes: [],
          origin: stored.extent.map(() => 0),
          element,
          decoding: { kind: 'stored' },
          fills: [],
        })[0]
  const others: Scalar[] = [
    { kind: 'float', value: Number.NaN },
    { kind: 'float', value: 0 },
    { kind: 'float', value: 1e300 },
    { kind: 'int', value: 127n },
    { kind: 'int', value: 2n ** 70n },
  ]
  return origin === undefined || origin === null ? others : [origin, ...others]
}

function check(spec: BoxSpec, stored: Stored, slabs: readonly BoxSlab[]): void {
  const expected = rowsOf(stored, spec)
  for (const form of [slabs, inflatedInCore(slabs)]) {
    const column = core.boxColumn(spec, form)
    const values = valuesOf(core, column, typeOf(spec))
    core.free(column)
    assert.deepEqual(values, expected)
  }
}

/** The slabs, every other one with its bytes in the core. */
function* inflatedInCore(slabs: readonly BoxSlab[]): Iterable<BoxSlab> {
  for (const [index, slab] of slabs.entries())
    if (slab.kind !== 'elements' || index % 2 === 1) yield slab
    else
      yield { ...slab, kind: 'inflated', bytes: core.inflateZlib(deflateSync(slab.bytes), slab.bytes.length) }
}
