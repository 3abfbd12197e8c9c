import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { WrittenName } from '../grammar/node.ts'

/** How the one name begins that stands for a table of an attached catalog within the service. No other table may begin so. */
const PREFIX = '__attached '

/** The schema of a name with two parts. */
const DEFAULT_SCHEMA = 'public'

/** Names that are never those of an attached catalog: schemas of the catalog, and databases of DuckDB. */
export const RESERVED_CATALOGS: ReadonlySet<string> = new Set([
  ...['information_schema', 'main', 'memory', 'pg_catalog', 'public', 'system', 'temp'],
])

/**
 * One name for a table of an attached catalog. Capital letters are marked in it, because names are compared without the case of A to Z, and
 * the remote may have two that differ in that alone.
 */
export function attachedName(catalog: string, schema: string, name: string): string {
  return PREFIX + [foldSqlName(catalog), schema, name].map(mark).join('.')
}

/** The parts of such a name, as its first letters or all of them are written. Null: it is none. */
export function readAttachedName(
  text: string,
): Required<Record<'catalog' | 'schema' | 'name', string>> | null {
  if (!text.startsWith(PREFIX)) return null
  const [catalog, schema, name] = text.slice(PREFIX.length).split('.').map(unmark)
  return catalog === undefined || schema === undefined || name === undefined
    ? null
    : { catalog, schema, name }
}

/** The name for what a written name means, if its first part may be an attached catalog. Null: it has none, or the catalog of the service. */
export function attachedNameOf(
  { catalog, schema, name }: WrittenName,
  here: string,
  isAttached: (name: string) => boolean,
): string | null {
  const [first, second] = catalog === null ? [schema, DEFAULT_SCHEMA] : [catalog, schema ?? DEFAULT_SCHEMA]
  if (first === null) return null
  const folded = foldSqlName(first)
  if (folded === here || RESERVED_CATALOGS.has(folded) || !isAttached(folded)) return null
  return attachedName(first, second, name)
}

function mark(part: string): string {
  return part.replaceAll(/[A-Z^.]/g, (sign) => (sign === '.' ? '^,' : `^${sign.toLowerCase()}`))
}

function unmark(part: string): string {
  return part.replaceAll(/\^(.)/gs, (_, sign: string) => (sign === ',' ? '.' : sign.toUpperCase()))
}
