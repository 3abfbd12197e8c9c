import type { AttributePlan } from '../../../plan/output/attribute-plan.ts'
import { type DataType, type Field, valueType } from '../../../plan/types/schema.ts'
import type { PlainArray, PlainBatch } from '../plain-batches.ts'
import { textAttribute } from './nc4-attributes.ts'
import type { Nc4Attribute, Nc4File } from './nc4-file.ts'

/** Columns that become attributes if all of their rows have one value. */
export interface ConstantColumns {
  /** Looks at the rows of a batch, which has the columns in the places that were told. */
  observe(batch: PlainBatch): void
  /** Adds the attributes to a file, once all rows were seen. Those with several values, nulls, or no row are left out. */
  write(file: Pick<Nc4File, 'addAttribute'>): void
}

/** The value of a column, as its bytes. Null: no row was seen. */
type Value = Uint8Array | null | typeof SEVERAL

/** Rows have several values, or nulls. */
const SEVERAL = 'several'

/** `places`: where batches have the columns of the attributes. */
export function constantColumns(
  attributes: readonly AttributePlan[],
  places: readonly number[],
  fields: readonly Field[],
): ConstantColumns {
  const values: Value[] = attributes.map(() => null)
  return {
    observe({ rows, arrays }) {
      if (rows === 0) return
      for (const [index, { column }] of attributes.entries()) {
        const before = values[index]
        const [array, field] = [arrays[places[index] ?? -1], fields[column]]
        if (before === SEVERAL || array === undefined || field === undefined) continue
        const value = onlyValue(array, rows, valueType(field.type))
        const isSame =
          value !== null && (before === null || before === undefined || Buffer.compare(before, value) === 0)
        // A copy: the memory of the batch is used again.
        values[index] = isSame ? (before ?? Uint8Array.from(value)) : SEVERAL
      }
    },
    write(file) {
      for (const [index, attribute] of attributes.entries()) {
        const { variable, name, otherwise } = attribute
        const value = values[index] ?? null
        if (value === null && otherwise !== null) file.addAttribute(variable, textAttribute(name, otherwise))
        else if (value !== null && value !== SEVERAL)
          file.addAttribute(variable, attributeOf(attribute, value))
      }
    },
  }
}

function attributeOf({ name, type }: AttributePlan, value: Uint8Array): Nc4Attribute {
  return type === 'string' ? textAttribute(name, Buffer.from(value).toString()) : { name, type, value }
}

/** The bytes of the value that all rows have. Null: they have several, or one is null. */
function onlyValue(
  { validity, values, offsets }: PlainArray,
  rows: number,
  type: DataType,
): Uint8Array | null {
  if (validity !== null) return null
  if (type.kind === 'bool') return onlyBit(values, rows)
  if (offsets !== null) return onlyText(values, offsets, rows)
  const width = Math.floor(values.length / rows)
  const used = values.subarray(0, width * rows)
  return isRepeated(used, width) ? used.subarray(0, width) : null
}

function onlyText(values: Uint8Array, offsets: Int32Array, rows: number): Uint8Array | null {
  const from = offsets[0] ?? 0
  const width = (offsets[1] ?? from) - from
  for (let row = 1; row <= rows; row++) if (offsets[row] !== from + row * width) return null
  const used = values.subarray(from, from + rows * width)
  return isRepeated(used, width) ? used.subarray(0, width) : null
}

/** Whether bytes are those of the first value again and again. */
function isRepeated(values: Uint8Array, width: number): boolean {
  return Buffer.compare(values.subarray(0, values.length - width), values.subarray(width)) === 0
}

/** Bits, the first of which is the lowest of its byte. */
function onlyBit(bits: Uint8Array, rows: number): Uint8Array | null {
  const first = (bits[0] ?? 0) & 1
  for (let row = 1; row < rows; row++) if ((((bits[row >> 3] ?? 0) >> (row & 7)) & 1) !== first) return null
  return Uint8Array.of(first)
}
