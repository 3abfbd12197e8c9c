import type { Schema } from '../../plan/types/schema.ts'
import type { CreateStatement } from '../sql/grammar/node.ts'
import { printStatement } from '../sql/grammar/print-statement.ts'
import type { Extensions } from './extensions/extension.ts'

/**
 * What the catalog stores of a table or a view: the statement that has created it, which is printed and parsed again, and the
 * columns that were found then or by the last REFRESH.
 */
export interface Definition {
  readonly statement: CreateStatement
  /** Null: no file was there, so that columns are found by each query. A view always has columns. */
  readonly columns: Schema | null
  /** Absent: it has none. */
  readonly extensions?: Extensions
  /** The crawler that has made it and may change it. Absent: a statement has made it. */
  readonly owner?: string
  /** The name of the login that the options of the statement have, which is stored as a secret that no statement names. Absent: they have none. */
  readonly login?: string
}

/** One step of a statement that changes the catalog. The steps of one statement are committed together. */
export type Change =
  /** Stores a definition, in place of that of the same name if there is one. */
  { readonly kind: 'put'; readonly definition: Definition } | { readonly kind: 'drop'; readonly name: string }

/** The statement that makes a table or a view again, with a comment that names the crawler that keeps the table. */
export function printDefinition({ statement, owner }: Definition): string {
  const text = printStatement(statement)
  // Names of crawlers have no line breaks, with which the comment would end.
  return owner === undefined ? text : `-- Kept by the crawler ${JSON.stringify(owner)}.\n${text}`
}
