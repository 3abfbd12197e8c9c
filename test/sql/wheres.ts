import type { DataType } from '../../src/plan/types/schema.ts'
import type { Cell, TestColumn, TestTable } from '../query/table.ts'
import { fc } from '../support/generate.ts'
import { quoted, type Statement } from './explained.ts'
import { sqlText, sqlType, textOf } from './literals.ts'

type Value = Exclude<Cell, null>

/** Statements that return the numbers of some rows, which are in the first column of the table. */
export function statements(table: TestTable): fc.Arbitrary<Statement> {
  return conditions(table.columns, 2).chain((where) => {
    const id = quoted(table.columns[0]?.name ?? '')
    const names = table.columns.map(({ name }) => quoted(name))
    return fc.constantFrom<Statement[]>(
      ...shapes(table.columns).map(
        (source): Statement =>
          (name) =>
            `SELECT ${id} FROM ${source(name)} WHERE ${where}`,
      ),
      (name) => `SELECT ${id} FROM (SELECT ${names.join(', ')} FROM ${name} WHERE ${where}) WHERE ${where}`,
      (name) =>
        `SELECT ${id} FROM (SELECT *, row_number() OVER () AS "row number" FROM ${name} WHERE ${where})`,
      (name) => `SELECT ${id} FROM ${name} GROUP BY ALL HAVING ${id} >= 0`,
    )
  })
}

/** The table itself, and the table with the names of two columns of one type exchanged. */
function shapes(columns: readonly TestColumn[]): Statement[] {
  const [, ...others] = columns
  const pair = others.flatMap((one, n) =>
    others.slice(n + 1).flatMap((two) => (sqlType(one.type) === sqlType(two.type) ? [[one, two]] : [])),
  )[0]
  const plain: Statement = (table) => table
  const [one, two] = pair ?? []
  if (one === undefined || two === undefined) return [plain]
  const swapped = columns.map(({ name }) =>
    name === one.name ? two.name : name === two.name ? one.name : name,
  )
  const renamed = columns.map(({ name }, n) => `${quoted(swapped[n] ?? '')} AS ${quoted(name)}`).join(', ')
  const own = columns.map(({ name }) => quoted(name)).join(', ')
  const other = swapped.map(quoted).join(', ')
  return [
    plain,
    plain,
    (table) => `(SELECT ${renamed} FROM ${table})`,
    (table) => `(SELECT ${own} FROM ${table} UNION ALL SELECT ${other} FROM ${table})`,
    (table) => `${table} AS renamed(${other})`,
    (table) => `(WITH c(${other}) AS (FROM ${table}) SELECT ${own} FROM c)`,
    (table) => `(SELECT DISTINCT ${renamed} FROM (SELECT ${renamed} FROM ${table}) x)`,
  ]
}

function conditions(columns: readonly TestColumn[], depth: number): fc.Arbitrary<string> {
  const leaf = fc.constantFrom(...columns).chain((column) => leaves(column, columns))
  if (depth === 0) return leaf
  const nested = fc
    .tuple(
      fc.constantFrom('AND', 'OR', 'AND NOT', 'OR NOT'),
      conditions(columns, depth - 1),
      conditions(columns, depth - 1),
    )
    .map(([word, a, b]) => `(${a}) ${word} (${b})`)
  const negated = conditions(columns, depth - 1).map((each) => `NOT (${each})`)
  return fc.oneof(
    { arbitrary: leaf, weight: 3 },
    { arbitrary: nested, weight: 3 },
    { arbitrary: negated, weight: 1 },
  )
}

function leaves({ name, type, cells }: TestColumn, columns: readonly TestColumn[]): fc.Arbitrary<string> {
  const column = quoted(name)
  const literal = literals(type, cells)
  const operator = fc.constantFrom('=', '!=', '<', '<=', '>', '>=')
  const compare = fc.tuple(operator, literal).map(([sign, value]) => `${column} ${sign} ${value}`)
  const backward = fc.tuple(operator, literal).map(([sign, value]) => `${value} ${sign} ${column}`)
  const range = fc
    .tuple(fc.constantFrom('BETWEEN', 'BETWEEN', 'NOT BETWEEN'), literal, literal)
    .map(([word, low, high]) => `${column} ${word} ${low} AND ${high}`)
  const open = fc
    .tuple(fc.constantFrom('>', '>='), fc.constantFrom('<', '<='), literal, literal)
    .map(([over, under, low, high]) => `${column} ${over} ${low} AND ${column} ${under} ${high}`)
  const list = fc
    .tuple(fc.constantFrom('IN', 'NOT IN'), fc.array(literal, { minLength: 1, maxLength: 4 }))
    .map(([word, values]) => `${column} ${word} (${values.join(', ')})`)
  const distinct = fc
    .tuple(
      fc.constantFrom('IS DISTINCT FROM', 'IS NOT DISTINCT FROM'),
      fc.oneof(literal, fc.constant('NULL')),
    )
    .map(([words, value]) => `${column} ${words} ${value}`)
  const nulls = fc.constantFrom(`${column} IS NULL`, `${column} IS NOT NULL`, `${column} = NULL`)
  const others = columns.filter((each) => sqlType(each.type) === sqlType(type) && each.name !== name)
  const strange = [
    `hash(${column}) % 2 = 0`,
    `CASE WHEN ${column} IS NULL THEN true ELSE false END`,
    `COALESCE(${column}, NULL) IS NOT NULL`,
    `length(CAST(${column} AS VARCHAR)) > 3`,
    ...others.map((other) => `${column} <= ${quoted(other.name)}`),
    ...(type.kind === 'bool' ? [column, `NOT ${column}`, `${column} IS TRUE`, `${column} IS NOT FALSE`] : []),
    ...(type.kind === 'utf8'
      ? [
          `${column} LIKE 'a%'`,
          `${column} NOT LIKE 'a%'`,
          `${column} LIKE '%b'`,
          `starts_with(${column}, 'é')`,
        ]
      : []),
    ...(type.kind === 'float' ? [`isnan(${column})`, `-${column} > 0.5`] : []),
    ...(type.kind === 'int' ? [`${column} + 1 > 2`, `${column} % 2 = 0`] : []),
  ]
  return fc.oneof(
    { arbitrary: compare, weight: 6 },
    { arbitrary: range, weight: 2 },
    { arbitrary: open, weight: 2 },
    { arbitrary: list, weight: 2 },
    backward,
    distinct,
    nulls,
    fc.constantFrom(...strange),
  )
}

/** Literals equal to, near and far from the cells of a column, in types that people write. */
export function literals(type: DataType, cells: readonly Cell[]): fc.Arbitrary<string> {
  const present = cells.filter((cell) => cell !== null)
  const cell = fc.constantFrom(...(present.length > 0 ? present : [defaultCell(type)]))
  const text = cell.map((value) => textOf(value, type))
  const bare = text.map(sqlText)
  const typed = text.map((value) => `CAST(${sqlText(value)} AS ${sqlType(type)})`)
  const raw = (...texts: string[]) => fc.constantFrom(...texts)
  switch (type.kind) {
    case 'bool':
      return fc.oneof(text, typed)
    case 'int':
      return fc.oneof(
        text,
        text,
        text.map((value) => `${value}.5`),
        fc.constantFrom(
          '-1',
          '1',
          '300',
          '-129',
          '0.5',
          '1.5::DOUBLE',
          '1e20',
          '-0.0',
          '99999999999999999999',
        ),
        fc.integer({ min: -300, max: 300 }).map(String),
        fc
          .double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
          .map((value) => `${value}::DOUBLE`),
        bare,
      )
    case 'float': {
      const finite = present.map(Number).filter(Number.isFinite)
      const own = fc.constantFrom(...(finite.length > 0 ? finite : [0.5]))
      const number = fc.oneof(
        fc.constantFrom(...FLOATS),
        fc.float({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        own,
        own.map((value) => Math.fround(value) * (1 + 2 ** -24)),
      )
      const suffix = raw('', '', '::FLOAT', '::DOUBLE')
      // Casting a number that is beyond FLOAT would be an error.
      const cast = fc
        .tuple(number, suffix)
        .map(([value, cast]) => `(${cast === '::FLOAT' && Math.abs(value) > 3.4e38 ? 2 : value})${cast}`)
      return fc.oneof(
        { arbitrary: cast, weight: 5 },
        raw("'nan'", "'inf'", "'-inf'", "'nan'::DOUBLE", "'inf'::FLOAT", '10', '-1'),
      )
    }
    case 'decimal':
      return fc.oneof(
        text,
        text.map((value) => (value.length < 36 ? `${value}5` : value)),
        typed,
        raw('0', '1', '-1', '0.5', '1.005', '12345678901', '0.5::DOUBLE'),
      )
    case 'date':
      return fc.oneof(
        bare,
        typed,
        raw(
          "DATE '2020-01-01'",
          "TIMESTAMP '2020-01-01 12:00:00'",
          "TIMESTAMP '2020-01-01'",
          "'0044-03-15 (BC)'",
          "'infinity'",
        ),
      )
    case 'time':
      return fc.oneof(bare, typed, raw("TIME '12:00:00.000001'", "'23:59:59.999999'"))
    case 'timestamp':
      return fc.oneof(
        bare,
        typed,
        raw(
          "'2020-01-01'",
          "TIMESTAMP '2020-01-01 00:00:00.000001'",
          "TIMESTAMP '1970-01-01'",
          "DATE '2020-01-01'",
          "'infinity'",
        ),
        ...(type.zone === null
          ? [
              raw(
                "TIMESTAMP_NS '2020-01-01 00:00:00.000000001'",
                "TIMESTAMP_MS '2020-01-01 00:00:00.001'",
                "TIMESTAMP_S '2020-01-01 00:00:00'",
              ),
            ]
          : [raw("TIMESTAMPTZ '2020-01-01 01:00:00+01'")]),
      )
    default:
      return fc.oneof(
        bare,
        raw("''", "'a'", "'it''s) AND (1 = 1'", "' OR '", "'a\nb'", "'\u{1F600}'", "'zz'"),
      )
  }
}

const FLOATS = [
  0,
  -0,
  0.1,
  0.7,
  1 / 3,
  10,
  12,
  16_777_217,
  1e-40,
  1e21,
  3.4028234663852886e38,
  3.4028235677973366e38,
  1e39,
  -1e39,
  1e300,
]

function defaultCell(type: DataType): Value {
  if (type.kind === 'bool') return true
  if (type.kind === 'float') return 0.7
  return type.kind === 'utf8' ? 'a' : 1n
}
