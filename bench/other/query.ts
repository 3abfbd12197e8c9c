import type { BenchQuery } from '../queries/queries.ts'

type Sql = BenchQuery['sql']
type Json = NonNullable<BenchQuery['json']>

/** A query for the rows that pass a filter. */
export function filter(key: string, where: string, filters?: Json['filters'], columns = ['id']): BenchQuery {
  const list = columns.join(', ')
  return {
    key,
    sql: ({ t }) => `SELECT ${list} FROM ${t} WHERE ${where}`,
    json: filters === undefined ? null : { select: columns, filters },
    agreement: 'multiset',
  }
}

/** A query whose answer has a total order. */
export function ordered(key: string, sql: Sql, json: BenchQuery['json'] = null): BenchQuery {
  return { key, sql, json, agreement: 'ordered' }
}
