import { foldSqlName } from '../../plan/statement/statement.ts'
import { PUBLIC } from '../catalog/catalog.ts'
import { createNamesIn } from '../sql/gate/names-in.ts'
import type { StatementContext } from './context.ts'

/**
 * The names by which a query reads a view of this name, through other views: they begin and end with it. Null: it does not read it.
 * Names that a query gives to tables of its own count too.
 */
export function circleThrough(
  name: string,
  query: string,
  { catalog, formats, caller }: Pick<StatementContext, 'catalog' | 'formats' | 'caller'>,
): readonly string[] | null {
  const namesIn = createNamesIn({ formats, catalog: catalog.name })
  const snapshot = catalog.snapshot()
  /** For each name that was reached, the name in whose query it stands. */
  const from = new Map<string, string>()
  const texts = new Map([[name, query]])
  for (const [view, text] of texts)
    for (const { name: below, schema } of namesIn(text)) {
      if (schema !== null && foldSqlName(schema) !== PUBLIC) continue
      if (foldSqlName(below) === foldSqlName(name)) return [...pathTo(view, from), name]
      const found = snapshot.find(caller, below, PUBLIC)
      if (found?.query == null || texts.has(found.name)) continue
      from.set(found.name, view)
      texts.set(found.name, found.query)
    }
  return null
}

function pathTo(view: string, from: ReadonlyMap<string, string>): readonly string[] {
  const path = [view]
  for (let above = from.get(view); above !== undefined; above = from.get(above)) path.unshift(above)
  return path
}
