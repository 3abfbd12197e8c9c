import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { SourceColumn } from '../../plan/scan.ts'
import { type DataType, sameType, typeName } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { OpenFile, ReadContext } from '../formats/provider.ts'
import type { Store } from '../store/store.ts'

/** Columns by name, of a file that may lack some. Frees what it has read when a later column fails. */
export function readColumns(
  wanted: readonly SourceColumn[],
  rows: number,
  file: OpenFile,
  read: (stored: readonly SourceColumn[]) => readonly Column[],
  store: Store,
  { core, stopwatch }: ReadContext,
): ReadonlyMap<string, Column> {
  const { path, constants = {} } = store.file
  const stored = wanted.filter((column) => storedType(column, file, store) !== null)
  const columns = new Map<string, Column>()
  if (stored.length > 0) {
    read(stored).forEach((column, index) => {
      columns.set(stored[index]?.name ?? '', column)
    })
  }
  try {
    for (const wantedColumn of wanted) {
      const { name, type } = wantedColumn
      const column = columns.get(name)
      const from = storedType(wantedColumn, file, store)
      if (column === undefined || from === null) {
        columns.set(
          name,
          core.constant(type, Object.hasOwn(constants, name) ? (constants[name] ?? null) : null, rows),
        )
      } else if (!sameType(from, type)) {
        const widened = stopwatch.time('decode', () =>
          fitting(name, from, type, path, () => core.cast(column, from, type)),
        )
        columns.set(name, widened)
        core.free(column)
      }
    }
    return columns
  } catch (error) {
    for (const column of columns.values()) core.free(column)
    throw error
  }
}

/** The type in which a file gives a column; null: it has none of that name, or all rows have one value that its table gives. */
export function storedType(column: SourceColumn, file: OpenFile, store: Store): DataType | null {
  const { constants } = store.file
  return constants !== undefined && Object.hasOwn(constants, column.name) ? null : file.typeOf(column)
}

/** Says where a value was that does not fit: milliseconds reach further than nanoseconds. */
function fitting(name: string, from: DataType, to: DataType, path: string, cast: () => Column): Column {
  try {
    return cast()
  } catch (cause) {
    if (!isServiceError(cause) || cause.code !== 'type_mismatch') throw cause
    throw new ServiceError(
      'schema_conflict',
      `A value of column "${name}" in "${path}", ${typeName(from)}, does not fit into ${typeName(to)}, which other files need.`,
      { cause },
    )
  }
}
