import type { DataType } from './schema.ts'
import { UUID_BYTES } from './uuid.ts'

/** The fewest bytes of a row of a column in Arrow's layout, without validity. */
export function rowWidth(type: DataType): number {
  switch (type.kind) {
    case 'null':
      return 0
    case 'bool':
      return 1 / 8
    case 'int':
    case 'float':
    case 'decimal':
      return type.bits / 8
    case 'fixed_binary':
      return type.width
    case 'uuid':
      return UUID_BYTES
    case 'date':
      return type.unit === 'day' ? 4 : 8
    case 'time':
      return type.unit === 'second' || type.unit === 'millisecond' ? 4 : 8
    case 'timestamp':
    case 'duration':
    case 'large_list':
      return 8
    case 'interval':
      return { year_month: 4, day_time: 8, month_day_nano: 16 }[type.unit]
    case 'utf8':
    case 'binary':
    case 'list':
    case 'map':
      return 4
    case 'fixed_list':
      return type.size * rowWidth(type.item.type)
    case 'struct':
      return type.fields.reduce((sum, field) => sum + rowWidth(field.type), 0)
    case 'dictionary':
      return rowWidth(type.index)
  }
}
