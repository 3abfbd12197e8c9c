import t from 'tap'
import type { ArrayFile, Slab, StoredArray } from '../../src/workers/formats/arrays/array-file.ts'
import { withOptodas } from '../../src/workers/formats/hdf5/conventions/optodas.ts'
import { context, storeOf } from './datasets.ts'

type Values = number | readonly number[] | readonly string[]

/** `data` of 3 × 1, and what describes it. */
const DESCRIBED: Readonly<Record<string, Values>> = Object.freeze({
  'header/dimensionNames': ['time', 'distance'],
  'header/dimensionSizes': [3, 1],
  'header/time': 10.5,
  'header/dt': 0.25,
  'header/dimensionRanges/dimension1/min': 2,
  'header/dimensionRanges/dimension1/max': 7,
  'header/dimensionRanges/dimension1/unitScale': 3,
})

/** A file whose arrays are in memory. Those with an undefined value are left out. */
function fileOf(
  changes: Readonly<Record<string, Values | undefined>> = {},
  more: readonly StoredArray[] = [],
) {
  const all = Object.entries({ ...DESCRIBED, ...changes })
  const values = new Map(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  const arrays = [...values].map(([name, value]) => arrayOf(name, value))
  const data = {
    ...arrayOf('data', []),
    dimensions: [dimension('phony_len_3', 3), dimension('phony_len_1', 1)],
  }
  const file: ArrayFile = {
    arrays: [data, ...arrays, ...more],
    attributes: [],
    slabs: (_, { name }) => [slabOf(values.get(name) ?? [])],
  }
  return withOptodas(file, storeOf(new Uint8Array(8)), context)
}

function dimension(name: string, size: number) {
  return { name, size, isInvented: true }
}

function arrayOf(name: string, value: Values): StoredArray {
  const isText = Array.isArray(value) && typeof value[0] === 'string'
  return {
    name,
    element: isText ? { kind: 'text' } : { kind: 'float', bits: 64 },
    dimensions: Array.isArray(value) ? [dimension(`phony_len_${value.length}`, value.length)] : [],
    chunk: null,
    isAtomic: false,
    storedBytes: 0,
    attributes: [],
  }
}

function slabOf(value: Values): Slab {
  const list = typeof value === 'number' ? [value] : value
  const box = typeof value === 'number' ? { origin: [], extent: [] } : { origin: [0], extent: [list.length] }
  const texts = list.filter((each) => typeof each === 'string')
  if (texts.length > 0) {
    const offsets = texts.map((_, index) => texts.slice(0, index).join('').length)
    const bytes = Buffer.from(texts.join(''))
    return { ...box, kind: 'texts', offsets: Int32Array.of(...offsets, bytes.length), bytes }
  }
  const bytes = new Uint8Array(Float64Array.from(list.map(Number)).buffer)
  return { ...box, kind: 'elements', bytes, isBigEndian: false, isShuffled: false, stride: 8, offset: 0 }
}

function axesOf({ arrays }: ArrayFile): readonly string[] {
  const data = arrays.find(({ name }) => name === 'data')
  return data?.dimensions.map(({ name }) => name) ?? []
}

/** The values of an array that was added. Null: it was not. */
function valuesOf(file: ArrayFile, name: string): readonly (number | bigint)[] | null {
  const array = file.arrays.find((each) => each.name === name)
  if (array === undefined) return null
  const extent = array.dimensions.map(({ size }) => size)
  const [slab] = [...file.slabs(storeOf(new Uint8Array(8)), array, { origin: [0], extent }, context)]
  const { buffer } = slab?.kind === 'elements' ? slab.bytes : new Uint8Array()
  return [...(array.element.kind === 'int' ? new BigInt64Array(buffer) : new Float64Array(buffer))]
}

t.test('a header that is whole', async (t) => {
  const file = fileOf()
  t.same(axesOf(file), ['time', 'distance'])
  t.same(valuesOf(file, 'time'), [10_500_000_000n, 10_750_000_000n, 11_000_000_000n])
  t.same(valuesOf(file, 'distance'), [6])
})

t.test('no times: no distance in time, or more than 64 bits of nanoseconds', async (t) => {
  for (const changes of [
    { 'header/dt': 0 },
    { 'header/dt': -1 },
    { 'header/dt': Number.NaN },
    { 'header/dt': Number.POSITIVE_INFINITY },
    { 'header/dt': undefined },
    { 'header/dt': 8e9 },
    { 'header/time': Number.NaN },
    { 'header/time': -1e10 },
    { 'header/time': [1, 2] },
    { 'header/missingSamples': [1] },
  ]) {
    const file = fileOf(changes)
    t.equal(valuesOf(file, 'time'), null, JSON.stringify(changes))
    t.same(axesOf(file), ['time', 'distance'])
  }
  t.ok(valuesOf(fileOf({ 'header/missingSamples': [] }), 'time'))
})

t.test('no distances: one end of the fibre is not known', async (t) => {
  t.equal(valuesOf(fileOf({ 'header/dimensionRanges/dimension1/max': undefined }), 'distance'), null)
  const unscaled = fileOf({ 'header/dimensionRanges/dimension1/unitScale': undefined })
  t.same(valuesOf(unscaled, 'distance'), [2])
})

t.test('the names of the header do not fit', async (t) => {
  const other: StoredArray = { ...arrayOf('other', []), dimensions: [dimension('time', 4)] }
  for (const file of [
    fileOf({ 'header/dimensionNames': ['time', 'time'] }),
    fileOf({ 'header/dimensionNames': ['time'] }),
    fileOf({ 'header/dimensionNames': ['time', ''] }),
    fileOf({ 'header/dimensionNames': [1, 2] }),
    fileOf({ 'header/dimensionSizes': [3, 2] }),
    fileOf({ 'header/dimensionSizes': undefined }),
    fileOf({}, [other]),
  ]) {
    t.same(axesOf(file), ['phony_len_3', 'phony_len_1'])
    t.equal(valuesOf(file, 'time'), null)
  }
})
