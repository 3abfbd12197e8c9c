import type { RemoteAddress } from './remote-client.ts'
import { printEndpoint } from './remote-errors.ts'

/** An address as a URL, without a login. */
export function printAddress({ kind, tls, host, port, database, basePath }: RemoteAddress): string {
  const place = port === 0 ? printEndpoint(host, 0).replace(/:0$/, '') : printEndpoint(host, port)
  if (kind === 'service') return `${tls ? 'https' : 'http'}://${place}${basePath}`
  return `${kind}://${place}/${encodeURIComponent(database)}`
}
