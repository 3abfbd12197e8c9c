import { foldSqlName } from '../../../../plan/statement/statement.ts'
import type { Token } from '../../../sql/text/tokens.ts'
import { readRelations, type WrittenSource } from './relations.ts'
import { readItem, type SelectItem, type WrittenColumn } from './select-item.ts'
import { splitBlock } from './split-block.ts'

/*
 * From which column of which source a column of a statement's answer comes, by the text of the statement. DuckDB does not tell. What is
 * not read here with certainty has no origin.
 */

/** A column, and what it comes from: unchanged, or in an aggregate that is in its units. */
interface NamedColumn<Origin> {
  /** Null: not known. */
  readonly name: string | null
  /** Null: not known, or nothing. */
  readonly origin: Origin | null
}

/** Null: they are not known. */
export type Columns<Origin> = readonly NamedColumn<Origin>[] | null

/** Finds the columns of a source, or of a view with the query of it. */
export type FindColumns<Origin> = (source: SourceName, depth: number) => Columns<Origin>

/** What a statement reads, as it is written there. */
export type SourceName = Exclude<WrittenSource, { readonly kind: 'query' }>

type CommonTables<Origin> = ReadonlyMap<string, Columns<Origin>>

/** The deepest nesting of queries that is read. */
const MOST_DEEP = 16

/** The columns of a query. In one that others read, each has a name, or nothing is known. */
export function columnsOfQuery<Origin>(
  tokens: readonly Token[],
  find: FindColumns<Origin>,
  depth = 0,
  above: CommonTables<Origin> = new Map(),
): Columns<Origin> {
  const block = depth > MOST_DEEP ? null : splitBlock(tokens)
  if (block === null) return null
  const commonTables = new Map(above)
  for (const { name, query } of block.commonTables)
    commonTables.set(foldSqlName(name), columnsOfQuery(query, find, depth + 1, commonTables))
  const from = relationsOf(block.from, find, depth, commonTables)
  if (from === null) return null
  const columns: NamedColumn<Origin>[] = []
  for (const each of block.items) {
    const itemColumns = columnsOfItem(readItem(each), from, depth > 0)
    if (itemColumns === null) return null
    columns.push(...itemColumns)
  }
  return depth > 0 && hasEqualNames(columns) ? null : columns
}

function hasEqualNames(columns: readonly NamedColumn<unknown>[]): boolean {
  const names = columns.flatMap(({ name }) => (name === null ? [] : [foldSqlName(name)]))
  return new Set(names).size < names.length
}

interface Relations<Origin> {
  readonly list: readonly { readonly alias: string | null; readonly columns: Columns<Origin> }[]
  /** The columns that USING makes one of two, in lower case. */
  readonly merged: ReadonlySet<string>
}

function relationsOf<Origin>(
  tokens: readonly Token[],
  find: FindColumns<Origin>,
  depth: number,
  commonTables: CommonTables<Origin>,
): Relations<Origin> | null {
  const from = readRelations(tokens)
  if (from === null) return null
  const list = from.list.map(({ alias, source }) => {
    if (source.kind === 'query')
      return { alias, columns: columnsOfQuery(source.tokens, find, depth + 1, commonTables) }
    const [name = '', ...others] = source.kind === 'table' ? source.parts : []
    const isCommon = source.kind === 'table' && others.length === 0 && commonTables.has(foldSqlName(name))
    return {
      alias,
      columns: isCommon ? (commonTables.get(foldSqlName(name)) ?? null) : find(source, depth + 1),
    }
  })
  return { list, merged: new Set(from.merged.map(foldSqlName)) }
}

/** The columns of an item. Null: it is not known how many these are, or others need a name that is not known. */
function columnsOfItem<Origin>(
  item: SelectItem,
  from: Relations<Origin>,
  areNamesNeeded: boolean,
): Columns<Origin> {
  switch (item.kind) {
    case 'unknown':
      return null
    case 'other':
      return areNamesNeeded && item.name === null && !item.isCall ? null : [{ name: item.name, origin: null }]
    case 'column':
      return [{ name: item.name, origin: originOf(item.column, from) }]
    case 'star': {
      if (from.merged.size > 0) return null
      const { table, excluded } = item
      const all = table === null ? from.list : from.list.filter(({ alias }) => isSame(alias, table))
      if (all.length === 0 || all.some(({ columns }) => columns === null)) return null
      return all
        .flatMap(({ columns }) => columns ?? [])
        .filter(({ name }) => name === null || !excluded.includes(foldSqlName(name)))
    }
  }
}

/** What a column comes from. Null: that is not known, or several relations have the name. */
function originOf<Origin>(
  { table, name }: WrittenColumn,
  { list, merged }: Relations<Origin>,
): Origin | null {
  if (table === null && merged.has(foldSqlName(name))) return null
  const among = table === null ? list : list.filter(({ alias }) => isSame(alias, table))
  const [only, ...others] = among.flatMap(
    ({ columns }) => columns?.filter((each) => isSame(each.name, name)) ?? [],
  )
  return only === undefined || others.length > 0 ? null : only.origin
}

function isSame(one: string | null, other: string): boolean {
  return one !== null && foldSqlName(one) === foldSqlName(other)
}
