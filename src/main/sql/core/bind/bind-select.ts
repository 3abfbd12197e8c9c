import type { ScanPlan } from '../../../../plan/plan.ts'
import { type Declinable, orDeclined } from '../../../query/bind/declined.ts'
import type { FilesTable } from '../../../query/source/files-table.ts'
import type { Item, Select } from '../parse/ast.ts'
import { bindGroups } from './bind-groups.ts'
import { bindOuter } from './bind-outer.ts'
import { bindRows } from './bind-rows.ts'
import { createTermOf, type TermOf } from './names-in-clauses.ts'
import type { Entry } from './query.ts'
import { type Relation, relationOfFiles, relationOfRows, requireFew } from './relation.ts'
import { createTableColumns, requireAlias, type TableColumns } from './table-columns.ts'

/** Binds a statement to a plan for the core over the table that it names. */
export function bindSelect(select: Select, table: FilesTable): Declinable<ScanPlan> {
  return orDeclined(() => bind(select, table))
}

function bind(select: Select, table: FilesTable): ScanPlan {
  const { from } = select
  const files = relationOfFiles(table.schema)
  if (from.kind === 'sources') return bindOver(files, select, table)
  const inner = bind(from.select, table)
  const relation = relationOfRows(inner, files)
  return relation === null ? bindOuter(select, from.alias, inner) : bindOver(relation, select, table)
}

function bindOver(relation: Relation, select: Select, table: FilesTable): ScanPlan {
  const { from } = select
  const columns = createTableColumns(relation, from.alias)
  requireFew(select.items, columns.names.length)
  const listed = createTermOf(columns, [])
  const entries = select.items.flatMap((item) => entriesOf(item, columns, from.alias, listed))
  const aliases = entries.flatMap(({ alias, term }) => (alias === null ? [] : [[alias, term] as const]))
  const query = { select, table, columns, entries, termOf: createTermOf(columns, aliases) }
  return isGrouped(select) ? bindGroups(query) : bindRows(query)
}

/** The output columns of an item of the select list. Its names do not mean aliases of the same list. */
function entriesOf(
  item: Item,
  columns: TableColumns,
  alias: string | null,
  termOf: TermOf,
): readonly Entry[] {
  if (item.kind === 'star') {
    const { table, at } = item
    if (table !== null) requireAlias(table, alias, columns.has(table), at)
    return columns.names.map((name, index) => ({ term: { kind: 'column', index }, alias: null, name, at }))
  }
  const { value } = item
  const term = termOf(value, 'list')
  const own = value.kind === 'aggregate' ? value.label : columns.names[columns.indexOf(value)]
  return [{ term, alias: item.alias, name: item.alias ?? own ?? '', at: value.at }]
}

function isGrouped({ items, groupBy, having, orderBy }: Select): boolean {
  const listed = items.flatMap((item) => (item.kind === 'value' ? [item.value] : []))
  const values = [...listed, ...orderBy.map(({ value }) => value)]
  return groupBy !== null || having !== null || values.some(({ kind }) => kind === 'aggregate')
}
