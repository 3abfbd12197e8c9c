import { ServiceError } from '../../../../plan/errors.ts'
import { createLru } from '../../../../plan/lru.ts'
import { foldSqlName, type TableRequest } from '../../../../plan/statement/statement.ts'
import { type CatalogTable, MOST_NESTED_VIEWS, PUBLIC } from '../../../catalog/catalog.ts'
import type { Lookups } from '../../../catalog/lookups.ts'
import type { KnownNames } from '../../../sql/gate/check-names.ts'
import { readStatement } from '../../../sql/gate/gate.ts'
import { type Declinable, decline, orDeclined } from '../../bind/declined.ts'
import { goneBelow } from '../../source/named/unknown-table.ts'
import type { FromSelect, Select } from '../parse/ast.ts'
import { parseSelect } from '../parse/parse-select.ts'

/** Keeps the queries of views as they are parsed, by the digests of the views. */
export interface ViewTrees {
  /**
   * The statement with the query of each view that it names in brackets in place of the name, as deep as views read views. It names
   * tables and files alone then. Declines a view whose query the core does not run. Throws `unknown_table` for a view over a name that
   * nothing has, and `invalid_sql` for views that read each other in a circle.
   */
  expanded(select: Select, lookups: Lookups): Declinable<Select>
  /** The query of a view, likewise. */
  of(view: CatalogTable, lookups: Lookups): Declinable<Select>
}

/** The most characters of all texts of views together that are kept as trees. */
const MOST_CHARACTERS = 4 << 20

interface Kept {
  readonly tree: Declinable<Select>
  /** How deep views are nested in it: 1 if it reads none. */
  readonly depth: number
  readonly characters: number
}

export function createViewTrees(names: KnownNames): ViewTrees {
  const cachedTrees = createLru<Kept>(MOST_CHARACTERS, ({ characters }) => characters)

  /** `find` looks names up, and `above` are the views whose queries name this one, the outermost first. */
  function inPlace(select: Select, find: Find, below: Find, above: readonly CatalogTable[]): Expanded {
    const { from } = select
    if (from.kind === 'select') {
      const inner = inPlace(from.select, find, below, above)
      if (inner.select === from.select) return { select, depth: 0 }
      return { select: { ...select, from: { ...from, select: inner.select } }, depth: inner.depth }
    }
    const [source] = from.sources
    if (source?.kind !== 'table') return { select, depth: 0 }
    const { at, alias } = from
    const { schema } = source
    if (schema !== null && foldSqlName(schema) !== PUBLIC) decline(`a table of the schema ${schema}`, at)
    const table = find(source)
    const view = above.at(-1)
    if (table === null && view !== undefined) throw goneBelow(view, source)
    if (table?.type !== 'VIEW') return { select, depth: 0 }
    const { tree, depth } = treeOf(table, below, above)
    if ('reason' in tree) return decline(`${tree.reason.what} in the view ${table.name}`, at)
    const query: FromSelect = { kind: 'select', select: tree.done, view: table.name, at, alias }
    return { select: { ...select, from: query }, depth }
  }

  function treeOf(view: CatalogTable, below: Find, above: readonly CatalogTable[]): Kept {
    const { query, digest } = view
    const cachedTree = cachedTrees.get(digest)
    if (cachedTree !== undefined) return cachedTree
    if (query === null) throw new TypeError(`${view.name} is no view`)
    if (above.includes(view) || above.length === MOST_NESTED_VIEWS) throw tooDeep(view, above)
    const parsed = parseSelect(readStatement(query, names).tokens, names.formats)
    const expanded =
      'reason' in parsed ? parsed : orDeclined(() => inPlace(parsed.done, below, below, [...above, view]))
    const characters = query.length
    const viewTree =
      'reason' in expanded
        ? { tree: expanded, depth: 1, characters }
        : { tree: { done: expanded.done.select }, depth: expanded.done.depth + 1, characters }
    // Views below it may have been kept, so that they were not gone through.
    if (viewTree.depth > MOST_NESTED_VIEWS) throw tooDeep(view, [])
    cachedTrees.put(digest, viewTree)
    return viewTree
  }

  return {
    expanded(select, { table, findBelow: below }) {
      return orDeclined(() => inPlace(select, table, below, []).select)
    },
    of: (view, { findBelow: below }) => treeOf(view, below, []).tree,
  }
}

type Find = (name: TableRequest) => CatalogTable | null

/** A query with views in place of their names, and how deep these are nested. */
interface Expanded {
  readonly select: Select
  readonly depth: number
}

function tooDeep({ name }: CatalogTable, above: readonly CatalogTable[]): ServiceError {
  const names = above.map((view) => view.name)
  const [outermost = name] = names
  const what = names.includes(name)
    ? `The view ${JSON.stringify(name)} reads itself: ${[...names.slice(names.indexOf(name)), name].join(' → ')}.`
    : `The view ${JSON.stringify(outermost)} reads views more than ${MOST_NESTED_VIEWS} deep.`
  return new ServiceError('invalid_sql', what, { about: outermost })
}
