import {
  readBool,
  readByte,
  readInt,
  readLong,
  readTable,
  readTables,
  type Table,
} from '../../../plan/arrow/read-flatbuffer.ts'
import { TypeId } from '../../../plan/arrow/type-slots.ts'
import { ServiceError } from '../../../plan/errors.ts'
import { type DataType, type Schema, valueType } from '../../../plan/types/schema.ts'
import { INDEX_TYPES } from '../../../wasm/core/kernels/assembly.ts'
import { childTypes, type ForeignLayout, shapeOf } from '../../../wasm/core/layout.ts'

/** How the arrays of a field are stored in record batches: its layout and its dictionary, which its type does not tell. */
export interface Storage {
  /** The field's type in the schema. Only top-level fields of flat values have dictionary types; see `readSchema`. */
  readonly type: DataType
  readonly layout: ForeignLayout
  readonly children: readonly Storage[]
  /**
   * Not null: record batches hold indices, of the type `index` as `INDEX_TYPES` numbers it. Layout and children are then those
   * of the values in dictionary batches.
   */
  readonly dictionary: { readonly id: bigint; readonly index: number } | null
}

/** The storage of each column. `schema` is what `readSchema` has read, and checked, from the same table. */
export function readStorages(table: Table, schema: Schema): readonly Storage[] {
  return readTables(table, 1).map((field, i) =>
    readStorage(field, schema.fields[i]?.type ?? { kind: 'null' }),
  )
}

/** How the values of a dictionary are stored in its batches. Their children may have dictionaries of their own. */
export function valuesOf(storage: Storage): Storage {
  return { ...storage, type: valueType(storage.type), dictionary: null }
}

/** The layouts of types that differ from `utf8` and `binary` only in how they are stored. */
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

/** The index type of a dictionary as `INDEX_TYPES` numbers it. An absent table stands for `Int32`. */
function readIndex(table: Table | null): number {
  const name = table === null ? 'i32' : `${readBool(table, 1) ? 'i' : 'u'}${readInt(table, 0, 0)}`
  const index = INDEX_NAMES.indexOf(name)
  if (index < 0) throw new ServiceError('unreadable_file', `dictionary indices of type ${name} do not exist`)
  return index
}
