import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { SourceColumn } from '../../plan/scan.ts'
import { type DataType, sameType, typeName } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { OpenFile, ReadContext } from '../formats/provider.ts'
import type { Store } from '../store/store.ts'

/**
 * Reads columns by `read`, widens them to their types in the scan, and adds those that the file lacks and those whose value
 * the table gives. Returns them by name. If it throws, it has freed what it had read. Throws `schema_conflict` for a value
 * that the wider type cannot hold.
 */
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
          widenedBy(name, from, type, path, () => core.cast(column, from, type)),
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

/** The type in which a column is read from the file. Null: the file has no such column, or the table gives its value. */
export function storedType(column: SourceColumn, file: OpenFile, store: Store): DataType | null {
  const { constants } = store.file
  return constants !== undefined && Object.hasOwn(constants, column.name) ? null : file.typeOf(column)
}

/** Widens a column, and names it in the error if a value does not fit: nanoseconds cannot hold all times in milliseconds. */
function widenedBy(name: string, from: DataType, to: DataType, path: string, cast: () => Column): Column {
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
