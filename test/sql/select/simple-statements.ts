import type { DataType } from '../../../src/plan/types/schema.ts'
import type { TestColumn, TestTable } from '../../query/table.ts'
import { fc } from '../../support/generate.ts'
import { quoted } from '../explained.ts'
import { simpleConditions } from './simple-conditions.ts'

/** A `SELECT` of the simple shape over a source. */
export interface SimpleStatement {
  sql(source: string): string
  /** Whether it determines the order of its rows, except for that of equal ones. */
  readonly isOrdered: boolean
}

type Clauses = Readonly<Record<'list' | 'tail', string>> & { readonly isOrdered: boolean }

/** Statements over a table whose first column tells its rows apart. Which rows a limit leaves is always determined. */
export function simpleStatements(table: TestTable): fc.Arbitrary<SimpleStatement> {
  const plain = fc.oneof(rows(table), rows(table), distinct(table), groups(table), groups(table))
  const made = fc.tuple(plain, where(table)).map(
    ([{ list, tail, isOrdered }, condition]): SimpleStatement => ({
      sql: (source) => `SELECT ${list} FROM ${source} AS t${condition}${tail}`,
      isOrdered,
    }),
  )
  const counted = made.map(
    ({ sql }): SimpleStatement => ({
      sql: (source) => `SELECT count(*) AS n FROM (${sql(source)}) x`,
      isOrdered: true,
    }),
  )
  return fc.oneof({ arbitrary: made, weight: 8 }, counted)
}

function where({ columns }: TestTable): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constant(''),
    simpleConditions(columns, 1).map((condition) => ` WHERE ${condition}`),
  )
}

const limits = fc
  .tuple(fc.option(fc.nat(12), { nil: null }), fc.option(fc.nat(6), { nil: null }))
  .map(
    ([limit, offset]) =>
      `${limit === null ? '' : ` LIMIT ${limit}`}${offset === null ? '' : ` OFFSET ${offset}`}`,
  )

const directions = fc.constantFrom('', ' ASC', ' DESC', ' NULLS FIRST', ' DESC NULLS LAST', ' ASC NULLS LAST')

const named = ({ name }: TestColumn): string => quoted(name)

/** Rows in file order, or in an order in which no two are equal. */
function rows({ columns: [id, ...others] }: TestTable): fc.Arbitrary<Clauses> {
  if (id === undefined) throw new TypeError('a table without columns')
  const item = fc
    .tuple(fc.constantFrom(id, ...others), fc.constantFrom('', ' AS a', ' AS "B c"', ' b1'), fc.boolean())
    .map(([column, alias, isQualified]) => ({ column, alias, isQualified }))
  // apache-arrow cannot tell columns of equal names apart.
  const items = fc.uniqueArray(item, {
    selector: ({ column, alias }) => alias || column.name,
    minLength: 1,
    maxLength: 4,
  })
  const list = fc.oneof(
    fc.constantFrom('*', 't.*'),
    items.map((each) =>
      each
        .map(({ column, alias, isQualified }) => `${isQualified ? 't.' : ''}${named(column)}${alias}`)
        .join(', '),
    ),
  )
  const keys = fc.array(
    fc.tuple(fc.constantFrom(id, ...others), directions).map(([column, way]) => `t.${named(column)}${way}`),
    { maxLength: 2 },
  )
  const order = keys.map((each) => ` ORDER BY ${[...each, `t.${named(id)} DESC`].join(', ')}`)
  return fc
    .tuple(list, fc.oneof(fc.constant(''), order), limits)
    .map(([list, order, limit]) => ({ list, tail: `${order}${limit}`, isOrdered: true }))
}

function some<T>(items: readonly T[], most: number): fc.Arbitrary<readonly T[]> {
  return fc.subarray([...items], { minLength: 1, maxLength: Math.min(most, items.length) })
}

function distinct({ columns }: TestTable): fc.Arbitrary<Clauses> {
  return some(columns, 3).chain((keys) => {
    const list = `DISTINCT ${keys.map(named).join(', ')}`
    const ordered = fc
      .tuple(fc.array(directions, { minLength: keys.length, maxLength: keys.length }), limits)
      .map(([ways, limit]) => {
        const order = keys.map((_, index) => `${index + 1}${ways[index] ?? ''}`).join(', ')
        return { list, tail: ` ORDER BY ${order}${limit}`, isOrdered: true }
      })
    return fc.oneof(ordered, fc.constant({ list, tail: '', isOrdered: false }))
  })
}

const NUMBERS: readonly DataType['kind'][] = ['int', 'float', 'decimal']

/** Medians and quantiles of a column `x`, and its value in an extreme row. Some types have none. */
const ORDERED = [
  ...[
    'median(x)',
    'median(DISTINCT t.x)',
    'quantile(x, 0.5)',
    'quantile_disc(t.x, 0.25)',
    'quantile_disc(x, 1)',
  ],
  ...[
    'quantile_cont(x, 0.75)',
    'quantile_cont(x, 0)',
    'quantile_cont(x, 0.3)',
    'quantile_disc(DISTINCT x, 0.55)',
  ],
  ...['arg_max(x, "row id")', 'arg_min(x, "row id" % 3)', 'arg_min("row id", x)', 'max_by("row id", t.x)'],
  ...[
    'argmax(x, x)',
    'arg_max(x, "row id") FILTER (WHERE "row id" > 3)',
    'median(x) FILTER (WHERE x IS NOT NULL)',
  ],
]

/** Aggregates of a column, and conditions on some of them that are true for some groups. */
function aggregates(column: TestColumn): readonly string[] {
  const name = named(column)
  const any = ['count', 'min', 'max'].map((call) => `${call}(${name})`)
  const numbers = ['sum', 'avg', 'mean', 'stddev', 'stddev_pop', 'variance', 'var_pop']
  return [
    ...any,
    `count(DISTINCT t.${name})`,
    ...ORDERED.map((call) => call.replaceAll(/\bx\b/g, name)),
    ...(NUMBERS.includes(column.type.kind) ? numbers.map((call) => `${call}(${name})`) : []),
  ]
}

function groups({ columns }: TestTable): fc.Arbitrary<Clauses> {
  const keys = fc.oneof(fc.constant<readonly TestColumn[]>([]), some(columns.slice(1), 2), some(columns, 2))
  const calls = fc.constantFrom(...columns).chain((column) => fc.constantFrom(...aggregates(column)))
  const having = fc.oneof(
    fc.constant(''),
    fc.nat(3).map((least) => ` HAVING count(*) > ${least}`),
    fc
      .constantFrom(...columns)
      .map((column) => ` HAVING NOT (max(${named(column)}) IS NULL) AND count(*) < 7.5`),
  )
  return fc
    .tuple(keys, fc.array(calls, { minLength: 1, maxLength: 4 }), having)
    .chain(([keys, calls, having]) => {
      const by = keys.map(named)
      const list = [...by, 'count(*) AS n', ...calls].join(', ')
      const grouped = fc.constantFrom(
        ...(by.length === 0
          ? ['', ' GROUP BY ALL']
          : [
              ` GROUP BY ${by.join(', ')}`,
              ' GROUP BY ALL',
              ` GROUP BY ${by.map((_, n) => n + 1).join(', ')}`,
            ]),
      )
      const order = fc
        .tuple(directions, limits)
        .map(
          ([way, limit]) => ` ORDER BY ${['n DESC', ...by.map((key) => `${key}${way}`)].join(', ')}${limit}`,
        )
      return fc.tuple(grouped, fc.oneof(fc.constant(''), order)).map(([group, order]) => ({
        list,

        tail: `${group}${having}${order}`,
        isOrdered: order !== '',
      }))
    })
}
