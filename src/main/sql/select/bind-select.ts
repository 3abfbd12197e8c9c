import type { Aggregate, Finish } from '../../../plan/finish.ts'
import { aggregateType, allRows } from '../../../plan/finish.ts'
import type { Projection, ScanPlan } from '../../../plan/plan.ts'
import type { Predicate } from '../../../plan/predicate.ts'
import { type DataType, type Field, field, typeName } from '../../../plan/schema.ts'
import { columnsRead } from '../../query/columns.ts'
import type { FilesTable } from '../../query/files-table.ts'
import { leave, type Outcome, orReason } from '../leave.ts'
import type { Item, Ordinal, Select, Value } from './ast.ts'
import { bindCondition } from './bind-condition.ts'
import { bindOuter } from './bind-outer.ts'
import { createTermOf, type Term, type TermOf, termKey } from './names-in-clauses.ts'
import { createTableColumns, requireAlias, type TableColumns } from './table-columns.ts'

/** The plan of a statement over the table that it names; else why it is DuckDB's. */
export function bindSelect(select: Select, table: FilesTable): Outcome<ScanPlan> {
  return orReason(() => bind(select, table))
}

function bind(select: Select, table: FilesTable): ScanPlan {
  const { from } = select
  if (from.kind === 'select') return bindOuter(select, from.alias, bind(from.select, table))
  const columns = createTableColumns(table.schema, from.alias)
  const entries = select.items.flatMap((item) => entriesOf(item, columns, from.alias))
  const aliases = entries.flatMap(({ alias, term }) => (alias === null ? [] : [[alias, term] as const]))
  const query: Query = { select, table, columns, entries, termOf: createTermOf(columns, aliases) }
  return isGrouped(select) ? bindGroups(query) : bindRows(query)
}

interface Query {
  readonly select: Select
  readonly table: FilesTable
  readonly columns: TableColumns
  readonly entries: readonly Entry[]
  readonly termOf: TermOf
}

/** A column of the answer. */
interface Entry {
  readonly term: Term
  readonly alias: string | null
  readonly name: string
  readonly at: number
}

function entriesOf(item: Item, columns: TableColumns, alias: string | null): readonly Entry[] {
  if (item.kind === 'star') {
    if (item.table !== null) requireAlias(item.table, alias, columns.has(item.table), item.at)
    return columns.names.map((name, place) => ({
      term: { kind: 'column', place },
      alias: null,
      name,
      at: item.at,
    }))
  }
  const { value } = item
  const term = createTermOf(columns, [])(value, 'list')
  const own = value.kind === 'aggregate' ? value.label : columns.names[columns.placeOf(value)]
  return [{ term, alias: item.alias, name: item.alias ?? own ?? '', at: value.at }]
}

function isGrouped({ items, groupBy, having, orderBy }: Select): boolean {
  const values = [
    ...items.flatMap((item) => (item.kind === 'value' ? [item.value] : [])),
    ...orderBy.map(({ value }) => value),
  ]
  return groupBy !== null || having !== null || values.some(({ kind }) => kind === 'aggregate')
}

/** Rows of the table, or each of them once. */
function bindRows({ select, table, columns, entries, termOf }: Query): ScanPlan {
  const projection = createProjection(columns)
  const outputs = entries.map(({ term, name, at }) => ({
    name,
    place: projection.add(columnOf(term, at), name, at),
  }))
  /** Of distinct rows, what is sorted by must be in the list. */
  const places = select.isDistinct ? [...new Set(outputs.map(({ place }) => place))] : null
  const placeIn = (place: number, at: number): number => {
    if (places === null) return place
    const index = places.indexOf(place)
    return index === -1 ? leave('DISTINCT rows in the order of another column', at) : index
  }
  const order = select.orderBy.map(({ value, isDescending, areNullsFirst }) => {
    const term = value.kind === 'ordinal' ? entryAt(entries, value).term : termOf(value, 'order')
    const place = placeIn(projection.add(columnOf(term, value.at), null, value.at), value.at)
    return Object.freeze({ column: place, isDescending, areNullsFirst })
  })
  const isPlain = places === null && order.length === 0
  const finish: Finish = isPlain
    ? allRows(outputs.length)
    : {
        grouping:
          places === null
            ? null
            : Object.freeze({ keys: Object.freeze(places), aggregates: [], having: null }),
        order: Object.freeze(order),
        output: Object.freeze(outputs.map(({ place }) => placeIn(place, 0))),
        isCounted: false,
      }
  // Rows that go out as they are have a column each, though two may be the same.
  const list = isPlain
    ? outputs.map(({ place, name }) => named(projection.list[place], name))
    : projection.list
  const fields = outputs.map(({ place, name }) => field(name, typeAt(projection.list, place)))
  return planOf({ select, table, columns, termOf }, list, finish, fields)
}

/** One row for each group. */
function bindGroups({ select, table, columns, entries, termOf }: Query): ScanPlan {
  const projection = createProjection(columns)
  const keys = new Map<string, number>()
  for (const { term, at } of groupTerms(select, entries, termOf))
    keys.set(termKey(term), projection.add(columnOf(term, at), null, at))
  const aggregates = new Map<string, { readonly aggregate: Aggregate; readonly type: DataType }>()

  /** The place of a term among the keys and the aggregates. */
  function placeOf(term: Term, at: number): number {
    const key = termKey(term)
    if (term.kind === 'column') {
      const place = [...keys.keys()].indexOf(key)
      return place === -1 ? leave('a column that is neither grouped by nor in an aggregate', at) : place
    }
    if (!aggregates.has(key)) aggregates.set(key, aggregateOf(term, projection, at))
    return keys.size + [...aggregates.keys()].indexOf(key)
  }
  const typeOf = (place: number): DataType => {
    const argument = [...keys.values()][place]
    if (argument !== undefined) return typeAt(projection.list, argument)
    return [...aggregates.values()][place - keys.size]?.type ?? { kind: 'null' }
  }

  const output = entries.map(({ term, at }) => placeOf(term, at))
  const having =
    select.having === null
      ? null
      : bindCondition(select.having, (value: Value) => {
          const place = placeOf(termOf(value, 'having'), value.at)
          return field(String(place), typeOf(place))
        })
  const order = select.orderBy.map(({ value, isDescending, areNullsFirst }) => {
    const term = value.kind === 'ordinal' ? entryAt(entries, value).term : termOf(value, 'order')
    return Object.freeze({ column: placeOf(term, value.at), isDescending, areNullsFirst })
  })
  const isWhole = [...keys.keys()].every((_, place) => output.includes(place))
  if (select.isDistinct && !isWhole) leave('DISTINCT over groups that it does not tell apart')
  const finish: Finish = {
    grouping: Object.freeze({
      keys: Object.freeze([...keys.values()]),
      aggregates: Object.freeze([...aggregates.values()].map(({ aggregate }) => aggregate)),
      having: having?.op === 'constant' && having.value ? null : having,
    }),
    order: Object.freeze(order),
    output: Object.freeze(output),
    isCounted: false,
  }
  const fields = entries.map(({ name }, index) => field(name, typeOf(output[index] ?? 0)))
  return planOf({ select, table, columns, termOf }, projection.list, finish, fields)
}

function groupTerms(
  { groupBy }: Select,
  entries: readonly Entry[],
  termOf: TermOf,
): readonly Pick<Entry, 'term' | 'at'>[] {
  if (groupBy === null) return []
  if (groupBy.kind === 'all') return entries.filter(({ term }) => term.kind === 'column')
  return groupBy.values.map((value) => {
    const term = value.kind === 'ordinal' ? entryAt(entries, value).term : termOf(value, 'group')
    return { term, at: value.at }
  })
}

function entryAt(entries: readonly Entry[], { place, at }: Ordinal): Entry {
  return entries[place - 1] ?? leave(`the place ${place} in a list of ${entries.length}`, at)
}

function columnOf(term: Term, at: number): number {
  return term.kind === 'column' ? term.place : leave('an aggregate in place of a column', at)
}

function aggregateOf(
  { aggregate, place }: Extract<Term, { kind: 'aggregate' }>,
  projection: ProjectionList,
  at: number,
): { readonly aggregate: Aggregate; readonly type: DataType } {
  if (aggregate === 'count_rows' || place === null)
    return { aggregate: Object.freeze({ kind: 'count_rows' }), type: INT64 }
  const argument = projection.add(place, null, at)
  const of = typeAt(projection.list, argument)
  const type = aggregateType(aggregate, of)
  if (type === null) return leave(`${aggregate} of ${typeName(of)}`, at)
  return { aggregate: Object.freeze({ kind: aggregate, argument }), type }
}

const INT64: DataType = Object.freeze({ kind: 'int', bits: 64, signed: true })

/** The projection of a scan as it grows, each column once. */
interface ProjectionList {
  readonly list: readonly Projection[]
  /** The place of a column, which goes by `name` if it has none yet. */
  add(column: number, name: string | null, at: number): number
}

function createProjection(columns: TableColumns): ProjectionList {
  const list: Projection[] = []
  const places = new Map<number, number>()
  return {
    list,
    add(column, name, at) {
      const known = places.get(column)
      if (known !== undefined) return known
      const source = columns.fieldAt(column, at)
      list.push(
        Object.freeze({
          kind: 'column',
          column: source.name,
          field: field(name ?? source.name, source.type),
        }),
      )
      places.set(column, list.length - 1)
      return list.length - 1
    },
  }
}

function named(projection: Projection | undefined, name: string): Projection {
  if (projection === undefined) throw new RangeError(`no projection for "${name}"`)
  return Object.freeze({ ...projection, field: field(name, projection.field.type) })
}

function typeAt(list: readonly Projection[], place: number): DataType {
  return list[place]?.field.type ?? { kind: 'null' }
}

function planOf(
  { select, table, columns, termOf }: Pick<Query, 'select' | 'table' | 'columns' | 'termOf'>,
  projection: readonly Projection[],
  finish: Finish,
  fields: readonly Field[],
): ScanPlan {
  const { relation, format, files } = table
  const filter = whereOf(select, columns, termOf)
  return Object.freeze({
    engine: 'core',
    scan: Object.freeze({
      format,
      columns: columnsRead(filter, projection, columns.schema),
      filter,
      projection: Object.freeze([...projection]),
    }),
    relation,
    files,
    finish: Object.freeze(finish),
    output: Object.freeze({ fields: Object.freeze(fields), metadata: Object.freeze({}) }),
    offset: select.offset,
    limit: select.limit ?? Number.POSITIVE_INFINITY,
  })
}

/** Null: every row passes. */
function whereOf({ where }: Select, columns: TableColumns, termOf: TermOf): Predicate | null {
  if (where === null) return null
  const predicate = bindCondition(where, (value) =>
    columns.fieldAt(columnOf(termOf(value, 'where'), value.at), value.at),
  )
  return predicate.op === 'constant' && predicate.value ? null : predicate
}
