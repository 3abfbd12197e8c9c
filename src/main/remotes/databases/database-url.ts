import { ServiceError } from '../../../plan/errors.ts'
import type { RemoteAddress, SslMode } from '../remote-client.ts'
import { DATABASE_KINDS, type DatabaseKindName } from './database-kinds.ts'
import { readDatabaseHost, readPort } from './database-options.ts'

/**
 * Reads the URL of a database: `postgres://host[:port]/database`, or the other schemes of `DATABASE_KINDS`. Throws `invalid_sql`, with nothing
 * of the URL, which may have a password.
 */
export function readDatabaseUrl(
  url: string,
  kind: DatabaseKindName,
  sslMode: SslMode | undefined,
): RemoteAddress {
  const refuse = (): never => {
    throw new ServiceError(
      'invalid_sql',
      `The URL cannot be read; write it as ${kind}://host:port/database, and the login as options.`,
      { quotesNothing: true },
    )
  }
  const [, host, port, database = ''] =
    /^[a-z]+:\/\/(\[[0-9a-f:.]+\]|[^:/?#@\s[\]]+)(?::(\d{1,5}))?\/([^/?#@]+)$/i.exec(url) ?? refuse()
  return Object.freeze({
    kind,
    host: readDatabaseHost(host, refuse),
    port: readPort(port, refuse) || DATABASE_KINDS[kind].port,
    tls: sslMode !== undefined && sslMode !== 'disable',
    database: decode(database) ?? refuse(),
    basePath: '',
    ...(sslMode !== undefined && { sslMode }),
  })
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
