import type { Field } from '../types/schema.ts'

/** Rows that main has made, as buffers in the layout of Arrow arrays. They are sent with a task of their statement. */
export interface Values {
  readonly fields: readonly Field[]
  readonly rows: number
  /** One for each field. Null: the values were not asked for. */
  readonly columns: readonly (ValuesColumn | null)[]
}

export interface ValuesColumn {
  readonly layout: 'bool' | 'fixed' | 'utf8'
  /** The bytes of a value in the layout `fixed`, else 0. */
  readonly width: number
  /** The validity bitmap, then the others in order. */
  readonly buffers: readonly Uint8Array[]
}
