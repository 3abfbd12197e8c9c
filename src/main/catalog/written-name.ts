import { readAttachedName } from '../sql/gate/attached-name.ts'
import type { WrittenName } from '../sql/grammar/node.ts'
import type { CatalogTable } from './catalog.ts'

/** A part of a name: in double quotes, where a doubled one is one, or without dots and quotes. */
const PART = /"(?<quoted>(?:[^"]|"")+)"|(?<bare>[^".]+)/y

/** The parts of a text as the name of a table in SQL: up to three, with dots between. Null: it is no such name. */
export function readName(text: string): WrittenName | null {
  const parts: string[] = []
  for (let at = 0; ; at++) {
    PART.lastIndex = at
    const { quoted, bare } = PART.exec(text)?.groups ?? {}
    const part = quoted?.replaceAll('""', '"') ?? bare
    if (part === undefined || parts.push(part) > 3) return null
    at = PART.lastIndex
    if (at === text.length) break
    if (text[at] !== '.') return null
  }
  const [name = '', schema = null, catalog = null] = parts.toReversed()
  return { catalog, schema, name }
}

/** A name as messages print it, with its parts as they are written. */
export function printName(written: WrittenName): string {
  const { catalog, schema, name } = readAttachedName(written.name) ?? written
  return [catalog, schema, name].filter((part) => part !== null).join('.')
}

/** The parts of the name of a table: for one of an attached catalog, those that it has there. `here`: the catalog of the service. */
export function fullNameOf(
  { schema, name }: Pick<CatalogTable, 'schema' | 'name'>,
  here: string,
): Readonly<Record<'catalog' | 'schema' | 'name', string>> {
  return readAttachedName(name) ?? { catalog: here, schema, name }
}
