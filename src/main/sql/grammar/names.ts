import { printIdentifier } from '../text/keywords.ts'
import type { WrittenName } from './node.ts'
import type { StatementReader } from './statement-reader.ts'

/** Parses `[[catalog .] schema .] name`. */
export function parseTableName(reader: StatementReader): WrittenName {
  const parts = [reader.expectName('the name of a table')]
  while (parts.length < 3 && reader.takeSign('.')) parts.push(reader.expectName())
  const [name = '', schema = null, catalog = null] = parts.reverse()
  return Object.freeze({ catalog, schema, name })
}

export function printTableName({ catalog, schema, name }: WrittenName): string {
  return [catalog, schema, name].flatMap((part) => (part === null ? [] : [printIdentifier(part)])).join('.')
}
