import { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { parseRequest } from '../../query/request/request.ts'
import type { ReceivedQuery } from '../../query/run/service.ts'
import type { Config } from '../../settings/config.ts'
import { isStatement } from '../../sql/grammar/parse-statement.ts'
import { firstWords } from '../../sql/text/tokens.ts'
import { jsonObject } from './json-body.ts'

/** Parses a request. Throws as `jsonObject` and `parseRequest` do. */
export function receivedQuery(text: string, caching: boolean, formats: Formats): ReceivedQuery {
  const json = jsonObject(text)
  return { json, request: parseRequest(json, formats), caching }
}

/**
 * The query, if it may be run. Throws `sql_disabled` for SQL where that is switched off, which holds for the super-user too.
 * It can be parsed and explained even so (docs/reference/http.md).
 */
export function runnable(query: ReceivedQuery, { enableSql }: Pick<Config, 'enableSql'>): ReceivedQuery {
  if (query.request.kind === 'sql' && !enableSql)
    throw new ServiceError('sql_disabled', 'SQL queries are not enabled')
  return query
}

/** Whether a request is a statement that is no query. */
export function hasStatement({ request }: ReceivedQuery): boolean {
  return request.kind === 'sql' && isStatement(request.sql)
}

/** The query, if it is one. Throws `invalid_sql` for a statement that is no query, which only one route runs. */
export function queryAlone(query: ReceivedQuery): ReceivedQuery {
  const { request } = query
  if (request.kind === 'json' || !isStatement(request.sql)) return query
  const [word] = firstWords(request.sql, 1)
  throw new ServiceError(
    'invalid_sql',
    `${word} begins a statement that is no query, which only POST /api/query runs; here a query is expected`,
    { quotesNothing: true },
  )
}
