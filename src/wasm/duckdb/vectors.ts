import type { Column } from '../core/column.ts'
import type { Core } from '../core/core.ts'
import type { Duck } from './instance.ts'
import type { LogicalType } from './logical-type.ts'

/** A column in DuckDB's form (`Core.duckColumn`), or a child of one. `path` has the index of the child at each level. */
interface Source {
  readonly column: Column
  readonly path: readonly number[]
}

/** Copies text that is too long to be inlined in `duckdb_string_t` into DuckDB's memory. Returns its address. */
export type PutText = (bytes: Uint8Array) => number

/** Bytes of `duckdb_string_t` and of `duckdb_list_entry`. */
const ENTRY_BYTES = 16

/** Copies rows of a column into a flat vector that is large enough and has no nulls. */
export function fillVector(
  duck: Duck,
  core: Core,
  vector: number,
  type: LogicalType,
  { column, path }: Source,
  from: number,
  rows: number,
  putText: PutText,
): void {
  const { api, memory } = duck
  const text = core.duckText(column, path, from, rows)
  const base = text.length === 0 ? 0 : putText(core.view(text.address, text.length))
  const rowsInCore = core.duckRows(column, path, from, rows, base)
  if (rowsInCore.values !== 0) {
    const data = api.duckdb_vector_get_data(vector)
    memory.views().u8.set(core.view(rowsInCore.values, rows * bytesOf(type)), data)
  }
  if (rowsInCore.validity !== 0) {
    api.duckdb_vector_ensure_validity_writable(vector)
    const validity = api.duckdb_vector_get_validity(vector)
    memory.views().u8.set(core.view(rowsInCore.validity, 8 * Math.ceil(rows / 64)), validity)
  }
  const children = childrenOf(duck, vector, type, rowsInCore.childRows)
  for (const [index, child] of children.entries()) {
    const source = { column, path: [...path, index] }
    fillVector(
      duck,
      core,
      child.vector,
      child.type,
      source,
      rowsInCore.childFrom,
      rowsInCore.childRows,
      putText,
    )
  }
}

interface Child {
  readonly vector: number
  readonly type: LogicalType
}

/** The child vectors of a vector, made large enough for so many rows. */
function childrenOf({ api }: Duck, vector: number, type: LogicalType, rows: number): Child[] {
  switch (type.kind) {
    case 'list':
    case 'map':
      api.duckdb_list_vector_reserve(vector, BigInt(rows))
      api.duckdb_list_vector_set_size(vector, BigInt(rows))
      return [{ vector: api.duckdb_list_vector_get_child(vector), type: itemOf(type) }]
    case 'array':
      return [{ vector: api.duckdb_array_vector_get_child(vector), type: type.item }]
    case 'struct':
      return type.fields.map((field, index) => ({
        vector: api.duckdb_struct_vector_get_child(vector, BigInt(index)),
        type: field.type,
      }))
    default:
      return []
  }
}

/** The type of a list's items. A map is a list of structs. */
function itemOf(type: Extract<LogicalType, { kind: 'list' | 'map' }>): LogicalType {
  if (type.kind === 'list') return type.item
  const fields = [
    { name: 'key', type: type.key },
    { name: 'value', type: type.value },
  ]
  return { kind: 'struct', fields }
}

/** The bytes of a value of a type. */
function bytesOf(type: LogicalType): number {
  if (type.kind !== 'decimal') return BYTES[type.kind] ?? ENTRY_BYTES
  if (type.width <= 4) return 2
  if (type.width <= 9) return 4
  return type.width <= 18 ? 8 : 16
}

/** The bytes of types whose values do not have 16. */
const BYTES: Readonly<Partial<Record<LogicalType['kind'], number>>> = Object.freeze({
  boolean: 1,
  tinyint: 1,
  utinyint: 1,
  smallint: 2,
  usmallint: 2,
  integer: 4,
  uinteger: 4,
  float: 4,
  date: 4,
  bigint: 8,
  ubigint: 8,
  double: 8,
  time: 8,
  timestamp: 8,
  timestamp_s: 8,
  timestamp_ms: 8,
  timestamp_ns: 8,
  timestamp_tz: 8,
  timestamptz_ns: 8,
  column_time_ns: 8,
})
