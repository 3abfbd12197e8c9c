import type { Comparison, Geometry } from '../../plan/predicate/predicate.ts'
import type { RowRun } from '../../plan/source/unit.ts'
import type { Aggregate } from '../../plan/task/finish.ts'
import type { Scalar } from '../../plan/types/scalar.ts'
import type { DataType } from '../../plan/types/schema.ts'
import type { ArrayParts } from './assembly.ts'
import type { Column, Groups, Mask, Order } from './column.ts'
import type { CsvText } from './csv-text.ts'
import type { FlatColumn } from './flat-column.ts'

/**
 * The Rust core, one instance a worker. Columns are Arrow arrays in its memory, whichever reader made them (those of any
 * flat type may be held as a dictionary); masks are three-valued (true, false, unknown) bitmaps over the rows of one
 * column set. Functions throw `ServiceError`: `memory_limit` when the instance's memory is used up, `unreadable_file` when
 * an imported array is not valid.
 */
export interface Core {
  /** Bytes in use by live columns, masks, groups and orders. */
  usedBytes(): number
  /**
   * Whether a call has trapped, which only an error in the core does. Every further call throws `internal`, except
   * `free`, `freeMask`, `freeGroups` and `freeOrder`, which then do nothing: get a new core.
   */
  isDead(): boolean

  /**
   * Copies an array out of another module's 32-bit memory, where it lies as the Arrow C data interface's structs
   * `ArrowArray` (its offset and its children's are honoured) and `ArrowSchema` (which says how it is encoded: large
   * offsets and views become plain; 12 bytes where `type` is a timestamp are INT96 of Parquet, and one that the timestamp's
   * unit cannot hold is an `unreadable_file`). Checks every length, offset, index and text before it is used.
   */
  importArray(memory: WebAssembly.Memory, arrayAddress: number, schemaAddress: number, type: DataType): Column
  /** An array from buffers that lie anywhere, checked in the same way. Takes over the children, whatever happens. */
  assemble(parts: ArrayParts): Column
  /** A flat Parquet column from its pages. Throws `unreadable_file` when they do not hold what they claim. */
  flatColumn(column: FlatColumn): Column
  /** A stretch of a CSV file to read; every record has `fields` fields, or as many as the first (0). The caller frees it. */
  csvText(delimiter: string, fields: number): CsvText
  /** `rows` times one value; null gives nulls. */
  constant(type: DataType, value: Scalar | null, rows: number): Column
  /** The same rows in a wider type (docs/reference/types.md, "Widening"); a value that does not fit is a `type_mismatch`. */
  cast(column: Column, from: DataType, to: DataType): Column
  /** Arrays of one type, one after the other. */
  concat(columns: readonly Column[]): Column
  /** The rows that are true in the mask, which is as long as the column. */
  filter(column: Column, mask: Mask): Column
  rows(column: Column): number
  /** Bytes that a column takes. */
  columnBytes(column: Column): number
  /** Another handle of the same column, to be freed on its own: the column is there until its last handle is freed. */
  share(column: Column): Column
  /** One value of a column of a flat type, that of an interval as its bytes; null: it is null. */
  valueAt(column: Column, type: DataType, row: number): Scalar | null
  free(column: Column): void

  compare(column: Column, type: DataType, comparison: Comparison, value: Scalar): Mask
  between(column: Column, type: DataType, low: Scalar, high: Scalar): Mask
  isIn(column: Column, type: DataType, values: readonly Scalar[]): Mask
  isNull(column: Column): Mask
  isNotNull(column: Column): Mask
  /** `value` where the column is not null, unknown where it is. */
  whereKnown(column: Column, value: boolean): Mask
  /** Never unknown: null and NaN coordinates are false. */
  within(
    longitude: Column,
    longitudeType: DataType,
    latitude: Column,
    latitudeType: DataType,
    geometry: Geometry,
  ): Mask
  filled(rows: number, value: boolean): Mask
  /** True in runs of rows, false in all others. */
  inRuns(rows: number, runs: readonly RowRun[]): Mask
  /** Consume nothing: operands are freed by the caller. */
  and(left: Mask, right: Mask): Mask
  or(left: Mask, right: Mask): Mask
  not(mask: Mask): Mask
  /** Rows that are true. */
  count(mask: Mask): number
  /** Whether any row `from`..`to` is true. */
  anyTrue(mask: Mask, from: number, to: number): boolean
  freeMask(mask: Mask): void

  /**
   * An empty table of groups, which takes at most `maximumBytes`: `memory_limit`, from whichever call brings more. Nulls
   * are equal to each other, so are NaNs, and −0.0 and 0.0; a group shows the keys of its first row. An argument is null
   * for `count_rows` only; one of a nested type can only be counted. Throws `not_supported` where keys or arguments have
   * no such groups or aggregates. After any other call has thrown, the table can only be freed.
   */
  groups(
    keys: readonly DataType[],
    aggregates: readonly { readonly kind: Aggregate['kind']; readonly type: DataType | null }[],
    maximumBytes: number,
  ): Groups
  /** Takes in the rows that are true in `mask` (null: all). One column a key, one an aggregate (null for `count_rows`). */
  addRows(
    groups: Groups,
    keys: readonly Column[],
    args: readonly (Column | null)[],
    rows: number,
    mask: Mask | null,
  ): void
  /**
   * The table as bytes, a buffer of its own, to be added to another one of the same keys and aggregates, also in another
   * worker. The order in which tables are added is the order of their rows.
   */
  groupsBytes(groups: Groups): ArrayBuffer
  /** Throws `unreadable_file` when they are not what `groupsBytes` gave. */
  addGroups(groups: Groups, bytes: Uint8Array): void
  /** Without keys always 1. */
  groupCount(groups: Groups): number
  /**
   * Keys, then aggregates in the type of `aggregateType`, one row a group in the order of their first rows; ends the
   * table's growth. Throws `type_mismatch` where a sum does not fit into its type.
   */
  groupColumns(groups: Groups): readonly Column[]
  freeGroups(groups: Groups): void

  /**
   * The first `limit` of the rows that are true in `mask` (null: all), in the order of the keys; rows that are equal in all
   * of them stay in theirs. NaN is the greatest number, text goes byte by byte. Throws `not_supported` for keys without an
   * order: nested ones and intervals.
   */
  sort(keys: readonly OrderKey[], rows: number, mask: Mask | null, limit: number): Order
  orderRows(order: Order): number
  /** Rows `from..to` of an order, as a column of its own: of any column of as many rows as were sorted. */
  take(column: Column, order: Order, from: number, to: number): Column
  freeOrder(order: Order): void

  /**
   * One Arrow IPC record batch message (8-byte aligned, framed, its body compressed or not) of the next rows at or after `from`
   * that are true in `mask` (null: all). Stops at `maxRows` rows or before the body would pass `maxBytes`, but
   * holds at least one row if there is one. `next` is the row to go on from. A column of a dictionary type leaves as its
   * indices; any other as plain values, whether or not it is held as a dictionary.
   */
  encodeBatch(
    columns: readonly Column[],
    types: readonly DataType[],
    rows: number,
    mask: Mask | null,
    from: number,
    maxRows: number,
    maxBytes: number,
    compression?: Compression,
  ): EncodedRows
  /** The values of a column of a dictionary type, one dictionary batch message: what its field has as `id` in the schema. */
  encodeDictionary(column: Column, id: number, compression?: Compression): ArrayBuffer
  /** The same rows as lines of CSV (docs/guides/output-formats.md), without a header. */
  encodeCsv(
    columns: readonly Column[],
    types: readonly DataType[],
    rows: number,
    mask: Mask | null,
    from: number,
    maxRows: number,
    maxBytes: number,
  ): EncodedRows
  /** The first row at or after `from` such that `skip` true rows lie before it, and how many were passed. */
  advance(
    mask: Mask | null,
    rows: number,
    from: number,
    skip: number,
  ): { readonly row: number; readonly skipped: number }

  /**
   * Brings a column into the form of DuckDB's vectors (`duckdb/input-type.ts`), and takes it: it is gone, also when it
   * throws `type_mismatch` because DuckDB cannot hold a value. `forms` is three numbers for each array.
   */
  duckColumn(column: Column, forms: readonly number[]): Column
  /**
   * The bytes of text of rows, none if each row's text is so short that it lies inside its entry. `path` leads to a
   * child: at each level which.
   */
  duckText(
    column: Column,
    path: readonly number[],
    from: number,
    rows: number,
  ): { readonly address: number; readonly length: number }
  /** Rows for a vector. `base` is where in DuckDB's memory the bytes of `duckText` have been put. */
  duckRows(column: Column, path: readonly number[], from: number, rows: number, base: number): VectorRows
  /** Values in the dictionary that a column in DuckDB's form is held as; 0: it is not. They are its child 0. */
  duckDictionary(column: Column): number
  /**
   * Address of rows of such a column as 32-bit places in its dictionary, until the core's next call. A null row has the
   * place after the last.
   */
  duckSelection(column: Column, from: number, rows: number): number
  /** Bytes of the core's memory, until its next call. */
  view(address: number, length: number): Uint8Array
  /** The `size` bytes that an LZ4 frame holds. Throws `unreadable_file` when it holds others, before it makes room. */
  inflateLz4(frame: Uint8Array, size: number): Uint8Array
}

export interface OrderKey {
  readonly column: Column
  readonly type: DataType
  readonly isDescending: boolean
  readonly areNullsFirst: boolean
}

/** How the buffers of a message are compressed: each as an LZ4 frame, by Zstandard, or not. */
export type Compression = 'none' | 'lz4' | 'zstd'

export interface EncodedRows {
  readonly bytes: ArrayBuffer
  readonly rows: number
  readonly metadataBytes: number
  readonly next: number
}

/** Rows of a column as a vector of DuckDB takes them. Addresses are of the core's memory, until the core's next call. */
export interface VectorRows {
  /** Values of one width, `duckdb_string_t` or `duckdb_list_entry`; 0: only the children have values. */
  readonly values: number
  /** 64-bit words, bit 0 the first row; 0: no row is null. */
  readonly validity: number
  /** Rows of the children that belong to the rows. */
  readonly childFrom: number
  readonly childRows: number
}
