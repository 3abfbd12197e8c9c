import { fc } from '../support/generate.ts'

/** Rows for a table there and one here: numbers, floats with both zeros, texts, dates, and nulls in all columns but `id`. */
export function generatedCsv(rows: number): string {
  const lines = Array.from({ length: rows }, (_, id) => {
    const values = [
      (id * 7919) % 50,
      [0, '-0.0', 0.5, -2.25, 1e10, 3][id % 6],
      ['a', 'ab', 'B', 'é', 'a b', "it's", '_', 'z'][(id * 5) % 8],
      `2024-0${1 + (id % 9)}-1${id % 10}`,
      ['0.00', '1.50', '-99.99', '1234567.25'][(id * 3) % 4],
    ]
    return [id, ...values.map((value, column) => ((id * 13 + column * 7) % 11 === 0 ? '' : value))].join(',')
  })
  return `id,n,x,word,day,price\n${lines.join('\n')}\n`
}

/** What makes a table `local` of the rows in `local.csv`. */
export const LOCAL: readonly string[] = Object.freeze([
  "CREATE EXTERNAL TABLE rows_of_local (id BIGINT, n BIGINT, x DOUBLE, word VARCHAR, day DATE, price DOUBLE) STORED AS CSV LOCATION 'local.csv'",
  'CREATE VIEW local AS SELECT id, n, x, word, day, CAST(price AS DECIMAL(9, 2)) AS price FROM rows_of_local',
])

const CONSTANTS = {
  n: ['0', '7', '49', '-1'],
  x: ['0.0', '0.5', '-2.25', '3'],
  word: ["'a'", "'B'", "'é'", "'it''s'", "''"],
  day: ["DATE '2024-03-12'", "DATE '2024-09-01'"],
  price: ['0', '1.5', '-99.99'],
} as const

const column = fc.constantFrom(...(['n', 'x', 'word', 'day', 'price'] as const))

const comparison = column.chain((name) => {
  const constant = fc.constantFrom(...CONSTANTS[name])
  const compared = fc
    .tuple(fc.constantFrom('=', '<>', '<', '<=', '>', '>='), constant)
    .map(([sign, value]) => `${name} ${sign} ${value}`)
  const others = [
    fc.tuple(constant, constant).map(([low, high]) => `${name} BETWEEN ${low} AND ${high}`),
    fc.tuple(constant, constant).map((values) => `${name} IN (${values.join(', ')})`),
    fc.constantFrom(`${name} IS NULL`, `${name} IS NOT NULL`),
    ...(name === 'word'
      ? [fc.constantFrom("word LIKE 'a%'", "word LIKE '%b'", "word LIKE 'é%'", "starts_with(word, 'it')")]
      : []),
  ]
  return fc.oneof(compared, ...others)
})

const condition = fc.letrec<{ any: string; joined: string }>((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, comparison, tie('joined')),
  joined: fc.oneof(
    tie('any').map((inner) => `NOT (${inner})`),
    fc
      .tuple(tie('any'), fc.constantFrom('AND', 'OR'), tie('any'))
      .map(([left, word, right]) => `(${left} ${word} ${right})`),
  ),
})).any

const key = fc
  .tuple(column, fc.constantFrom('', ' DESC'), fc.constantFrom('', ' NULLS FIRST', ' NULLS LAST'))
  .map((parts) => parts.join(''))

/** Queries of a table, of which each has one answer, whatever the order of its rows. */
export const queries = fc
  .record({
    where: fc.option(condition),
    first: fc.option(
      fc.record({ keys: fc.array(key, { maxLength: 2 }), limit: fc.nat(20), offset: fc.nat(5) }),
    ),
  })
  .map(({ where, first }) => (from: string): string => {
    const order = first === null ? 'id' : [...first.keys, 'id'].join(', ')
    const cut = first === null ? '' : ` LIMIT ${first.limit} OFFSET ${first.offset}`
    return `SELECT id, n, x, word, day, price FROM ${from}${where === null ? '' : ` WHERE ${where}`} ORDER BY ${order}${cut}`
  })

const AGGREGATES = [
  'count(*)',
  'count(x)',
  'count(word)',
  'sum(n)',
  'min(n)',
  'max(day)',
  'min(word)',
  'max(id)',
  'sum(id)',
  'sum(price)',
  'max(price)',
  'count(day)',
]

/** Queries of groups of a table. */
export const groupQueries = fc
  .record({
    where: fc.option(condition),
    keys: fc.uniqueArray(fc.constantFrom('n', 'word', 'day', 'price'), { maxLength: 2 }),
    aggregates: fc.uniqueArray(fc.constantFrom(...AGGREGATES), { minLength: 1, maxLength: 3 }),
    having: fc.option(fc.constantFrom('count(*) > 3', 'max(id) < 250')),
  })
  .map(({ where, keys, aggregates, having }) => (from: string): string => {
    const columns = [...keys, ...aggregates.map((text, place) => `${text} AS a${place}`)]
    return [
      `SELECT ${columns.join(', ')} FROM ${from}`,
      ...(where === null ? [] : [`WHERE ${where}`]),
      ...(keys.length === 0 ? [] : [`GROUP BY ${keys.join(', ')}`]),
      ...(having === null || keys.length === 0 ? [] : [`HAVING ${having}`]),
      `ORDER BY ${[...keys, 'a0'].join(', ')}`,
    ].join(' ')
  })
