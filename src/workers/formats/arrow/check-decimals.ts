import { ServiceError } from '../../../plan/errors.ts'
import { type DataType, DECIMAL_DIGITS, type Field, valueType } from '../../../plan/types/schema.ts'

/** The largest scale and, negated, the smallest: Arrow for Rust keeps it in 8 bits. One of billions could not be printed. */
const MAX_SCALE = 127

/**
 * Throws `unreadable_file` if a decimal type at any depth has more precision than its bits can hold, or a scale out of range.
 * An answer has the types of the file, and no client can read one with such a type. `parent` is the path of the fields.
 */
export function checkDecimals(fields: readonly Field[], parent = ''): void {
  for (const field of fields) {
    const path = parent === '' ? field.name : `${parent}.${field.name}`
    const type = valueType(field.type)
    if (type.kind !== 'decimal') {
      checkDecimals(childFields(type), path)
      continue
    }
    const { bits, precision, scale } = type
    const digits = DECIMAL_DIGITS[bits]
    const refuse = (what: string): ServiceError =>
      new ServiceError('unreadable_file', `column "${path}" has the type Decimal${bits} of ${what}`)
    if (precision < 1 || precision > digits)
      throw refuse(
        `precision ${precision}, which may be 1 to ${digits}: write it as a decimal of more bits, or of the precision that its values have`,
      )
    if (scale < -MAX_SCALE || scale > MAX_SCALE)
      throw refuse(`scale ${scale}, which may be ${-MAX_SCALE} to ${MAX_SCALE}`)
  }
}

function childFields(type: DataType): readonly Field[] {
  switch (type.kind) {
    case 'list':
    case 'large_list':
    case 'fixed_list':
      return [type.item]
    case 'struct':
      return type.fields
    case 'map':
      return [type.entries]
    default:
      return []
  }
}
