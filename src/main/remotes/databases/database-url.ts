import { ServiceError } from '../../../plan/errors.ts'
import type { RemoteAddress, SslMode } from '../remote-client.ts'
import { readDatabaseHost, readPort } from './database-options.ts'

/** Where PostgreSQL listens unless told otherwise. */
export const POSTGRES_PORT = 5432

/**
 * Reads the URL of a database: `postgres://host[:port]/database`, or `postgresql://`. Throws `invalid_sql`, with nothing of the URL, which
 * may have a password.
 */
export function readDatabaseUrl(url: string, sslMode: SslMode | undefined): RemoteAddress {
  const refuse = (): never => {
    throw new ServiceError(
      'invalid_sql',
      'The URL cannot be read; write it as postgres://host:port/database, and the login as options.',
      { quotesNothing: true },
    )
  }
  const [, host, port, database = ''] =
    /^postgres(?:ql)?:\/\/(\[[0-9a-f:.]+\]|[^:/?#@\s[\]]+)(?::(\d{1,5}))?\/([^/?#@]+)$/i.exec(url) ?? refuse()
  return Object.freeze({
    kind: 'postgres',
    host: readDatabaseHost(host, refuse),
    port: readPort(port, refuse) || POSTGRES_PORT,
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
