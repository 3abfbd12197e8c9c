import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { decline } from '../../bind/declined.ts'
import type { ColumnName } from './ast.ts'

/** Parses a column, with or without the name of its table before a dot. */
export function parseColumn(reader: TokenReader): ColumnName {
  const at = reader.at()
  const first = reader.expectName()
  if (reader.isSign('(')) decline(`the function "${first}"`, at)
  if (!reader.takeSign('.')) return { kind: 'column', table: null, name: first, at }
  const { kind, text } = reader.peek() ?? reader.unexpected()
  if (kind !== 'word' && kind !== 'quoted') reader.unexpected()
  reader.next()
  if (reader.isSign('.') || reader.isSign('(')) decline(`what follows "${first}"."${text}"`, reader.at())
  return { kind: 'column', table: first, name: text, at }
}
