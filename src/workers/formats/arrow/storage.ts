import { ServiceError } from '../../../plan/errors.ts'
import { type DataType, type Schema, valueType } from '../../../plan/types/schema.ts'
import { INDEX_TYPES } from '../../../wasm/core/assembly.ts'
import { childTypes, type ForeignLayout, shapeOf } from '../../../wasm/core/layout.ts'
import { readBool, readByte, readInt, readLong, readTable, readTables, type Table } from './flatbuffer.ts'
import { TypeId } from './schema-type.ts'

/** How the arrays of a field lie in record batches, which its type does not tell. */
export interface Storage {
  /** As the schema has it: a column of flat values by their number is of a dictionary type, a nested one is not. */
  readonly type: DataType
  readonly layout: ForeignLayout
  readonly children: readonly Storage[]
  /** Record batches hold indices; layout and children are those of the values, in dictionary batches. */
  readonly dictionary: { readonly id: bigint; readonly index: number } | null
}

/** Of each column. `schema` is what `readSchema` has made of the same table, which it has checked. */
export function readStorages(table: Table, schema: Schema): readonly Storage[] {
  return readTables(table, 1).map((field, i) =>
    readStorage(field, schema.fields[i]?.type ?? { kind: 'null' }),
  )
}

/** How the values of a dictionary lie in its batches; they may hold dictionaries of their own. */
export function valuesOf(storage: Storage): Storage {
  return { ...storage, type: valueType(storage.type), dictionary: null }
}

/** Encodings of one and the same values. */
const LAYOUTS: Readonly<Record<number, ForeignLayout['layout']>> = Object.freeze({
  [TypeId.largeBinary]: 'large_binary',
  [TypeId.largeUtf8]: 'large_utf8',
  [TypeId.binaryView]: 'binary_view',
  [TypeId.utf8View]: 'utf8_view',
})

function readStorage(field: Table, type: DataType): Storage {
  const { shape, width } = shapeOf(type)
  const children = readTables(field, 5)
  const encoding = readTable(field, 4)
  return {
    type,
    layout: { layout: LAYOUTS[readByte(field, 2)] ?? shape, shape, width },
    children: childTypes(type).flatMap((child, i) => {
      const table = children[i]
      return table === undefined ? [] : [readStorage(table, child)]
    }),
    dictionary: encoding && { id: readLong(encoding, 0), index: readIndex(readTable(encoding, 1)) },
  }
}

const INDEX_NAMES: readonly string[] = INDEX_TYPES

/** A dictionary's index type, `Int32` unless it says otherwise, as `INDEX_TYPES` numbers it. */
function readIndex(table: Table | null): number {
  const name = table === null ? 'i32' : `${readBool(table, 1) ? 'i' : 'u'}${readInt(table, 0, 0)}`
  const index = INDEX_NAMES.indexOf(name)
  if (index < 0) throw new ServiceError('unreadable_file', `dictionary indices of type ${name} do not exist`)
  return index
}
