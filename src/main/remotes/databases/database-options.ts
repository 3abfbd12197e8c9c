import type { SslMode } from '../remote-client.ts'

/** Refuses what an option says. */
type Refuse = (what: string) => never

const MODES: readonly SslMode[] = ['disable', 'require', 'verify-ca', 'verify-full']

/** Undefined: it is not given. Modes that may fall back to a connection in clear are refused. */
export function readSslMode(text: string | undefined, refuse: Refuse): SslMode | undefined {
  if (text === undefined) return undefined
  return MODES.find((mode) => mode === text.toLowerCase()) ?? refuse(`"sslmode" is ${MODES.join(', ')}`)
}

const MOST_PORT = 65_535

/** 0: it is not given. */
export function readPort(text: string | undefined, refuse: Refuse): number {
  if (text === undefined) return 0
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= MOST_PORT ? port : refuse('"port" is a number from 1 to 65535')
}

/** A host in the form in which URLs of HTTP have it, so that each way to write an address becomes one. '': it is not given. */
export function readDatabaseHost(text: string | undefined, refuse: Refuse): string {
  if (text === undefined) return ''
  const written = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text
  const url = /^[^\s/\\?#@%]+$/.test(written) ? URL.parse(`http://${written}/`) : null
  if (url === null || url.hostname === '' || url.port !== '')
    return refuse('"host" is a name or an IP address')
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}
