import { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { parseRequest } from '../../query/request/request.ts'
import type { ReceivedQuery } from '../../query/run/service.ts'
import type { Config } from '../../settings/config.ts'
import { jsonObject } from './json-body.ts'

/** Throws as `jsonObject` and `parseRequest` do. */
export function receivedQuery(text: string, caching: boolean, formats: Formats): ReceivedQuery {
  const json = jsonObject(text)
  return { json, request: parseRequest(json, formats), caching }
}

/** SQL may be switched off, for the super-user too; it can still be parsed and explained (docs/reference/http.md). */
export function runnable(query: ReceivedQuery, { enableSql }: Pick<Config, 'enableSql'>): ReceivedQuery {
  if (query.request.kind === 'sql' && !enableSql)
    throw new ServiceError('sql_disabled', 'SQL queries are not enabled')
  return query
}
