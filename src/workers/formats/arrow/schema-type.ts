import { readBool, readInt, readShort, readString, type Table } from '../../../plan/arrow/read-flatbuffer.ts'
import { INTERVAL_UNITS, TypeId, UNITS } from '../../../plan/arrow/type-slots.ts'
import { ServiceError } from '../../../plan/errors.ts'
import type { DataType, Field, TimeUnit } from '../../../plan/types/schema.ts'

/**
 * The type of a `Field`, from the number and the table of its `Type`; `path` names the column in errors. Large and view text
 * and binary become `utf8` and `binary`. Throws `unreadable_file` for a damaged type and for one that is not supported.
 */
export function readType(
  id: number,
  table: Table | null,
  children: readonly Field[],
  path: string,
): DataType {
  const child = (): Field => {
    const [only] = children
    if (only === undefined || children.length !== 1) throw damaged(`column "${path}" must have one child`)
    return only
  }
  const unit = (absent: number): TimeUnit => {
    const unitOfNumber = UNITS[table === null ? absent : readShort(table, 0, absent)]
    if (unitOfNumber === undefined) throw damaged(`column "${path}" has an unknown unit`)
    return unitOfNumber
  }
  const int = (slot: number, absent: number): number =>
    table === null ? absent : readInt(table, slot, absent)
  const refuse = (what: string): ServiceError =>
    new ServiceError('unreadable_file', `column "${path}" has the type ${what}, which is not supported`)

  switch (id) {
    case TypeId.null:
      return { kind: 'null' }
    case TypeId.int: {
      const bits = int(0, 0)
      if (bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64) throw refuse(`Int${bits}`)
      return { kind: 'int', bits, signed: table !== null && readBool(table, 1) }
    }
    case TypeId.float: {
      const bits = ([16, 32, 64] as const)[table === null ? 0 : readShort(table, 0, 0)]
      if (bits === undefined) throw damaged(`column "${path}" has an unknown precision`)
      return { kind: 'float', bits }
    }
    case TypeId.binary:
    case TypeId.largeBinary:
    case TypeId.binaryView:
      return { kind: 'binary' }
    case TypeId.utf8:
    case TypeId.largeUtf8:
    case TypeId.utf8View:
      return { kind: 'utf8' }
    case TypeId.bool:
      return { kind: 'bool' }
    case TypeId.decimal: {
      const bits = int(2, 128)
      if (bits !== 32 && bits !== 64 && bits !== 128 && bits !== 256) throw refuse(`Decimal${bits}`)
      return { kind: 'decimal', bits, precision: int(0, 0), scale: int(1, 0) }
    }
    case TypeId.date:
      return {
        kind: 'date',
        unit: (table === null ? 1 : readShort(table, 0, 1)) === 0 ? 'day' : 'millisecond',
      }
    case TypeId.time:
      return { kind: 'time', unit: unit(1) }
    case TypeId.timestamp:
      return { kind: 'timestamp', unit: unit(0), zone: (table && readString(table, 1)) || null }
    case TypeId.duration:
      return { kind: 'duration', unit: unit(1) }
    case TypeId.interval: {
      const intervalUnit = INTERVAL_UNITS[table === null ? 0 : readShort(table, 0, 0)]
      if (intervalUnit === undefined) throw damaged(`column "${path}" has an unknown unit`)
      return { kind: 'interval', unit: intervalUnit }
    }
    case TypeId.list:
      return { kind: 'list', item: child() }
    case TypeId.largeList:
      return { kind: 'large_list', item: child() }
    case TypeId.fixedList:
      return { kind: 'fixed_list', item: child(), size: Math.max(0, int(0, 0)) }
    case TypeId.fixedBinary:
      return { kind: 'fixed_binary', width: Math.max(0, int(0, 0)) }
    case TypeId.struct:
      return { kind: 'struct', fields: children }
    case TypeId.map: {
      const entries = child()
      if (entries.type.kind !== 'struct' || entries.type.fields.length !== 2)
        throw damaged(`column "${path}" must have keys and values`)
      return { kind: 'map', entries, sorted: table !== null && readBool(table, 0) }
    }
    case TypeId.union:
      throw refuse('Union')
    case TypeId.runEndEncoded:
      throw refuse('RunEndEncoded')
    case TypeId.listView:
      throw refuse('ListView')
    case TypeId.largeListView:
      throw refuse('LargeListView')
    default:
      throw refuse(`number ${id} of a newer Arrow`)
  }
}

/** An error about a schema. Callers add the file's name. */
export function damaged(what: string): ServiceError {
  return new ServiceError('unreadable_file', `damaged Arrow schema: ${what}`)
}
