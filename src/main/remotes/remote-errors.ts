import { ServiceError } from '../../plan/errors.ts'
import type { RemoteAddress, RemoteCaller, RemoteLogin } from './remote-client.ts'

/** Makes the errors of one remote, for one caller. */
export interface RemoteErrors {
  unavailable(why: string, cause?: unknown): ServiceError
  /** `text`: what the remote has said, which the super-user alone is told. */
  refused(why: string, text?: string, cause?: unknown): ServiceError
}

/** The most characters of what a remote has said that are told. */
const MOST_CHARACTERS = 1024

export function createRemoteErrors(
  { host, port }: Pick<RemoteAddress, 'host' | 'port'>,
  login: RemoteLogin,
  { isSuperUser }: RemoteCaller,
): RemoteErrors {
  const where = isSuperUser ? printEndpoint(host, port) : 'The service that has the rows'
  return {
    unavailable: (why, cause) => new ServiceError('remote_unavailable', `${where} ${why}.`, { cause }),
    refused(why, text = '', cause) {
      const quoted = isSuperUser ? quotableText(text, login) : ''
      return new ServiceError('remote_refused', `${where} ${why}${quoted === '' ? '.' : `: ${quoted}`}`, {
        cause,
      })
    },
  }
}

/** `host:port`, with an IPv6 address in brackets. */
export function printEndpoint(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The text of a remote without characters that control a terminal, and without what was said to it at the login. */
function quotableText(text: string, login: RemoteLogin): string {
  const secrets = secretsOf(login).filter((secret) => secret !== '')
  const masked = secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
  return masked
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\s]+/gu, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS)
}

function secretsOf(login: RemoteLogin): readonly string[] {
  if (login === 'anonymous') return []
  if ('token' in login) return [login.token]
  const { user = '', password = '' } = login
  return password === '' ? [] : [password, Buffer.from(`${user}:${password}`).toString('base64')]
}
