import type { Condition } from '../../plan/condition/condition.ts'
import type { SourceColumn } from '../../plan/scan.ts'
import type { LaidOutArrays } from '../../plan/source/array-layout.ts'
import type { FileRef } from '../../plan/source/file.ts'
import type { Omitted } from '../../plan/source/omitted.ts'
import type { BoxRange, RowRange, RowsRange, RunRange, TextRange } from '../../plan/source/range.ts'
import type { FileSummary, Segments } from '../../plan/source/segments.ts'
import type { ColumnStatistics } from '../../plan/source/statistics.ts'
import type { FileStructure } from '../../plan/source/structure.ts'
import type { Span } from '../../plan/source/text.ts'
import type { IndexRange } from '../../plan/source/unit.ts'
import type { WholeColumns } from '../../plan/source/whole.ts'
import type { FilteredBytes } from '../../plan/task/filtered-bytes.ts'
import type { DataType, Schema } from '../../plan/types/schema.ts'
import type { Column, Mask } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { Chunks } from '../store/chunks.ts'
import type { Stopwatch } from '../store/stopwatch.ts'
import type { Store } from '../store/store.ts'
import type { WholePlace } from './arrays/element-place.ts'
import type { ChunkedColumns } from './chunked-columns.ts'

export interface ReadContext {
  readonly core: Core
  readonly stopwatch: Stopwatch
  readonly chunks: Chunks
  readonly undoFilter: UndoFilter
  /** The names of all columns that are read of the unit, perhaps one after the other. Absent: they are not known. */
  readonly unitColumns?: readonly string[]
  /** What units of a task share is freed by it, when the store is closed that they are read from. Absent: no other unit is read from it. */
  readonly untilClosed?: DisposableStack
  /** Throws `cancelled` if the query was cancelled. Called for each page and before each long step. */
  checkCancelled(): void
}

/**
 * Decodes a chunk whose filter only the HDF5 library knows. Waits for the annex. `stored` is transferred. Returns as many
 * bytes as are expected. Throws `unreadable_file` and `cancelled`.
 */
export type UndoFilter = (filtered: FilteredBytes) => ArrayBuffer

/** What reading metadata takes: of some files, values of arrays describe others. */
export type OpenContext = ReadContext

/** Columns in the core's memory, each of `rows` rows. The receiver frees each of them once. */
export interface ColumnSet {
  readonly rows: number
  readonly columns: readonly Column[]
  /** Whether some rows that were not selected have arbitrary values, in at least one of the columns. */
  readonly hasGaps?: boolean
  /** Text formats only. */
  readonly span?: Span
}

/** The bytes of a small file. */
export interface HeldBytes {
  /** Memory that has all bytes of the file, from `at` on. They stay as they are until the rows have been taken. */
  readonly memory: Uint8Array
  readonly at: number
  readonly size: number
  readonly file: FileRef
  /** Whether what the metadata say may be kept by the version of the file. */
  readonly isCaching: boolean
  /** The store of these bytes. It is opened when it is first asked for. */
  readonly store: Store
}

/** A small file, of which rows are read together with those of others. */
export interface HeldFile extends HeldBytes {
  readonly range: RowRange
  /** The number of rows of the range. */
  readonly rows: number
  /** What the file holds. It is opened once. */
  open(): OpenFile
}

/**
 * What an inspection tells of small files of arrays whose metadata are equal, but for the bounds of their columns. One object for all of them. Or of a
 * file whose metadata have the form of others.
 */
export interface AlikeFiles extends Required<Pick<FileSummary, 'schema' | 'arrays'>> {
  /** Absent: they follow from the arrays. */
  readonly segments?: FileSummary['segments']
  /** The columns whose bounds differ, by ascending fields. */
  readonly places: readonly WholePlace[]
  /** What is known of others. */
  readonly computed: WholeColumns
}

/** The rows of files that are laid out alike, one file after the other. */
export interface FilesTogether extends Disposable {
  /**
   * Appends the rows of a file. False: nothing was appended. If rows were appended since the last `take`, the file may be laid out otherwise than
   * theirs, and can be appended after it. Else it has to be read by itself.
   */
  add(file: HeldFile): boolean
  /** The columns of the rows that were appended since the last call, in the types that were asked for. The caller frees them. */
  take(): Column[]
}

/** Which rows of a range are wanted. Rows are counted from the first of the range. */
export interface Selection {
  /** Whether at least one of the rows `from`..`to`, `to` excluded, is wanted. */
  hasAny(from: number, to: number): boolean
  /** Whether the column cache would keep a column if all of its rows were read. Then some extra work is worth it. */
  wouldKeep?(column: SourceColumn): boolean
  /** A mask of the wanted rows, if these are so few that it saves work not to decode the others. */
  readonly few?: Mask | undefined
}

/** Records of a text file that were located, to be read a few columns at a time. */
export interface FoundRows extends Disposable {
  readonly rows: number
  readonly span: Span
  /** As `OpenFile.read`, of the rows that are left. */
  read(columns: readonly SourceColumn[]): Column[]
  /** Drops the rows that are not true in the mask. Their fields are not parsed any more. */
  keep(mask: Mask): void
}

/** How rows of a run of entries are located. */
export interface LocatingOptions {
  /** The row of the run from which on rows are wanted. */
  readonly from: number
  /** The columns that are to be read, in the types of the scan. The less a row of them takes, the more rows are located. */
  readonly asked: readonly SourceColumn[]
  /**
   * Entries of which no row can make the filter true have no rows. `columns` are as for `OpenFile.prune`. Null: all entries have theirs. The
   * rows of a run are counted without those of others, so all calls that go on with a run have the same filter.
   */
  readonly pruning: { readonly filter: Condition; readonly columns: readonly SourceColumn[] } | null
  /** Whether the first rows of a file are wanted soon, so that few are located with them. Absent: no. */
  readonly isStreamed?: boolean
}

/** Rows of a run of entries that are decoded together. */
export interface LocatedRows {
  /** The rows of the run before them, at most as many as were asked for. */
  readonly from: number
  readonly rows: number
  /** Whether the run has no rows behind them. */
  readonly isLast: boolean
  /** As `OpenFile.read`. */
  read(columns: readonly SourceColumn[], selection?: Selection): Column[]
}

/**
 * An opened dataset: its metadata has been read and checked, its rows have not been read. It holds no file descriptor, so
 * it can be cached by the version of the store. It may hold what `open`, `infer` and `segments` read, which is part of that
 * version, and nothing that `read` does.
 */
export interface OpenFile {
  /** If the format has `infer`, that has to be called first. */
  readonly schema: Schema
  /** The columns of which it keeps what the metadata say, as objects. Absent: few, or their bytes. */
  readonly keptColumns?: number
  /**
   * The rows that the named columns have together; none: all columns. A format of rows gives the same whichever columns are
   * named. A format of arrays reads coordinates here, among them those that a filter compares, and the counts of ragged arrays.
   * `compared` null: coordinates are not wanted. If the format has `infer`, that has to be called first.
   */
  segments(
    columns: readonly string[],
    store: Store,
    context: ReadContext,
    compared?: readonly string[] | null,
  ): Segments
  /**
   * What the grid of any columns follows from, if the values along its axes are not needed. Null: it takes more. A format of rows has
   * none.
   */
  layout?(): LaidOutArrays | null
  /** Infers the schema from rows, for a format whose files do not state it. Does nothing from the second call on. */
  infer?(store: Store, context: OpenContext): void
  /**
   * What in the dataset looks as if other options were meant, each with the option that helps: `decimal = ',' would read "a" as
   * numbers`. If the format has `infer`, that has to be called first.
   */
  readonly notices?: readonly string[]
  /** What no column is made of. A query that names it is an `unknown_column` by `segments`. Absent: nothing. */
  readonly omitted?: readonly Omitted[]
  /** Names in the options of the format that are no columns here. Other files may have them. Absent: there are none. */
  readonly unknownNames?: readonly string[]
  /** Statistics of a top-level column, one entry a segment; null where a segment has none. A grid has none here: its axes have them. */
  statistics(column: string): readonly (ColumnStatistics | null)[]
  /**
   * What is known of all values of columns of a grid, `named` ones among them, as far as it takes little to find out. Those of the fields
   * `others` are found out otherwise. Absent: nothing.
   */
  whole?(
    named: readonly string[],
    store: Store,
    context: ReadContext,
    others: ReadonlySet<number>,
  ): WholeColumns
  /** Where the elements of columns of numbers and times are that are stored one after the other in bytes of the store. Absent: there are none. */
  wholePlaces?(store: Store, context: ReadContext): readonly WholePlace[]
  /** The type in which `read` returns a column. Null: the file has no column of that name. */
  typeOf(column: SourceColumn): DataType | null
  /**
   * Reads top-level columns over the rows of a range, in the order given and each in the type of `typeOf`. Columns that the
   * file lacks must not be asked for. The caller bounds the estimated size of the range; throws `memory_limit` if the rows do
   * not fit all the same. Rows that are not selected may have arbitrary values, if that saves work. With `areValuesEnough`,
   * which takes a single column, the read may end early, once no later row of the range has a value that did not occur.
   */
  read(
    store: Store,
    range: RowRange,
    columns: readonly SourceColumn[],
    context: ReadContext,
    selection?: Selection,
    areValuesEnough?: boolean,
  ): ColumnSet
  /**
   * The same of boxes of a grid, one after the other, as one column of all rows for each. Absent: each box is read by itself, and the columns of all
   * are copied together.
   */
  readBoxes?(
    store: Store,
    boxes: readonly BoxRange[],
    columns: readonly SourceColumn[],
    context: ReadContext,
  ): readonly Column[]
  /**
   * Begins to read columns, all of which the file has in these types, of small files that are laid out as this one. Null: columns of these types are
   * read file by file. Absent: all are, unless `Provider.together` reads them.
   */
  together?(columns: readonly SourceColumn[], store: Store, context: ReadContext): FilesTogether | null
  /**
   * Proves by page statistics and the like which rows of a range cannot make a filter true. Returns runs of the others,
   * ascending and counted from the beginning of the range. Null: nothing is known. `columns` holds the columns of the filter
   * in the types of the scan; a column that the file lacks is null in all rows.
   */
  prune?(
    store: Store,
    range: RowsRange,
    filter: Condition,
    columns: readonly SourceColumn[],
    context: ReadContext,
  ): readonly IndexRange[] | null
  /** The columns of whose chunks `read` adds statistics to `ReadContext.chunks`. Absent: there are none. */
  readonly chunked?: ChunkedColumns
  /**
   * Locates the records of a block. Text formats only: their records have to be located before they can be read. No other columns than
   * `wanted` are read. Absent: any may be.
   */
  find?(store: Store, range: TextRange, context: ReadContext, wanted?: readonly SourceColumn[]): FoundRows
  /** Locates rows of a run of entries. Formats of entries only. */
  locate?(store: Store, range: RunRange, options: LocatingOptions, context: ReadContext): LocatedRows
}

/** What is told of a file with one segment. `whole` has the bounds of all columns of numbers and times that have some. */
export interface SmallSummary extends Pick<FileSummary, 'schema' | 'segments'> {
  readonly whole: WholeColumns
}

/** The reader of a format. Each one passes the conformance suite, test/formats/conformance.ts. */
export interface Provider {
  /** Whether the dataset begins (and, where the format has a magic number at its end, ends) as one of this format. */
  sniff(store: Store): boolean
  open(store: Store, context: OpenContext): OpenFile
  /**
   * What an inspection of a small file tells, without opening it. Null: it has to be opened, which also tells what is wrong with it. Absent: all
   * are opened.
   */
  summarize?(store: Store, context: OpenContext): SmallSummary | null
  /**
   * What an inspection of all columns of a small file of arrays tells, but for their bounds, if a file of equal metadata or of their form was opened
   * lately. Null: it has to be opened. Absent: all are opened.
   */
  alike?(held: HeldBytes, context: ReadContext): AlikeFiles | null
  /**
   * Begins to read columns of small files. Columns that a file does not have are null, and others are widened to the types that are asked for. Absent:
   * files are opened to be read.
   */
  together?(columns: readonly SourceColumn[], context: ReadContext): FilesTogether
  /** Reads what the dataset holds, whether or not it is a column. Absent: files of the format have no more than their columns. */
  structure?(store: Store, context: OpenContext): FileStructure
}
