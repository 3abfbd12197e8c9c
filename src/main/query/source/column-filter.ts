import type { Condition } from '../../../plan/condition/condition.ts'
import type { Field } from '../../../plan/types/schema.ts'

/** The filter of a query that is known before the columns of its source are. */
export interface ColumnFilter {
  /**
   * What the filter says of columns of these names and types: a condition that is true for each row that the filter lets pass.
   * Null: nothing. Does not throw.
   */
  on(columns: readonly Field[]): Condition | null
}

/**
 * In place of a filter that is not known yet: of each level of folders `key=value`, only the last one is searched, or the first.
 * The columns of their files are probably those of all. Files tend to get more columns with time, so the last ones have most.
 */
export const LAST_FOLDERS: ColumnFilter = Object.freeze({ on: () => null })
export const FIRST_FOLDERS: ColumnFilter = Object.freeze({ on: () => null })

/** The filter of a query without one, or of one whose filter is not known. */
export const NO_COLUMN_FILTER: ColumnFilter = Object.freeze({ on: () => null })
