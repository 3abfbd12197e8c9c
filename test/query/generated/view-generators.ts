import { foldSqlName } from '../../../src/plan/statement/statement.ts'
import type { DataType } from '../../../src/plan/types/schema.ts'
import { fc } from '../../support/generate.ts'
import type { Cell, TestColumn, TestTable } from '../table.ts'
import { filters, type Json } from './filter-generators.ts'
import { NAMES } from './generators.ts'
import { quoted, writeFilters } from './in-sql.ts'
import { evaluate } from './oracle.ts'

/** What a name stands for: a table, or what a view makes of one. */
export interface Relation {
  readonly table: TestTable
  /** The name of each column in SQL. */
  readonly names: readonly string[]
  /** Whether its rows have an order, which LIMIT then depends on. */
  readonly isOrdered: boolean
}

export interface GeneratedView {
  /** The text of its query over what has this name. */
  query(from: string): string
  /** Its rows, as the oracle has them. */
  readonly relation: Relation
}

/** Names that are others only by their case, or that DuckDB gives to a second column of a name. */
const MORE_NAMES = ['Depth', 'DEPTH', 'depth_1', 'Select', 'NAÏVE', 'NaïVE']

const COUNT: DataType = { kind: 'int', bits: 64, signed: true }

/** A table, whose columns SQL names as DuckDB does. */
export function relationOf(table: TestTable): Relation {
  return { table, names: distinctNames(table.columns.map(({ name }) => name)), isOrdered: true }
}

/** Views over a relation: columns in any order, renamed or twice, some of the rows, or groups of them. */
export function views(below: Relation): fc.Arbitrary<GeneratedView> {
  return fc.oneof({ arbitrary: selections(below), weight: 4 }, { arbitrary: groups(below), weight: 1 })
}

function selections(below: Relation): fc.Arbitrary<GeneratedView> {
  const { table } = below
  return fc
    .record({
      entries: fc.array(
        fc.record({
          place: fc.nat({ max: table.columns.length - 1 }),
          alias: fc.option(fc.constantFrom(...NAMES, ...MORE_NAMES)),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      isStar: fc.boolean(),
      filter: conditions(table),
      limit: fc.option(fc.integer({ min: 0, max: 30 }), { freq: 1 }),
      form: fc.constantFrom(...FORMS),
    })
    .map(({ entries, isStar, filter, limit, form }) => {
      const chosen = isStar ? table.columns.map((_, place) => ({ place, alias: null })) : entries
      const least = below.isOrdered ? limit : null
      const { rows } = evaluate(JSON.stringify({ select: [], ...filter, limit: least }), table)
      const columns = chosen.map(({ place, alias }) => ({
        ...columnAt(table, place),
        name: alias ?? below.names[place] ?? '',
      }))
      const list = chosen.map(
        ({ place, alias }) =>
          `t.${quoted(below.names[place] ?? '')}${alias === null ? '' : ` AS ${quoted(alias)}`}`,
      )
      // Names that occur twice are counted on over all of them in a common table: depth_2 after select_1.
      const areDistinct = new Set(columns.map(({ name }) => name.toLowerCase())).size === columns.length
      const write = areDistinct ? form : asItIs
      return {
        query: (from) =>
          write(
            `SELECT ${isStar ? '*' : list.join(', ')} FROM ${from} AS t${where(filter, below)}${least === null ? '' : ` LIMIT ${least}`}`,
          ),
        relation: relationWith(columns, rows, below.isOrdered),
      }
    })
}

const asItIs = (query: string): string => query

/** The ways in which a query is written. Only the first one is a `SELECT` of the simple shape. */
const FORMS: readonly ((query: string) => string)[] = [
  asItIs,
  asItIs,
  (query) => `WITH "a CTE" AS MATERIALIZED (${query}) SELECT * FROM "a CTE"`,
]

/** Groups by columns of which it is certain when they are equal. */
function groups(below: Relation): fc.Arbitrary<GeneratedView> {
  const { table } = below
  const places = table.columns.flatMap(({ type }, place) => (isExact(type) ? [place] : []))
  if (places.length === 0) return selections(below)
  return fc
    .record({
      keys: fc.uniqueArray(fc.constantFrom(...places), { maxLength: 2 }),
      of: fc.constantFrom(...places),
      filter: conditions(table),
    })
    .map(({ keys, of, filter }) => {
      const { rows } = evaluate(JSON.stringify({ select: [], ...filter }), table)
      const found = new Map<string, number[]>(keys.length === 0 ? [['', []]] : [])
      for (const row of rows) {
        const key = keys.map((place) => `${columnAt(table, place).cells[row]}`).join('\0')
        found.set(key, [...(found.get(key) ?? []), row])
      }
      const parts = [...found.values()]
      const { type, cells } = columnAt(table, of)
      const column = (name: string, ofPart: (rows: readonly number[]) => Cell, its: DataType = type) => ({
        name,
        type: its,
        cells: parts.map(ofPart),
      })
      const columns: readonly TestColumn[] = [
        ...keys.map((place, index) => ({
          ...column(`key ${index}`, ([row = 0]) => columnAt(table, place).cells[row] ?? null),
          type: columnAt(table, place).type,
        })),
        column('n', (rows) => BigInt(rows.length), COUNT),
        column('least', (rows) =>
          extreme(
            rows.map((row) => cells[row] ?? null),
            -1,
          ),
        ),
        column('Most', (rows) =>
          extreme(
            rows.map((row) => cells[row] ?? null),
            1,
          ),
        ),
      ]
      const written = (place: number): string => `t.${quoted(below.names[place] ?? '')}`
      const list = [
        ...keys.map((place, index) => `${written(place)} AS "key ${index}"`),
        'count(*) AS n',
        `min(${written(of)}) AS least`,
        `max(${written(of)}) AS "Most"`,
      ]
      const by = keys.length === 0 ? '' : ` GROUP BY ${keys.map(written).join(', ')}`
      return {
        query: (from) => `SELECT ${list.join(', ')} FROM ${from} AS t${where(filter, below)}${by}`,
        relation: relationWith(columns, [...parts.keys()], false),
      }
    })
}

function conditions(table: TestTable): fc.Arbitrary<Json> {
  return fc
    .boolean()
    .chain((withPatterns) => fc.option(filters(table.columns, withPatterns, 2), { freq: 1 }))
    .map((filter) => (JSON.stringify(filter).includes('longitude') ? {} : { filter }))
}

function where(filter: Json, { table, names }: Relation): string {
  const select = table.columns.map(({ name }) => name)
  const written = writeFilters(
    { select, ...filter },
    table,
  )?.((name) => {
    const place = table.columns.findIndex((column) => column.name === name)
    return `t.${quoted(names[place] ?? '')}`
  })
  return filter['filter'] == null ? '' : ` WHERE ${written}`
}

function relationWith(columns: readonly TestColumn[], rows: readonly number[], isOrdered: boolean): Relation {
  const names = distinctNames(columns.map(({ name }) => name))
  const table = {
    rows: rows.length,
    columns: columns.map(({ type, cells }, place) => ({
      name: names[place] ?? '',
      type,
      cells: rows.map((row) => cells[row] ?? null),
    })),
  }
  return { table, names, isOrdered }
}

/** As DuckDB names them: one that is there already, whatever the case of A to Z, has a number behind it. */
function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let distinct = name
    for (let number = 1; taken.has(foldSqlName(distinct)); number++) distinct = `${name}_${number}`
    taken.add(foldSqlName(distinct))
    return distinct
  })
}

function columnAt(table: TestTable, place: number): TestColumn {
  const column = table.columns[place]
  if (column === undefined) throw new RangeError(`there is no column ${place}`)
  return column
}

function isExact({ kind }: DataType): boolean {
  return kind !== 'float'
}

/** The least (-1) or greatest (1) of some cells, by bytes if they are text. Null: all of them are. */
function extreme(cells: readonly Cell[], sign: 1 | -1): Cell {
  return cells.reduce((sofar, cell) => {
    if (cell === null || sofar === null) return sofar ?? cell
    const order =
      typeof cell === 'string'
        ? Buffer.compare(Buffer.from(cell), Buffer.from(String(sofar)))
        : Number(cell > sofar) - Number(cell < sofar)
    return order * sign > 0 ? cell : sofar
  }, null)
}
