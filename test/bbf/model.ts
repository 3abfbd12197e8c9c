import type { Value } from '../formats/values.ts'
import {
  CODES,
  type Compression,
  type WrittenArray,
  type WrittenFile,
  type WrittenStatistics,
} from './writer.ts'

type Code = (typeof CODES)[number]

/** A value as JavaScript has it. Numbers of 64 bits here are small enough to be exact. */
export type Plain = number | boolean | string | null

export interface ModelArray {
  readonly type: Code
  readonly dimensions: readonly string[]
  readonly values: readonly Plain[]
  /** Whether it is stored as runs. */
  readonly isOfRuns: boolean
}

interface ModelEntry {
  readonly isDeleted: boolean
  /** The sizes of dimensions in this entry. */
  readonly sizes: Readonly<Record<string, number>>
  /** By column. Null: it is absent. */
  readonly arrays: readonly (ModelArray | null)[]
}

/** A file as a test makes it, from which both its bytes and its rows follow. */
export interface Model {
  readonly columns: readonly { readonly name: string; readonly type: Code }[]
  readonly entries: readonly ModelEntry[]
  readonly groupSizes: readonly number[]
  readonly compressions: readonly Compression[]
  readonly hasIndex: boolean
}

const BITS: Readonly<Record<string, number>> = { UInt8: 8, Int32: 32, Int64: 64, TimestampMilliseconds: 64 }

/** The file of a model. */
export function fileOf(model: Model): WrittenFile {
  const { columns, entries, groupSizes, compressions } = model
  return {
    columns: columns.map(({ name, type }) => ({ name, code: CODES.indexOf(type) })),
    entries: entries.map(({ isDeleted }, index) => ({ name: `entry ${index}`, isDeleted })),
    array: (column, entry) => {
      const { arrays = [], sizes = {} } = entries[entry] ?? {}
      const array = arrays[column]
      return array ? stored(array, sizes) : null
    },
    groups(column) {
      const counts: number[] = []
      for (let left = entries.length, index = column; left > 0; index++) {
        const count = Math.min(left, groupSizes[index % groupSizes.length] ?? 1)
        counts.push(count)
        left -= count
      }
      return counts
    },
    compression: (block) => compressions[block % compressions.length] ?? 'none',
    ...(model.hasIndex && { index: columns.map((_, column) => statisticsOf(model, column)) }),
  }
}

function stored(
  { type, dimensions, values, isOfRuns }: ModelArray,
  sizes: ModelEntry['sizes'],
): WrittenArray {
  const runs: number[] = []
  if (isOfRuns)
    for (const [index, value] of values.entries())
      if (index + 1 === values.length || !Object.is(values[index + 1], value)) runs.push(index)
  const held = isOfRuns ? runs.map((index) => values[index] ?? null) : values
  return {
    ...encoded(type, held),
    length: values.length,
    dimensions: dimensions.map((name) => ({ name, size: sizes[name] ?? 1 })),
    ...(isOfRuns && values.length > 0 && { ends: runs.map((index) => index + 1) }),
  }
}

/** The buffers of values. */
export function encoded(type: Code, values: readonly Plain[]): WrittenArray {
  const common = { code: CODES.indexOf(type), dimensions: [], length: values.length }
  const validity = values.includes(null) ? { validity: bitmap(values.map((value) => value !== null)) } : {}
  if (type === 'Boolean')
    return { ...common, ...validity, values: bitmap(values.map((value) => value === true)) }
  if (type === 'String') {
    const texts = values.map((value) => Buffer.from(String(value ?? '')))
    const offsets = new Int32Array(values.length + 1)
    for (const [index, text] of texts.entries()) offsets[index + 1] = (offsets[index] ?? 0) + text.length
    return { ...common, ...validity, values: Buffer.concat(texts), offsets: new Uint8Array(offsets.buffer) }
  }
  if (type === 'Null') return { ...common, values: new Uint8Array(0) }
  const numbers = values.map((value) => Number(value ?? 0))
  return { ...common, ...validity, values: bytesOf(type, numbers) }
}

function bytesOf(type: Code, numbers: readonly number[]): Uint8Array {
  switch (type) {
    case 'Float64':
      return new Uint8Array(Float64Array.from(numbers).buffer)
    case 'Float32':
      return new Uint8Array(Float32Array.from(numbers).buffer)
    case 'UInt8':
      return Uint8Array.from(numbers)
    case 'Int32':
      return new Uint8Array(Int32Array.from(numbers).buffer)
    default:
      return new Uint8Array(BigInt64Array.from(numbers.map(BigInt)).buffer)
  }
}

function bitmap(bits: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  for (const [index, bit] of bits.entries())
    if (bit) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7))
  return bytes
}

/** What the reference writer says of a column: bounds of the stored arrays, in the type of the column. */
function statisticsOf({ columns, entries }: Model, column: number): WrittenStatistics {
  const type = columns[column]?.type ?? 'Null'
  const [nulls, rows, min, max]: [number[], number[], Plain[], Plain[]] = [[], [], [], []]
  for (const { arrays } of entries) {
    const { values, isOfRuns } = arrays[column] ?? { values: [null], isOfRuns: false }
    rows.push(values.length)
    const present = values.filter((value) => value !== null)
    nulls.push(isOfRuns ? 0 : values.length - present.length)
    const inOrder = isOfRuns ? [] : present.map((value) => converted(value, type)).toSorted(compare)
    min.push(inOrder[0] ?? null)
    max.push(inOrder.at(-1) ?? null)
  }
  const hasBounds = min.some((value) => value !== null)
  return {
    nulls,
    rows,
    min: encoded(hasBounds ? type : 'Null', min),
    max: encoded(hasBounds ? type : 'Null', max),
  }
}

/** NaN is the greatest. Text is in the order of its bytes. */
function compare(a: Plain, b: Plain): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return Number(a) - Number(b)
}

/** The rows of the grid of the named columns, of the columns that are asked for. */
export function rowsOf(model: Model, named: readonly string[], asked: readonly string[]): Value[][] {
  const { columns, entries } = model
  const wanted = asked.map((name) => columns.findIndex((column) => column.name === name))
  const table: Value[][] = asked.map(() => [])
  for (const { isDeleted, arrays, sizes } of entries) {
    if (isDeleted) continue
    const making = arrays.filter(
      (array, index) => array !== null && named.includes(columns[index]?.name ?? ''),
    )
    const axes = axesOf(making.flatMap((array) => (array === null ? [] : [array.dimensions])))
    const rows = axes.reduce((product, axis) => product * (sizes[axis] ?? 1), 1)
    for (let row = 0; row < rows; row++) {
      const at = new Map<string, number>()
      let rest = row
      for (const axis of axes.toReversed()) {
        at.set(axis, rest % (sizes[axis] ?? 1))
        rest = Math.floor(rest / (sizes[axis] ?? 1))
      }
      for (const [place, column] of wanted.entries()) {
        const array = arrays[column]
        const element = array?.dimensions.reduce(
          (index, name) => index * (sizes[name] ?? 1) + (at.get(name) ?? 0),
          0,
        )
        const value = element === undefined ? null : (array?.values[element] ?? null)
        table[place]?.push(
          printed(converted(value, columns[column]?.type ?? 'Null'), columns[column]?.type ?? 'Null'),
        )
      }
    }
  }
  return table
}

function axesOf(arrays: readonly (readonly string[])[]): readonly string[] {
  const most = Math.max(0, ...arrays.map(({ length }) => length))
  const leader = arrays.findLast(({ length }) => length === most) ?? []
  return [...new Set([...leader, ...arrays.flat()])]
}

/** A value in the type of the column. Only numbers have others here. */
function converted(value: Plain, type: Code): Plain {
  if (value === null || type === 'Null') return null
  if (type === 'String' && typeof value === 'number') return Number.isInteger(value) ? String(value) : null
  if (type === 'Float32') return Math.fround(Number(value))
  return value
}

/** As `columnValues` gives it. */
function printed(value: Plain, type: Code): Value {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (type.startsWith('Float')) return Object.is(value, -0) ? '-0' : String(value)
  return BigInt.asUintN(BITS[type] ?? 64, BigInt(value))
}
