import { parseTableName, printTableName } from '../names.ts'
import type { CreateView } from '../node.ts'
import { type ParsedStatement, parseQueryText } from '../query-text.ts'
import { parseIfExists, printCreate } from './create.ts'

/** Parses what follows `CREATE [OR REPLACE] VIEW`. */
export function parseView(statement: ParsedStatement, isReplacing: boolean): CreateView {
  const { reader } = statement
  const ifExists = parseIfExists(reader, isReplacing)
  const name = parseTableName(reader)
  reader.expectWords('AS')
  return Object.freeze({ kind: 'create_view', name, ifExists, query: parseQueryText(statement) })
}

export function printView({ name, ifExists, query }: CreateView): string {
  return `${printCreate('VIEW', ifExists)} ${printTableName(name)} AS ${query}`
}
