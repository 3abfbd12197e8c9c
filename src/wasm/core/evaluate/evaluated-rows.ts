import type { DataType } from '../../../plan/types/schema.ts'
import type { Column, Mask } from '../column.ts'

/** The rows over which expressions are evaluated. */
export interface EvaluatedRows {
  readonly rows: number
  /** The rows that are asked for. Of others the values are any, and none of them fails. Null: all. */
  readonly mask: Mask | null
  /** A column of them, and the type in which it is stored. */
  column(name: string): { readonly column: Column; readonly type: DataType }
  /** Called now and then. Throws to end the call. */
  checkCancelled(): void
}
