import type { CatalogTable } from '../../catalog/catalog.ts'
import type { Lookups } from '../../catalog/lookups.ts'
import { fullNameOf, printName } from '../../catalog/written-name.ts'
import type { KnownNames } from '../../sql/gate/check-names.ts'
import { readStatement } from '../../sql/gate/gate.ts'
import { printTableName } from '../../sql/grammar/names.ts'
import type { NamedSources } from '../explain/named-sources.ts'

/** A view that a query reads, and those through which it reads that, the outermost first. */
interface ReadView {
  readonly path: readonly string[]
  /** The texts in its query: the paths of its files are among them. */
  readonly texts: ReadonlySet<string>
}

/**
 * What the names mean that a query has looked up, for EXPLAIN: found again from its views, since a plan has only what they read. A
 * relation that two views read has the one that was looked up first.
 */
export function namedSources(lookups: Lookups, names: KnownNames): NamedSources {
  /** By the names of their relations. */
  const tables = new Map<string, { readonly name: string; readonly above: readonly string[] }>()
  const views: ReadView[] = []
  const visited = new Set<CatalogTable>()

  function visit(table: CatalogTable, above: readonly string[]): void {
    if (visited.has(table)) return
    visited.add(table)
    if (table.query === null) {
      const relation = printName({ catalog: null, schema: null, name: table.name })
      tables.set(relation, { name: fullName(table), above })
      return
    }
    const path = [...above, fullName(table)]
    const query = readStatement(table.query, names)
    const texts = query.tokens.flatMap(({ kind, text }) => (kind === 'string' ? [unquote(text)] : []))
    views.push({ path, texts: new Set(texts) })
    for (const name of query.tables) {
      const below = lookups.findBelow(name)
      if (below !== null) visit(below, path)
    }
  }

  const fullName = (table: CatalogTable): string => printTableName(fullNameOf(table, names.catalog))

  for (const lookup of lookups.lookups) {
    if (lookup.digest === null) continue
    const table = lookups.findBelow({ catalog: null, schema: lookup.schema, name: lookup.name })
    if (table !== null) visit(table, [])
  }
  return {
    fullName: (relation) => tables.get(relation)?.name ?? null,
    viewsOver: (relation) =>
      tables.get(relation)?.above ??
      views.find(({ texts }) => pathsOf(relation).every((path) => texts.has(path)))?.path ??
      [],
  }
}

/** The paths in the name of a relation that has files: `csv(a.csv, b.csv)`. */
function pathsOf(relation: string): readonly string[] {
  return relation.slice(relation.indexOf('(') + 1, -1).split(', ')
}

function unquote(text: string): string {
  return text.slice(1, -1).replaceAll("''", "'")
}
