import { ServiceError } from '../../plan/errors.ts'
import type { RemoteAddress } from './remote-client.ts'
import { readTableText, type WrittenRemoteTable } from './remote-table-name.ts'

/** How the URL of a service may be written. */
const FORMS = 'service://host:port, http://host:port or https://host:port'

/**
 * Reads the URL of a service of this kind: `service://host:port`, `<name>://host:port`, `http(s)://host[:port][/prefix]` or
 * `host:port`. Throws `invalid_sql`.
 * @param name The name of this service (`SERVICE_NAME`).
 * @param tls Whether the connection is encrypted. Null: as the scheme says, which is only `https` of them.
 */
export function readServiceUrl(url: string, name: string, tls: boolean | null): RemoteAddress {
  const [scheme, rest] = splitScheme(url)
  if (scheme.startsWith('grpc'))
    throw new ServiceError(
      'invalid_sql',
      `${scheme}:// is not read: give the port on which the service answers HTTP, as ${FORMS}.`,
    )
  if (!['', 'service', name, 'http', 'https'].includes(scheme))
    throw new ServiceError('invalid_sql', `${scheme}:// names no service; it is written ${FORMS}.`)
  const isHttps = scheme === 'https'
  if (isHttps && tls === false)
    throw new ServiceError('invalid_sql', "https:// and 'tls' 'false' contradict each other; leave one out.")
  const isEncrypted = tls ?? isHttps
  const parsed = parseHttp(isEncrypted, rest)
  // Nothing of the text is told: it may have a password.
  if (parsed === null) throw new ServiceError('invalid_sql', `The URL cannot be read; write it as ${FORMS}.`)
  if (parsed.username !== '' || parsed.password !== '' || rest.includes('@'))
    throw new ServiceError('invalid_sql', 'The URL has a user or a password; give them as options.')
  if (/[?#]/.test(rest))
    throw new ServiceError('invalid_sql', 'The URL has a query or a fragment; leave it out.')
  const isHttp = scheme === 'http' || isHttps
  if (parsed.port === '' && !isHttp && !/:\d+(?:\/|$)/.test(rest))
    throw new ServiceError('invalid_sql', `The URL has no port; write it as ${FORMS}.`)
  return Object.freeze({
    kind: 'service',
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(parsed.port || (isEncrypted ? 443 : 80)),
    tls: isEncrypted,
    database: '',
    basePath: parsed.pathname.replace(/\/+$/, ''),
  })
}

/**
 * Reads the location of a table in a service: `service://host:port/[schema.]table`. What comes before the last `/` of the path is the
 * prefix of the service. Throws `invalid_sql`.
 */
export function readTableUrl(
  url: string,
  name: string,
  tls: boolean | null,
): { readonly address: RemoteAddress; readonly table: WrittenRemoteTable } {
  const { basePath, ...address } = readServiceUrl(url, name, tls)
  const at = basePath.lastIndexOf('/')
  const table = at < 0 ? null : readTableText(basePath.slice(at + 1))
  if (table === null)
    throw new ServiceError(
      'invalid_sql',
      'The location names no table; write it as service://host:port/table or service://host:port/schema.table.',
    )
  return { address: Object.freeze({ ...address, basePath: basePath.slice(0, at) }), table }
}

/** The scheme in lower case, and what follows it. '': there is none. */
function splitScheme(url: string): readonly [string, string] {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*(?:_[a-z0-9+._-]*)?):\/\/(.*)$/is.exec(url) ?? []
  return scheme === undefined || rest === undefined ? ['', url] : [scheme.toLowerCase(), rest]
}

/** Hosts are read as those of HTTP are, so that each way to write an address becomes one. */
function parseHttp(isEncrypted: boolean, rest: string): URL | null {
  const url = URL.parse(`${isEncrypted ? 'https' : 'http'}://${rest}`)
  return url === null || url.hostname === '' || /[\s\\]/.test(rest) ? null : url
}
