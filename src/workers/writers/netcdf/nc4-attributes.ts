import type { PlannedAttributes } from '../../../plan/output/attribute-plan.ts'
import type { Nc4Attribute } from './nc4-file.ts'
import type { Nc4Type } from './nc4-types.ts'

/** Attributes of a variable that were planned. Numbers are of its type, as far as that holds them. */
export function plannedAttributes(attributes: PlannedAttributes, type: Nc4Type): readonly Nc4Attribute[] {
  return Object.entries(attributes).flatMap(([name, value]): readonly Nc4Attribute[] => {
    if (typeof value === 'string') return [textAttribute(name, value)]
    const bytes = type === 'string' || type === 'char' ? null : bytesOf(value, type)
    return bytes === null ? [] : [{ name, type, value: bytes }]
  })
}

/** Text as the netCDF library has it most often: characters, if it is ASCII. */
export function textAttribute(name: string, text: string): Nc4Attribute {
  const isPlain = text !== '' && !text.includes('\0') && Buffer.byteLength(text) === text.length
  return isPlain ? { name, text } : { name, string: text }
}

/** A number as it is stored, little-endian. Null: the type does not hold it. */
function bytesOf(value: number, type: Exclude<Nc4Type, 'char' | 'string'>): Uint8Array | null {
  if (type === 'double') return new Uint8Array(Float64Array.of(value).buffer)
  if (type === 'float') return new Uint8Array(Float32Array.of(value).buffer)
  if (!Number.isSafeInteger(value)) return null
  if (type === 'int64' || type === 'uint64') {
    const isHeld = type === 'int64' || value >= 0
    return isHeld ? new Uint8Array(BigInt64Array.of(BigInt(value)).buffer) : null
  }
  const array = INTEGERS[type].of(value)
  return array[0] === value ? new Uint8Array(array.buffer) : null
}

const INTEGERS = Object.freeze({
  byte: Int8Array,
  ubyte: Uint8Array,
  short: Int16Array,
  ushort: Uint16Array,
  int: Int32Array,
  uint: Uint32Array,
})
