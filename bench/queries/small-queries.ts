import type { Agreement } from '../compare/answer.ts'

/** A query as a dashboard sends it. Each `number`, of 8 digits, gives another query with about as many rows. */
export interface SmallQuery {
  readonly key: string
  readonly what: string
  /** The request to the service. */
  body(number: string): string
  /** The same as a statement over a table expression. */
  sql(number: string, table: string): string
  readonly agreement: Agreement
}

/** The small queries over a file of 100 000 observations. */
export function smallQueries(path: string): readonly SmallQuery[] {
  return [rows(path), groups(path)]
}

/** The placeholder in a JSON body for a number whose digits JSON.stringify would change. */
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
