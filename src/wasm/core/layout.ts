import { ServiceError } from '../../plan/errors.ts'
import type { DataType, IntType } from '../../plan/types/schema.ts'
import { UUID_BYTES } from '../../plan/types/uuid.ts'
import { type ArrayParts, INDEX_TYPES } from './kernels/assembly.ts'

/** The shape of a type's values in memory, apart from encoding and dictionaries. `width` is in bytes, or in items of a list. */
export interface Shape {
  readonly shape:
    | 'null'
    | 'bool'
    | 'fixed'
    | 'utf8'
    | 'binary'
    | 'list'
    | 'large_list'
    | 'fixed_list'
    | 'struct'
  readonly width: number
}

export function shapeOf(type: DataType): Shape {
  switch (type.kind) {
    case 'null':
    case 'bool':
    case 'utf8':
    case 'binary':
    case 'list':
    case 'large_list':
    case 'struct':
      return { shape: type.kind, width: 0 }
    case 'map':
      return { shape: 'list', width: 0 }
    case 'fixed_list':
      return { shape: 'fixed_list', width: type.size }
    case 'fixed_binary':
      return { shape: 'fixed', width: type.width }
    case 'uuid':
      return { shape: 'fixed', width: UUID_BYTES }
    case 'int':
    case 'float':
    case 'decimal':
      return { shape: 'fixed', width: type.bits / 8 }
    case 'date':
      return { shape: 'fixed', width: type.unit === 'day' ? 4 : 8 }
    case 'time':
      return { shape: 'fixed', width: type.unit === 'second' || type.unit === 'millisecond' ? 4 : 8 }
    case 'timestamp':
    case 'duration':
      return { shape: 'fixed', width: 8 }
    case 'interval':
      return { shape: 'fixed', width: { year_month: 4, day_time: 8, month_day_nano: 16 }[type.unit] }
    case 'dictionary':
      return shapeOf(type.value)
  }
}

/** The types of an array's children. */
export function childTypes(type: DataType): readonly DataType[] {
  switch (type.kind) {
    case 'list':
    case 'large_list':
    case 'fixed_list':
      return [type.item.type]
    case 'map':
      return [type.entries.type]
    case 'struct':
      return type.fields.map((field) => field.type)
    default:
      return []
  }
}

/** The layout of an array in another module's memory, and the shape of its values. */
export interface ForeignLayout extends Shape {
  readonly layout: Exclude<ArrayParts['layout'], 'int96' | 'interval'>
}

/**
 * The layout of a format string of the Arrow C data interface. Throws `unreadable_file` for unions, run-end encoding, list views
 * and unknown formats.
 */
export function layoutOf(format: string): ForeignLayout {
  const fixed = (width: number): ForeignLayout => ({ layout: 'fixed', shape: 'fixed', width })
  const simple = SIMPLE[format]
  if (simple) return simple
  const [, head, number] = /^(w|\+w):(\d{1,9})$/.exec(format) ?? []
  if (head === 'w') return fixed(Number(number))
  if (head === '+w') return { layout: 'fixed_list', shape: 'fixed_list', width: Number(number) }
  const decimal = /^d:\d+,-?\d+(?:,(32|64|128|256))?$/.exec(format)
  if (decimal) return fixed(Number(decimal[1] ?? 128) / 8)
  if (/^ts[smun]:/.test(format)) return fixed(8)
  throw new ServiceError('unreadable_file', `values of this kind (${nameOf(format)}) are not read`)
}

function nameOf(format: string): string {
  if (format.startsWith('+u')) return 'union'
  if (format === '+r') return 'run-end encoded'
  if (format === '+vl' || format === '+vL') return 'list view'
  return `Arrow format ${JSON.stringify(format)}`
}

/** The code of a dictionary's index type (`INDEX_TYPES`). */
export function indexCode({ bits, signed }: IntType): number {
  return INDEX_TYPES.indexOf(`${signed ? 'i' : 'u'}${bits}`)
}

/** The code of a dictionary's index type (`INDEX_TYPES`) by its format string. */
export function indexType(format: string): number {
  const index = ['c', 's', 'i', 'l', 'C', 'S', 'I', 'L'].indexOf(format)
  if (index >= 0) return index
  throw new ServiceError(
    'unreadable_file',
    `dictionary indices of format ${JSON.stringify(format)} are not read`,
  )
}

export function indexWidth(index: number): number {
  return Number((INDEX_TYPES[index] ?? 'i64').slice(1)) / 8
}

const SIMPLE: Readonly<Record<string, ForeignLayout>> = Object.freeze({
  n: { layout: 'null', shape: 'null', width: 0 },
  b: { layout: 'bool', shape: 'bool', width: 0 },
  ...Object.fromEntries(
    Object.entries({
      1: ['c', 'C'],
      2: ['s', 'S', 'e'],
      4: ['i', 'I', 'f', 'tdD', 'tts', 'ttm', 'tiM'],
      8: ['l', 'L', 'g', 'tdm', 'ttu', 'ttn', 'tDs', 'tDm', 'tDu', 'tDn', 'tiD'],
      16: ['tin'],
    } as const).flatMap(([width, formats]) =>
      formats.map((format) => [format, { layout: 'fixed', shape: 'fixed', width: Number(width) }]),
    ),
  ),
  u: { layout: 'utf8', shape: 'utf8', width: 0 },
  U: { layout: 'large_utf8', shape: 'utf8', width: 0 },
  vu: { layout: 'utf8_view', shape: 'utf8', width: 0 },
  z: { layout: 'binary', shape: 'binary', width: 0 },
  Z: { layout: 'large_binary', shape: 'binary', width: 0 },
  vz: { layout: 'binary_view', shape: 'binary', width: 0 },
  '+l': { layout: 'list', shape: 'list', width: 0 },
  '+L': { layout: 'large_list', shape: 'large_list', width: 0 },
  '+s': { layout: 'struct', shape: 'struct', width: 0 },
  '+m': { layout: 'list', shape: 'list', width: 0 },
})

/** Numbers of 32 bits, in the byte order of WebAssembly, which is that of every platform of Node. */
export function words(numbers: readonly number[]): Buffer {
  return Buffer.from(Int32Array.from(numbers).buffer)
}
