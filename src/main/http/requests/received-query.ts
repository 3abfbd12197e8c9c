import { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { parseRequest } from '../../query/request/request.ts'
import type { ReceivedQuery } from '../../query/run/service.ts'
import type { Config } from '../../settings/config.ts'
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
