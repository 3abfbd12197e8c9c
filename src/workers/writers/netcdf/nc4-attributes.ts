import type { PlannedAttributes } from '../../../plan/output/attribute-plan.ts'
import type { Nc4Attribute } from './nc4-file.ts'
import type { Nc4Type } from './nc4-types.ts'

/** Attributes of a variable that were planned. Numbers are left out if their type does not hold them. */
export function plannedAttributes(attributes: PlannedAttributes, type: Nc4Type): readonly Nc4Attribute[] {
  return Object.entries(attributes).flatMap(([name, value]): readonly Nc4Attribute[] => {
    if (typeof value === 'string') return [textAttribute(name, value)]
    const numbers = typeof value === 'number' ? [value] : value.numbers
    const of = typeof value === 'number' ? type : value.type
    const bytes = of === 'string' || of === 'char' ? null : bytesOf(numbers, of)
    return bytes === null ? [] : [{ name, type: of, value: bytes }]
  })
}

/** Text as the netCDF library has it most often: characters, if it is ASCII. */
export function textAttribute(name: string, text: string): Nc4Attribute {
  const isPlain = text !== '' && !text.includes('\0') && Buffer.byteLength(text) === text.length
  return isPlain ? { name, text } : { name, string: text }
}

/** Numbers as they are stored, little-endian. Null: the type does not hold all of them. */
function bytesOf(
  numbers: readonly (number | bigint)[],
  type: Exclude<Nc4Type, 'char' | 'string'>,
): Uint8Array | null {
  if (type === 'double' || type === 'float') {
    const floats = numbers.map(Number)
    return new Uint8Array((type === 'double' ? Float64Array : Float32Array).from(floats).buffer)
  }
  if (!numbers.every((each) => typeof each === 'bigint' || Number.isSafeInteger(each))) return null
  const integers = numbers.map(BigInt)
  const [bits, isSigned] = INTEGERS[type]
  const wrap = isSigned ? BigInt.asIntN : BigInt.asUintN
  if (!integers.every((each) => wrap(bits, each) === each)) return null
  const bytes = new Uint8Array((integers.length * bits) / 8)
  for (const [index, integer] of integers.entries()) {
    const all = BigUint64Array.of(BigInt.asUintN(64, integer))
    bytes.set(new Uint8Array(all.buffer).subarray(0, bits / 8), (index * bits) / 8)
  }
  return bytes
}

/** Bits of the integers, and whether they have a sign. */
const INTEGERS = Object.freeze({
  byte: [8, true],
  ubyte: [8, false],
  short: [16, true],
  ushort: [16, false],
  int: [32, true],
  uint: [32, false],
  int64: [64, true],
  uint64: [64, false],
} as const)
