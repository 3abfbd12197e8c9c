/** What a scan asks of another service, for EXPLAIN. */
export interface RemoteScan {
  /** The statement that is sent. */
  readonly statement: string
  /** Conditions of the scan that are no part of it, and are applied here alone. */
  readonly appliedHere: readonly string[]
  /** Why the limit is no part of it either. Null: it is, or there is none. */
  readonly whyNoLimit: string | null
  /** Why groups are made here of its rows. Null: they are made there, or there are none. */
  readonly whyNoGroups: string | null
  /** Whether the statement makes the whole answer, whose rows are passed on as they come. Absent: rows are fetched, and read here. */
  readonly isWhole?: true
  /** Why it does not. Absent: it does, or no service of this kind is asked. */
  readonly whyNotWhole?: string
  /** What came. Null: nothing was asked for, since the plan alone is wanted. */
  readonly received: { readonly rows: number; readonly bytes: number } | null
}
