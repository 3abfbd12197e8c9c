import type { Scalar } from '../types/scalar.ts'
import type { DataType } from '../types/schema.ts'
import type { Finish, FirstRows, Grouping, SortKey } from './finish.ts'
import type { Part } from './part.ts'

/** What a task computes from the rows of its units, or of those of them that it names. */
export type Fragment =
  /** The rows as they are. */
  | { readonly kind: 'rows' }
  /** The whole answer, as there are no other units. */
  | { readonly kind: 'answer'; readonly ending: Ending }
  /** The number of rows, as one part without bytes. */
  | { readonly kind: 'count' }
  | MergedFragment

/**
 * A fragment that is merged with those of other units. Its parts are:
 * - `groups`: one part, a table of groups;
 * - `top`: the first `limit` rows in the order, with all columns of the projection, as record batch messages; without a limit
 *   all rows, unsorted;
 * - `firsts`: the first rows of each group, in file order, likewise with all columns. With the number of its `task`, that and where the row
 *   is in the task are a further column (`places.ts`).
 */
export type MergedFragment =
  | { readonly kind: 'groups'; readonly grouping: Grouping }
  | { readonly kind: 'top'; readonly order: readonly SortKey[]; readonly limit: number }
  | { readonly kind: 'firsts'; readonly firsts: FirstRows; readonly task?: number }

export const ROWS: Fragment = Object.freeze({ kind: 'rows' })

/** The last steps of an answer, when all rows or groups are there. */
export interface Ending {
  readonly finish: Finish
  readonly offset: number
  readonly limit: number
  /** The types of the output columns. */
  readonly types: readonly DataType[]
}

/** Of which rows of each group a task needs no others. Undefined: it needs all rows. */
export function firstsOf(fragment: Fragment): FirstRows | undefined {
  if (fragment.kind === 'firsts') return fragment.firsts
  return fragment.kind === 'answer' ? fragment.ending.finish.firsts : undefined
}

/** The groups that a task makes. Null: it makes none. */
export function groupingOf(fragment: Fragment): Grouping | null {
  if (fragment.kind === 'groups') return fragment.grouping
  return fragment.kind === 'answer' ? fragment.ending.finish.grouping : null
}

/** The input of a `finish` task: fragments in their order, or the one row of a grouping without keys. */
export type Unfinished =
  | { readonly kind: 'groups' | 'rows'; readonly parts: readonly Part[] }
  | { readonly kind: 'row'; readonly values: readonly (Scalar | null)[] }

/** The fragments in the input of a `finish` task. */
export function unfinishedParts(table: Unfinished | null): readonly Part[] {
  return table === null || table.kind === 'row' ? [] : table.parts
}
