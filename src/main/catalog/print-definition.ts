import { printStatement } from '../sql/grammar/print-statement.ts'
import type { Definition } from './definition.ts'

/** The statement that makes a table or a view again, with a comment that names the crawler that keeps the table. */
export function printDefinition({ statement, owner }: Definition): string {
  const text = printStatement(statement)
  // Names of crawlers have no line breaks, with which the comment would end.
  return owner === undefined ? text : `-- Kept by the crawler ${JSON.stringify(owner)}.\n${text}`
}
