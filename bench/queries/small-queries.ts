import type { Agreement } from '../compare/answer.ts'

/** A question of a dashboard: `number`, 8 digits, makes it another one with as many rows, more or less. */
export interface SmallQuery {
  readonly key: string
  readonly what: string
  /** What the service is sent. */
  body(number: string): string
  /** The same over a table expression. */
  sql(number: string, table: string): string
  readonly agreement: Agreement
}

/** Over `path`, a file of 100 000 observations. */
export function smallQueries(path: string): readonly SmallQuery[] {
  return [rows(path), groups(path)]
}

/** Of a JSON body, in whose place a number is written. */
const BOUND = 'bound'

function rows(path: string): SmallQuery {
  return {
    key: 'rows',
    what: '4 columns of 10 000 rows',
    body: (number) =>
      JSON.stringify({
        select: ['time', 'latitude', 'longitude', 'temperature'],
        from: { parquet: { paths: [path] } },
        filters: [{ column: 'latitude', min: -9, max: BOUND }],
      }).replace(`"${BOUND}"`, `9.0${number}`),
    sql: (number, table) =>
      `SELECT time, latitude, longitude, temperature FROM ${table} WHERE latitude BETWEEN -9 AND 9.0${number}`,
    agreement: 'multiset',
  }
}

function groups(path: string): SmallQuery {
  const sql: SmallQuery['sql'] = (number, table) =>
    `SELECT platform_id, avg(temperature) AS mean, count(*) AS n FROM ${table} WHERE latitude <= 60.0${number}
      GROUP BY platform_id ORDER BY platform_id`
  return {
    key: 'groups',
    what: '48 groups of 83 000 rows',
    body: (number) => JSON.stringify({ sql: sql(number, `read_parquet(['${path}'])`) }),
    sql,
    agreement: 'ordered',
  }
}
