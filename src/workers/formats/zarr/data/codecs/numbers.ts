import { productOf } from '../../../../../plan/product-of.ts'
import { fault } from '../../../fault.ts'
import type { ElementData } from '../../stored-zarr.ts'
import type { ArrayForm } from '../array-form.ts'

export type NumberData = Extract<ElementData, { kind: 'int' | 'float' }>

export type Numbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float16Array
  | Float32Array
  | Float64Array

/** Arrays of numbers by the names of their types in version 3. */
const ARRAYS = Object.freeze({
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float16: Float16Array,
  float32: Float32Array,
  float64: Float64Array,
})

type NumberType = keyof typeof ARRAYS

/** The name of a type in version 3. */
export function typeName(data: NumberData): NumberType {
  if (data.kind === 'float') return `float${data.bits}`
  return data.signed ? `int${data.bits}` : `uint${data.bits}`
}

export function is64BitInteger({ kind, bits }: NumberData): boolean {
  return kind === 'int' && bits === 64
}

/** Numbers of bytes, little-endian as the machine is. Throws `unreadable_file` unless there are as many as the form has. */
export function numbersOf(bytes: Uint8Array, data: NumberData): Numbers {
  const NumberArray = ARRAYS[typeName(data)]
  // Numbers begin at a multiple of their size in memory.
  const { buffer } = new Uint8Array(bytes)
  return new NumberArray(buffer, 0, bytes.length / NumberArray.BYTES_PER_ELEMENT)
}

export function bytesOfNumbers({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** The same numbers in another type. Integers wrap around, and fractions are cut off. */
export function convert(numbers: Numbers, data: NumberData): Numbers {
  const to = typeName(data)
  const isBig = numbers instanceof BigInt64Array || numbers instanceof BigUint64Array
  if (to === 'int64' || to === 'uint64') {
    const target = new ARRAYS[to](numbers.length)
    for (let at = 0; at < target.length; at++) target[at] = bigOf(numbers[at] ?? 0)
    return target
  }
  const target = new ARRAYS[to](numbers.length)
  // A 64-bit integer keeps its lower bits in a narrower one.
  const low = (value: bigint): number => Number(data.kind === 'int' ? BigInt.asIntN(32, value) : value)
  for (let at = 0; at < target.length; at++) {
    const value = numbers[at] ?? 0
    target[at] = isBig ? low(BigInt(value)) : Number(value)
  }
  return target
}

function bigOf(value: number | bigint): bigint {
  if (typeof value === 'bigint') return value
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n
}

/** Requires that a codec has given as many numbers of a type as the form has. Throws `unreadable_file`. */
export function requireNumbers(values: unknown, data: NumberData, { shape }: ArrayForm): Numbers {
  const NumberArray = ARRAYS[typeName(data)]
  const count = productOf(shape)
  if (values instanceof NumberArray && values.length === count) return values
  throw fault(`its codecs did not give ${count} elements of the type ${typeName(data)}`)
}

const NUMPY = /^[<>|=]?([iuf])([1248])$/
const NAMED = /^(int|uint|float)(8|16|32|64)$/

/** The type of a name of NumPy, such as `<i4`, or of version 3, such as `int32`. Null: it is no type of numbers. */
export function numberDataOf(name: unknown): NumberData | null {
  if (typeof name !== 'string') return null
  const [, letter = '', bytes = ''] = NUMPY.exec(name) ?? []
  const [, word = letter, size = `${Number(bytes) * 8}`] = NAMED.exec(name) ?? []
  const bits = ([8, 16, 32, 64] as const).find((each) => `${each}` === size)
  if (bits === undefined) return null
  if (word.startsWith('f')) return bits === 8 ? null : { kind: 'float', bits }
  return { kind: 'int', bits, signed: word.startsWith('i') }
}
