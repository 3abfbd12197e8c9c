import { ServiceError } from '../../../plan/errors.ts'
import { type DataType, DECIMAL_DIGITS, type Field, valueType } from '../../../plan/types/schema.ts'

/** Arrow for Rust keeps a scale in 8 bits. One of billions would take as many zeros to print. */
const MAX_SCALE = 127

/**
 * Throws `unreadable_file` for a decimal whose bits cannot hold its precision, at any depth: what is answered has the
 * types of the file, and no reader takes a stream with such a type. `parent` is the path of the fields.
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
