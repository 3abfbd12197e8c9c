import type { Comparison } from '../../plan/condition/compare.ts'
import type { CopyForm } from '../../plan/copy/copy-file.ts'
import type { TypedExpression } from '../../plan/expression.ts'
import type { Geometry } from '../../plan/geometry/geometry.ts'
import type { IndexRange } from '../../plan/source/unit.ts'
import type { WholeColumns } from '../../plan/source/whole.ts'
import type { Aggregate, Share } from '../../plan/task/finish.ts'
import type { Scalar } from '../../plan/types/scalar.ts'
import type { DataType } from '../../plan/types/schema.ts'
import type { BoxBlock, BoxSlab, BoxSpec, ElementSpec, InflatedBytes } from './boxes/box-column.ts'
import type { Column, Groups, Mask, Order } from './column.ts'
import type { EvaluatedRows } from './evaluate/evaluated-rows.ts'
import type { FlatColumn } from './flat-column.ts'
import type { ArrayParts } from './kernels/assembly.ts'
import type { Grid, GridVariable } from './kernels/grid.ts'
import type { Points } from './kernels/points.ts'
import type { Rasters } from './kernels/rasters.ts'
import type { PackColumn, ParquetPack } from './parquet-pack.ts'
import type { ParquetSummaries, SummaryColumn } from './parquet-summaries.ts'
import type { Section } from './sections/section-column.ts'
import type { CopyRows } from './text/copy-rows.ts'
import type { CsvDialect } from './text/csv-dialect.ts'
import type { CsvText } from './text/csv-text.ts'

/** An aggregate of a table of groups. */
export interface CoreAggregate {
  readonly kind: Aggregate['kind']
  /** The type of its argument. Null: it is `count_rows`. */
  readonly type: DataType | null
  /** The type of its key. Absent: it has none. */
  readonly by?: DataType
  /** That of a quantile. Absent: it is none. */
  readonly share?: Share
  /** Whether equal values count once. Absent: they do not, or it is `count_distinct`. */
  readonly isDistinct?: boolean
  /**
   * The number of an earlier aggregate of the same column, which knows the values for this one: a quantile for a quantile, a sum or an average
   * for the other, a variance or a deviation for another. Absent: it knows its own.
   */
  readonly valuesOf?: number
}

/**
 * The Rust core, of which each worker has one instance. Columns are Arrow arrays in its memory; those of flat types may be
 * stored as dictionaries, or as values that repeat in a cycle. Masks are three-valued bitmaps (true, false, unknown) over rows. All functions throw `ServiceError`:
 * `memory_limit` when the memory of the instance is used up, and `unreadable_file` for an imported array that is not valid.
 */
export interface Core {
  /** Bytes in use by live columns, masks, groups, grids and orders. */
  usedBytes(): number
  /**
   * Has calls that take long, of groups and orders, throw `cancelled` once `isCancelled` returns true: they ask it for every 65 536 rows.
   * Null: nothing cancels them. What such a call has worked on is of no more use and has to be freed, as after any other error.
   */
  watch(isCancelled: (() => boolean) | null): void
  /** The size of the memory in bytes, which never shrinks. Pages that were never touched are no memory of the machine. */
  memoryBytes(): number
  /**
   * Whether a call has trapped, which is a bug in the core. Every further call throws `internal`, except `free`, `freeMask`,
   * `freeGroups` and `freeOrder`, which do nothing. The caller has to create a new core.
   */
  isDead(): boolean

  /**
   * Copies an array from another module's 32-bit memory. The addresses are those of the structs `ArrowArray` and `ArrowSchema`
   * of the Arrow C data interface. `ArrowSchema` has the encoding of the array: 64-bit offsets and views are converted; values
   * of 12 bytes where `type` is a timestamp are INT96 of Parquet, where it is an interval they are INTERVAL, and one that the type
   * cannot hold is an `unreadable_file`. Every length, offset, index and text is checked before it is used.
   */
  importArray(memory: WebAssembly.Memory, arrayAddress: number, schemaAddress: number, type: DataType): Column
  /** Makes a column of buffers, which are checked in the same way. Takes ownership of the children, even if it throws. */
  assemble(parts: ArrayParts): Column
  /** Decodes a flat Parquet column from its pages. Throws `unreadable_file` when they are not what their headers say. */
  flatColumn(column: FlatColumn): Column
  /** Begins a pack of small Parquet files that are laid out as `file`. Null: that has another form than a pack reads. */
  parquetPack(file: Uint8Array, columns: readonly PackColumn[]): ParquetPack | null
  /** Begins to inspect small Parquet files that are laid out as the one with a footer. Null: that has another form. */
  parquetSummaries(footer: Uint8Array, columns: readonly SummaryColumn[]): ParquetSummaries | null
  /**
   * Makes a column of slabs of a stored array, which together have each element of the box. A slab's bytes are copied before the
   * next one is asked for. Throws `unreadable_file` for slabs that have fewer bytes than they say, or leave elements out.
   */
  boxColumn(spec: BoxSpec, slabs: Iterable<BoxSlab>): Column
  /** The same of boxes one after the other, each of which has an element for each of its rows. Together they have `rows` rows. */
  blocksColumn(spec: Omit<BoxSpec, 'shape' | 'origin'>, rows: number, blocks: Iterable<BoxBlock>): Column
  /**
   * Makes a column of `rows` numbers of at most 64 bits. `write` writes all of them as they are stored, one after the other, to the memory
   * that it gets. It must not call the core.
   */
  elementsColumn(spec: ElementSpec, rows: number, isBigEndian: boolean, write: (room: Buffer) => void): Column
  /**
   * Makes a column of `rows` rows of sections of stored arrays, whose rows follow each other. A section's bytes are copied before the next
   * one is asked for. Throws `unreadable_file` for a section that has fewer elements than its grid needs, and for text that is not UTF-8.
   */
  sectionColumn(type: DataType, rows: number, sections: Iterable<Section>): Column
  /** An empty block of CSV text. Every record must have `fields` fields, or as many as the first one if that is 0. */
  csvText(dialect: CsvDialect, fields: number): CsvText
  /** An empty stretch of rows of a database, whose fields have these types. `wanted`: those that become columns, ascending. */
  copyRows(form: CopyForm, types: readonly DataType[], wanted: readonly number[]): CopyRows
  /**
   * What is known of runs of rows of a column of numbers or times of at most 64 bits, one after the other, which have so many rows each: for
   * each run an entry of `WholeColumns`, of field 0.
   */
  boundsOfRuns(column: Column, type: DataType, lengths: readonly number[]): WholeColumns
  /** A column that has one value `rows` times. Null: nulls. Of a flat type it takes as much memory as one value. */
  constant(type: DataType, value: Scalar | null, rows: number): Column
  /** Converts a column to a wider type (docs/reference/types.md, "Widening"). Throws `type_mismatch` if a value does not fit. */
  cast(column: Column, from: DataType, to: DataType): Column
  /** Concatenates columns of one type. */
  concat(columns: readonly Column[]): Column
  /** The rows of a column that are true in a mask over as many rows. */
  filter(column: Column, mask: Mask): Column
  rows(column: Column): number
  /** The memory of a column, in bytes. */
  columnBytes(column: Column): number
  /** Another handle of the same column. Each handle is freed separately, and the column with the last one. */
  share(column: Column): Column
  /** One value of a column of a flat type. Null: it is null. An interval is given as its bytes. */
  valueAt(column: Column, type: DataType, row: number): Scalar | null
  free(column: Column): void

  /**
   * The values of expressions that `canEvaluate` takes, as new columns. Throws `invalid_sql` as DuckDB does if a row that is asked for
   * fails. What reads one column that is stored as a dictionary, or repeats values, is computed for its values and stored like it.
   */
  evaluate(expressions: readonly TypedExpression[], rows: EvaluatedRows): readonly Column[]
  /** The same for one expression of the type BOOLEAN, as a mask. */
  evaluateMask(expression: TypedExpression, rows: EvaluatedRows): Mask

  compare(column: Column, type: DataType, comparison: Comparison, value: Scalar): Mask
  between(column: Column, type: DataType, low: Scalar, high: Scalar): Mask
  isIn(column: Column, type: DataType, values: readonly Scalar[]): Mask
  isNull(column: Column): Mask
  isNotNull(column: Column): Mask
  /** Whether each point lies in a geometry. Never unknown: rows with null or NaN coordinates are false. */
  within(
    longitude: Column,
    longitudeType: DataType,
    latitude: Column,
    latitudeType: DataType,
    geometry: Geometry,
  ): Mask
  /** So many rows of one truth. Null: unknown. */
  filled(rows: number, value: boolean | null): Mask
  /** True in runs of rows, and false in all others. */
  inRuns(rows: number, runs: readonly IndexRange[]): Mask
  /** This and the next two make a new mask. The caller still has to free the operands. */
  and(left: Mask, right: Mask): Mask
  or(left: Mask, right: Mask): Mask
  not(mask: Mask): Mask
  /** The number of rows that are true. */
  count(mask: Mask): number
  /** Whether any of the rows `from`..`to` is true. */
  anyTrue(mask: Mask, from: number, to: number): boolean
  freeMask(mask: Mask): void

  /**
   * An empty table of groups. A call that would make it larger than `maximumBytes` throws `memory_limit`. Nulls are equal to
   * each other, NaNs are, and −0.0 equals 0.0; a group has the keys of its first row. The type of an aggregate is null for
   * `count_rows` only; values of nested types can only be counted. Throws `not_supported` for types that cannot be grouped or
   * aggregated like this. After any other call has thrown, the table can only be freed.
   */
  groups(keys: readonly DataType[], aggregates: readonly CoreAggregate[], maximumBytes: number): Groups
  /**
   * Adds the rows that are true in `mask` (null: all). `args` has a column for each aggregate, null for `count_rows`, and then the
   * key of each that has one.
   */
  addRows(
    groups: Groups,
    keys: readonly Column[],
    args: readonly (Column | null)[],
    rows: number,
    mask: Mask | null,
  ): void
  /**
   * The table as bytes, which can be added to another one with the same keys and aggregates, also in another worker. The order
   * in which tables are added counts as the order of their rows.
   */
  groupsBytes(groups: Groups): ArrayBuffer
  /** Adds a table from its bytes. Throws `unreadable_file` when they are not from `groupsBytes`. */
  addGroups(groups: Groups, bytes: Uint8Array): void
  /** The number of groups. Without keys it is always 1. */
  groupCount(groups: Groups): number
  /**
   * The columns of the keys, then those of the aggregates in their types by `aggregateType`. They have one row for each group,
   * in the order of the groups' first rows. After this nothing can be added. Throws `type_mismatch` when a sum does not fit into
   * its type.
   */
  groupColumns(groups: Groups): readonly Column[]
  freeGroups(groups: Groups): void

  /**
   * Sorts the rows that are true in `mask` (null: all) by the keys and keeps the first `limit` of them. The sort is stable. NaN
   * is the greatest number, and text is compared byte by byte. Throws `not_supported` for keys of types without an order: nested
   * types and intervals.
   */
  sort(keys: readonly OrderKey[], rows: number, mask: Mask | null, limit: number): Order
  /**
   * Which of the rows that are true in `mask` (null: all) are among the first `most` of their group in the order of `order`. Rows of a group
   * are equal in all `keys`, as in `groups`; of rows that are equal in the order the first ones count. With `isNumbered` also the
   * number of each of these rows in its group, as a column of 64-bit integers; other rows have any. Throws as `sort` does.
   */
  firstRows(
    keys: readonly TypedColumn[],
    order: readonly OrderKey[],
    rows: number,
    mask: Mask | null,
    wanted: { readonly most: number; readonly isNumbered: boolean },
  ): { readonly mask: Mask; readonly numbers: Column | null }
  orderRows(order: Order): number
  /** A new column with rows `from..to` of an order. `column` must have as many rows as were sorted. */
  take(column: Column, order: Order, from: number, to: number): Column
  freeOrder(order: Order): void
  /**
   * Where rows differ from the rows before them: a byte for each row, with the bits of all keys in which it differs. Values are equal
   * as they are in `sort`, and nulls are equal to each other. The first row has no bits. Throws as `sort` does.
   */
  changes(keys: readonly ChangeKey[], rows: number): Uint8Array

  /**
   * A grid without rows, whose dimensions are columns of the types. Throws `not_supported` for types other than booleans and those of
   * 8 to 64 bits.
   */
  grid(dimensions: readonly DataType[], variables: readonly GridVariable[]): Grid

  /**
   * Encodes an Arrow IPC record batch message, framed and 8-byte aligned, of the rows at or after `from` that are true in `mask`
   * (null: all). It has at most `maxRows` rows and a body of at most `maxBytes`, but at least one row if there is any. `next` is
   * the row to continue from. Columns of dictionary types are encoded as indices, and all others as plain values, even if the
   * core stores them as dictionaries.
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
  /** Encodes the values of a column of a dictionary type as a dictionary batch message. `id` is the one in the schema. */
  encodeDictionary(column: Column, id: number, compression?: Compression): ArrayBuffer
  /** Encodes rows, chosen as by `encodeBatch`, as lines of CSV without a header (docs/guides/output-formats.md). */
  encodeCsv(
    columns: readonly Column[],
    types: readonly DataType[],
    rows: number,
    mask: Mask | null,
    from: number,
    maxRows: number,
    maxBytes: number,
  ): EncodedRows
  /**
   * Encodes rows, chosen in the same way, as lines of a spreadsheet of Ocean Data View without a header (docs/reference/odv.md).
   * `numbers`: a column of UInt32, which are put behind the first field as `[+7]` where they are not null. Null: there are none.
   */
  encodeOdv(
    numbers: Column | null,
    columns: readonly Column[],
    types: readonly DataType[],
    rows: number,
    mask: Mask | null,
    from: number,
    maxRows: number,
    maxBytes: number,
  ): EncodedRows
  /**
   * Encodes rows, chosen in the same way, as JSON. With names: an object of each row, with a line end behind it. Null: an array of
   * each row, with a comma and a line end before it. Values are written as in docs/guides/output-formats.md.
   */
  encodeJson(
    names: readonly string[] | null,
    columns: readonly Column[],
    types: readonly DataType[],
    rows: number,
    mask: Mask | null,
    from: number,
    maxRows: number,
    maxBytes: number,
  ): EncodedRows
  /**
   * Encodes rows `from..from + rows` of a flat column as the pages of a Parquet column chunk. `width`: the bytes of a stored
   * decimal, 0 for other types. Throws `type_mismatch` for a value that cannot be stored, `unreadable_file` for a null if the chunk
   * is not optional.
   */
  encodeParquetChunk(
    column: Column,
    type: DataType,
    from: number,
    rows: number,
    width: number,
    isOptional: boolean,
  ): ParquetPages
  /** `row`: the first row before which, from `from` on, `skip` rows are true. `skipped`: their number, less if the rows end. */
  advance(
    mask: Mask | null,
    rows: number,
    from: number,
    skip: number,
  ): { readonly row: number; readonly skipped: number }

  /** The points of two columns of numbers as well-known binary. They are null where a coordinate is null or not finite. */
  points(x: Column, xType: DataType, y: Column, yType: DataType): Points

  /**
   * Converts a column to the form of DuckDB's vectors (`duckdb/input-type.ts`) and frees the original. Throws `type_mismatch` for
   * a value that DuckDB cannot represent; the original is freed then, too. `forms` are those of `duckForms`, three numbers for
   * each array.
   */
  duckColumn(column: Column, forms: readonly number[]): Column
  /**
   * The address of the text of rows, which is empty if each text is so short that it is stored in its `duckdb_string_t`. `path`
   * has the index of a child at each level of nesting.
   */
  duckText(
    column: Column,
    path: readonly number[],
    from: number,
    rows: number,
  ): { readonly address: number; readonly length: number }
  /** The rows of a vector. `base` is the address in DuckDB's memory to which the bytes of `duckText` were copied. */
  duckRows(column: Column, path: readonly number[], from: number, rows: number, base: number): VectorRows
  /**
   * The number of values in the dictionary of a column in DuckDB's form, or of values that it repeats. They are its child 0. 0: it
   * has its values row by row.
   */
  duckDictionary(column: Column): number
  /**
   * The address of 32-bit indexes into the dictionary of such a column. Nulls have the index after the last value. Valid until
   * the next call of the core.
   */
  duckSelection(column: Column, from: number, rows: number): number
  /** Bytes of the core's memory. Valid until the next call of the core. */
  view(address: number, length: number): Uint8Array
  /**
   * Room for stored bytes in the core's memory, where `inflateBlosc` and `inflateLz4Block` take them without a copy. Valid until the next
   * call of the core.
   */
  storedRoom(length: number): Uint8Array
  /** Decompresses an LZ4 frame of `size` bytes. Throws `unreadable_file` if it has another size, before memory is allocated. */
  inflateLz4(frame: Uint8Array, size: number): Uint8Array
  /** Decompresses an LZ4 block without a frame, which holds `size` bytes. Throws as `inflateLz4` does. */
  inflateLz4Block(block: Uint8Array, size: number): InflatedBytes
  /**
   * Decompresses a zlib stream of `most` bytes at most, whose checksum is compared, into the core's memory. What follows the stream
   * is ignored. Throws `unreadable_file` if it holds more, or is damaged.
   */
  inflateZlib(stream: Uint8Array, most: number): InflatedBytes
  /** The same for data in the blocks of HDF5's filter 32004, which hold `most` bytes at most. */
  inflateLz4Blocks(blocks: Uint8Array, most: number): InflatedBytes
  /** Decompresses LZF data, which hold `most` bytes at most. Throws `unreadable_file` if they hold more, or are damaged. */
  inflateLzf(stored: Uint8Array, most: number): InflatedBytes
  /**
   * Decompresses a buffer of Blosc 1, which holds `most` bytes at most, into the core's memory. What follows it is ignored. Elements of
   * `elementBytes` bytes may stay shuffled; of 0, none do. Throws `unreadable_file` if it holds more, is damaged, or is of a later version.
   */
  inflateBlosc(frame: Uint8Array, most: number, elementBytes: number): InflatedBytes
  /** Puts the bytes of elements of `width` bytes together: of `shuffled` bytes the first ones of all elements come first, and so on. */
  unshuffle(shuffled: Uint8Array, width: number): InflatedBytes
  readonly rasters: Rasters
}

interface ChangeKey {
  readonly column: Column
  readonly type: DataType
  /** The bits that tell of a change, below 256. */
  readonly bits: number
}

/** A column of values of a type. */
interface TypedColumn {
  readonly column: Column
  readonly type: DataType
}

export interface OrderKey extends TypedColumn {
  readonly isDescending: boolean
  readonly areNullsFirst: boolean
}

/** The compression of each buffer of a message: as an LZ4 frame, by Zstandard, or none. */
export type Compression = 'none' | 'lz4' | 'zstd'

export interface EncodedRows {
  readonly bytes: ArrayBuffer
  readonly rows: number
  readonly metadataBytes: number
  readonly next: number
}

interface ParquetPages {
  readonly bytes: ArrayBuffer
  /** As `src/parquet_write/summary.rs` writes it. */
  readonly summary: ArrayBuffer
}

/** Rows of a column in the form of a DuckDB vector. Addresses in the core's memory are valid until the core's next call. */
interface VectorRows {
  /** The address of the values, of `duckdb_string_t` or of `duckdb_list_entry`. 0: only the children have values. */
  readonly values: number
  /** The address of 64-bit words, of which bit 0 is the first row. 0: no row is null. */
  readonly validity: number
  /** The rows of the children that belong to these rows. */
  readonly childFrom: number
  readonly childRows: number
}
