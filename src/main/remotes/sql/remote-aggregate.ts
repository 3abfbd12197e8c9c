import type { Field } from '../../../plan/types/schema.ts'

/** An aggregate of a column, or of all rows. */
export type RemoteAggregate =
  | { readonly kind: 'count_rows' }
  | { readonly kind: 'count' | 'sum' | 'min' | 'max'; readonly column: string }

export interface PrintedAggregate {
  readonly text: string
  /** Its type. The name is not that of the column in the answer. */
  readonly field: Field
}
