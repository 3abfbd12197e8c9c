import type { Predicate } from '../../plan/predicate/predicate.ts'
import type { SourceColumn } from '../../plan/scan.ts'
import type { RowRange, RowsRange, TextRange } from '../../plan/source/range.ts'
import type { Segments } from '../../plan/source/segments.ts'
import type { ColumnStatistics } from '../../plan/source/statistics.ts'
import type { Span } from '../../plan/source/text.ts'
import type { RowRun } from '../../plan/source/unit.ts'
import type { DataType, Schema } from '../../plan/types/schema.ts'
import type { Column, Mask } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { Chunks } from '../store/chunks.ts'
import type { Stopwatch } from '../store/stopwatch.ts'
import type { Store } from '../store/store.ts'

export interface ReadContext {
  readonly core: Core
  readonly stopwatch: Stopwatch
  readonly chunks: Chunks
  /** Throws `cancelled` when the query was stopped: called per page and before each long step. */
  checkCancelled(): void
}

/** What reading metadata takes. */
export type OpenContext = Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>

/** Columns in the core's memory, all of `rows` rows. Whoever holds it frees them, once. */
export interface ColumnSet {
  readonly rows: number
  readonly columns: readonly Column[]
  /** Whether some rows that were not selected hold anything, in one of the columns at least. */
  readonly hasGaps?: boolean
  /** Text formats only. */
  readonly span?: Span
}

/** The rows of a range that somebody looks at, counted from its first. */
export interface Selection {
  /** Whether one of the rows `from`..`to` is selected. */
  hasAny(from: number, to: number): boolean
  /** Whether a column would be kept for later queries if it were read in all rows: worth some work more. */
  wouldKeep?(column: SourceColumn): boolean
}

/** Rows that have been found, to be read a few columns at a time. */
export interface FoundRows extends Disposable {
  readonly rows: number
  readonly span: Span
  /** As `OpenFile.read` of all rows that are left. */
  read(columns: readonly SourceColumn[]): Column[]
  /** Leaves only the rows that are true in a mask; nobody looks at the others any more. */
  keep(mask: Mask): void
}

/**
 * A dataset of one format, opened: its metadata has been read and checked, no rows yet. Holds no descriptor, so that
 * it can be cached by the store's version.
 */
export interface OpenFile {
  /** Of a format with `infer`: not before that. */
  readonly schema: Schema
  /**
   * How the rows lie that the named columns have together; none: all columns. Of a format of rows they are the same whichever
   * columns are named. A grid's coordinates are read here. Of a format with `infer`: not before that.
   */
  segments(columns: readonly string[], store: Store, context: OpenContext): Segments
  /** Learns the schema from the rows, of a format that does not say it; only the first call does something. */
  infer?(store: Store, context: OpenContext): void
  /** Statistics of a top-level column, segment by segment. A grid has them with its axes, and none here. */
  statistics(column: string): readonly (ColumnStatistics | null)[]
  /** The type in which `read` gives a column; null when the file has none of that name. */
  typeOf(column: SourceColumn): DataType | null
  /**
   * Rows of a range: the named top-level columns in the order asked, each in the type of `typeOf`; columns that the
   * file lacks are not asked for. The caller has cut the range so that its estimated size is bounded; `memory_limit`
   * is thrown when the rows turn out not to fit. Rows that are not selected may come out as anything, if that saves work.
   * If `areValuesEnough`, of a single column, fewer rows may come, that have all values of the others behind them.
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
   * The rows of a range among which are all that make a filter true, as far as the file tells before they are read; counted
   * from the range's beginning, ascending. Null: it does not tell. `columns` has those of the filter in the types of the
   * scan; one that the file lacks is null.
   */
  prune?(
    store: Store,
    range: RowsRange,
    filter: Predicate,
    columns: readonly SourceColumn[],
    context: ReadContext,
  ): readonly RowRun[] | null
  /** Of a text format, whose records must be found before they can be read: finds those of a block. */
  find?(store: Store, range: TextRange, context: ReadContext): FoundRows
}

/** A format: every one behind the same face, run through the same conformance suite. */
export interface Provider {
  /** Whether the dataset begins (and, where the format says so, ends) like this format. */
  sniff(store: Store): boolean
  open(store: Store, context: OpenContext): OpenFile
}
