import type { Scalar } from '../types/scalar.ts'
import type { DataType } from '../types/schema.ts'
import type { Finish, Grouping, SortKey } from './finish.ts'
import type { Part } from './part.ts'

/** What is made of the rows of a task's units. */
export type Fragment =
  /** They go out as they are. */
  | { readonly kind: 'rows' }
  /** There are no other units: all of the answer. */
  | { readonly kind: 'answer'; readonly ending: Ending }
  | { readonly kind: 'count' }
  | MergedFragment

/**
 * A **partial**, to be merged with those of other units. It leaves as parts:
 * - `count`: one, which has the number of rows and no bytes;
 * - `groups`: one, a table of groups;
 * - `top`: the first `limit` rows in the order, all columns of the projection, as record batch messages; without a limit
 *   as they lie.
 */
export type MergedFragment =
  | { readonly kind: 'groups'; readonly grouping: Grouping }
  | { readonly kind: 'top'; readonly order: readonly SortKey[]; readonly limit: number }

export const ROWS: Fragment = Object.freeze({ kind: 'rows' })

/** How an answer ends, of which the rows or groups are there. */
export interface Ending {
  readonly finish: Finish
  readonly offset: number
  readonly limit: number
  /** Of the output's columns. */
  readonly types: readonly DataType[]
}

/** What is to be finished: partials in their order, moved to the worker, or the one row of a grouping without keys. */
export type Unfinished =
  | { readonly kind: 'groups' | 'rows'; readonly parts: readonly Part[] }
  | { readonly kind: 'row'; readonly values: readonly (Scalar | null)[] }

/** The partials of what is to be finished. */
export function unfinishedParts(table: Unfinished | null): readonly Part[] {
  return table === null || table.kind === 'row' ? [] : table.parts
}
