import { columnsOf } from '../../../../plan/expression.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import { allRows } from '../../../../plan/task/finish.ts'
import { field } from '../../../../plan/types/schema.ts'
import { type Declinable, decline, orDeclined } from '../../bind/declined.ts'
import { createProjectionList } from '../../bind/projection-list.ts'
import type { FilesTable } from '../../source/files-table.ts'
import type { FromSelect, Item, Select } from '../parse/ast.ts'
import { hasAggregate } from '../parse/values-in.ts'
import { printLabel } from '../print/print-label.ts'
import { inView } from '../views/in-view.ts'
import {
  type BoundFirsts,
  bindWindow,
  firstsFinish,
  NUMBER,
  numberCondition,
  writtenFirsts,
} from './bind-firsts.ts'
import { bindGroups } from './bind-groups.ts'
import { bindAround, bindOuter, countIn, countOf } from './bind-outer.ts'
import { createGrowth, createUses, type Growth, type Uses } from './growth.ts'
import { createNames, type Names, type Term } from './names-in-clauses.ts'
import { bindFilter, type Entry, orderOf, planOf, type Query, rowOf } from './query.ts'
import { type BoundWindow, type Relation, relationOfFiles, relationOfRows, requireFew } from './relation.ts'
import { createTableColumns, requireAlias, type TableColumns } from './table-columns.ts'

/** Binds a statement to a plan for the core over the table that it names. */
export function bindSelect(select: Select, table: FilesTable): Declinable<ScanPlan> {
  return orDeclined(() => bind(select, { table, growth: createGrowth() }))
}

/** What all queries of a statement, or of a view, are bound with. */
interface Binding {
  readonly table: FilesTable
  readonly growth: Growth
}

function bind(select: Select, binding: Binding): ScanPlan {
  const { from } = select
  const files = relationOfFiles(binding.table)
  if (from.kind === 'sources') return bindOver(files, select, binding)
  const inner = bindInner(from, files, binding)
  return 'engine' in inner
    ? bindOuter(select, from.alias, inner, (relation) => bindOver(relation, select, binding))
    : bindOver(inner, select, binding)
}

/** A view by its tree, over the columns of the files that it was last bound to. `growth` is what its names stand for. */
interface BoundView {
  readonly files: Relation
  readonly relation: Relation
  readonly growth: number
}

const ofViews = new WeakMap<Select, BoundView>()

/** Binds a query in brackets, or that of a view: to a relation, or to a plan if it does more than choose rows and columns. */
function bindInner({ select, view, at }: FromSelect, files: Relation, binding: Binding): Relation | ScanPlan {
  if (view === null) return boundRows(select, files, binding)
  const { growth } = binding
  const cachedView = ofViews.get(select)
  if (cachedView?.files === files) {
    growth.take(cachedView.growth, at)
    return cachedView.relation
  }
  const before = growth.parts()
  const bound = orDeclined(() => boundRows(select, files, binding))
  if ('reason' in bound) return decline(`${bound.reason.what} in the view ${view}`, at)
  const placed = inView(bound.done, view)
  if (!('engine' in placed)) ofViews.set(select, { files, relation: placed, growth: growth.parts() - before })
  return placed
}

function boundRows(select: Select, files: Relation, binding: Binding): Relation | ScanPlan {
  if (isUnlimited(select)) return numberedRows(select, files, binding)
  const plan = bind(select, binding)
  return relationOfRows(plan, files) ?? plan
}

/** Whether a query numbers its rows, and the query around it says how many of them are left. */
function isUnlimited({ firsts }: Select): boolean {
  return firsts?.kind === 'row_number' && firsts.most === null
}

/** The rows of a query that numbers them. */
function numberedRows(select: Select, files: Relation, binding: Binding): Relation {
  const { from, firsts } = select
  const inner = from.kind === 'sources' ? files : bindInner(from, files, binding)
  if (firsts?.kind !== 'row_number' || 'engine' in inner) return decline('a window over a query')
  const { window } = firsts
  if (inner.numbered !== undefined || select.isDistinct || isGrouped(select))
    decline('such a query with a window', window.at)
  const query = queryOver(inner, select, binding)
  const numbered = bindWindow(query, window, 'list')
  const relation = relationOfRows(bindRows(query), files)
  return relation === null
    ? decline('a window in a query with an order or a limit', window.at)
    : { ...relation, numbered }
}

/** Binds a query to a relation. Declines one that does more than choose rows and columns. */
export function bindRelation(select: Select, view: string, table: FilesTable): Declinable<Relation> {
  return orDeclined(() => {
    const from: FromSelect = { kind: 'select', select, view, at: 0, alias: null }
    const bound = bindInner(from, relationOfFiles(table), { table, growth: createGrowth() })
    return 'engine' in bound || bound.numbered !== undefined
      ? decline(`rows of the view ${view}, which are not those of files`)
      : bound
  })
}

function bindOver(relation: Relation, select: Select, binding: Binding): ScanPlan {
  const { firsts } = select
  if (relation.numbered !== undefined) return bindNumbered(relation, relation.numbered, select, binding)
  const query = queryOver(relation, select, binding)
  if (firsts === undefined) return isGrouped(select) ? bindGroups(query) : bindRows(query)
  const at = firsts.kind === 'row_number' ? firsts.window.at : firsts.at
  if (select.isDistinct || isGrouped(select)) decline('first rows of groups among groups', at)
  if (isUnlimited(select)) decline('row_number() over all rows', at)
  return bindRows(query, writtenFirsts(query, firsts))
}

/** Binds a query over one that numbers its rows: its condition says how many of them are left. Other conditions are those of a query around these. */
function bindNumbered(relation: Relation, window: BoundWindow, select: Select, binding: Binding): ScanPlan {
  const { from, where, firsts, isDistinct } = select
  const at = from.kind === 'select' ? from.at : null
  const condition = numberCondition(where, createTableColumns(relation, from.alias))
  if (condition === null || firsts !== undefined) return decline('row_number() over all rows', at)
  const limited = { ...window, most: condition.most }
  const rest = { ...select, where: condition.rest }
  const rowsOf = (written: Select): ScanPlan => bindRows(queryOver(relation, written, binding), limited)
  if (rest.where === null && !isGrouped(select) && !isDistinct) return rowsOf(rest)
  const name = countIn(rest)
  if (name !== null) return countOf(rowsOf({ ...select, items: [], ...ALL }), name)
  const all = rowsOf({ ...select, items: [{ kind: 'star', table: null, at: at ?? 0 }], ...ALL })
  return bindAround(rest, all, (rows) => bindOver(rows, rest, binding))
}

/** What a query that has all rows has besides its list. */
const ALL = Object.freeze({
  isDistinct: false,
  where: null,
  groupBy: null,
  having: null,
  orderBy: Object.freeze([]),
  limit: null,
  offset: 0,
})

function queryOver(relation: Relation, select: Select, { table, growth }: Binding): Query {
  const { from } = select
  const uses = createUses(growth)
  const columns = createTableColumns(relation, from.alias)
  requireFew(select.items, columns.names.length)
  const listed = createNames(columns, [], uses)
  const entries = select.items.flatMap((item) => entriesOf(item, columns, from.alias, listed, uses))
  const aliases = entries.flatMap(({ alias, term }) => (alias === null ? [] : [[alias, term] as const]))
  return { select, table, columns, entries, names: createNames(columns, aliases, uses), uses }
}

/** The output columns of an item of the select list. Its names do not mean aliases of the same list. */
function entriesOf(
  item: Item,
  columns: TableColumns,
  alias: string | null,
  names: Names,
  uses: Uses,
): readonly Entry[] {
  if (item.kind === 'star') {
    const { table, at } = item
    if (table !== null) requireAlias(table, alias, columns.has(table), at)
    if (columns.refused.length > 0) decline('* over columns that cannot be read here', at)
    return columns.all().map((index) => {
      const expression = columns.expressionAt(index, at)
      uses.ofRow(expression, at)
      return { term: { kind: 'row', expression }, alias: null, name: columns.names[index] ?? '', at }
    })
  }
  if (item.kind === 'row_number')
    return [{ term: { kind: 'row', expression: NUMBER }, alias: item.alias, name: item.alias, at: item.at }]
  const { value } = item
  const term = names.termOf(value, 'list')
  const name =
    item.alias ?? (value.kind === 'column' ? columns.names[columns.indexOf(value)] : printLabel(value))
  return [{ term, alias: item.alias, name: name ?? '', at: value.at }]
}

function isGrouped({ items, groupBy, having, orderBy }: Select): boolean {
  const listed = items.flatMap((item) => (item.kind === 'value' ? [item.value] : []))
  const keys = orderBy.flatMap(({ value }) => (value.kind === 'ordinal' ? [] : [value]))
  return groupBy !== null || having !== null || [...listed, ...keys].some(hasAggregate)
}

/** Binds a query that has rows of the table, with DISTINCT those of them that differ, or the first ones of each group. */
function bindRows(query: Query, firsts: BoundFirsts | null = null): ScanPlan {
  const { select, entries } = query
  const projection = createProjectionList()
  const indexOf = (term: Term, at: number): number => projection.add(rowOf(term, at))
  const outputs = entries.map(({ term, at }) => indexOf(term, at))
  /** The columns by which rows are distinct. DuckDB sorts distinct rows by these columns alone. Null: rows are not distinct. */
  const keys = select.isDistinct ? [...new Set(outputs)] : null
  const indexes = new Map(keys?.map((index, position) => [index, position]))
  const indexIn = (index: number, at: number): number =>
    keys === null
      ? index
      : (indexes.get(index) ?? decline('DISTINCT rows in the order of another column', at))
  const order = orderOf(query, (term, at) => indexIn(indexOf(term, at), at))
  const filters = [bindFilter(query, select.where, 'where')]
  const isNumbered = query.columns.numbered !== undefined || select.firsts?.kind === 'row_number'
  if (isNumbered && filters.some((filter) => columnsOf(filter).includes(NUMBER.column)))
    decline('row_number() in a condition')
  const fields = entries.map(({ name }, index) => field(name, projection.typeAt(outputs[index] ?? 0)))
  if (keys === null && firsts === null && order.length === 0) {
    // Without groups and order the projection is the answer: an output column each, even if two are the same column.
    const list = outputs.flatMap((index, position) => {
      const [each, outputField] = [projection.list[index], fields[position]]
      return each && outputField ? [Object.freeze({ ...each, field: outputField })] : []
    })
    return planOf(query, filters, list, allRows(list.length), fields)
  }
  if (firsts !== null) {
    const plan = firstsFinish(firsts, order, outputs, projection)
    return planOf(query, filters, plan.list, plan.finish, fields)
  }
  const finish = {
    grouping: keys && Object.freeze({ keys: Object.freeze(keys), aggregates: [], having: null }),
    order,
    output: Object.freeze(outputs.map((index) => indexIn(index, 0))),
    isCounted: false,
  }
  return planOf(query, filters, projection.list, finish, fields)
}
