import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type CryptoKey,
  exportJWK,
  type GenerateKeyPairAlgorithm,
  generateKeyPair,
  type JWK,
  SignJWT,
} from 'jose'

/** What a token says, right or wrong. */
export type Claims = Readonly<Record<string, unknown>>

/** A key of an issuer. */
export interface IssuerKey {
  readonly kid: string
  readonly algorithm: string
  readonly privateKey: CryptoKey
  /** As the issuer publishes it. */
  readonly jwk: JWK
}

/** An issuer of tokens on a port of its own, which publishes its keys. */
export interface TokenIssuer {
  readonly issuer: string
  readonly jwksUrl: string
  /** The settings of a service that accepts its tokens. */
  readonly settings: Readonly<Record<string, string>>
  /** The requests for keys so far. */
  readonly fetches: number
  /** Puts these keys in place of those that it publishes. */
  publish(...keys: readonly IssuerKey[]): void
  /** Answers requests for keys in another way, or as before. */
  answerWith(answer: ((response: ServerResponse) => void) | null): void
  /** A token for an hour, signed with the first key. */
  token(claims?: Claims, header?: Readonly<Record<string, unknown>>): Promise<string>
  close(): Promise<void>
}

export async function makeKey(
  kid: string,
  algorithm: GenerateKeyPairAlgorithm = 'ES256',
): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm)
  return {
    kid,
    algorithm,
    privateKey,
    jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' },
  }
}

/** A token that is signed with a key, with these claims alone. */
export function signed(
  { kid, algorithm, privateKey }: IssuerKey,
  claims: Claims,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid, ...header }).sign(privateKey)
}

/** Seconds since 1970, so many from now. */
export function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds
}

export async function startIssuer(): Promise<TokenIssuer> {
  let keys: readonly IssuerKey[] = [await makeKey('first')]
  let answer: ((response: ServerResponse) => void) | null = null
  let fetches = 0
  const server = createServer((_request, response) => {
    fetches++
    if (answer === null) response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }))
    else answer(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/ocean`
  const jwksUrl = `${issuer}/certs`
  return {
    issuer,
    jwksUrl,
    settings: { SERVICE_OIDC_ENABLED: 'true', SERVICE_OIDC_ISSUER: issuer, SERVICE_OIDC_JWKS_URL: jwksUrl },
    get fetches() {
      return fetches
    },
    publish(...others) {
      keys = others
    },
    answerWith(other) {
      answer = other
    },
    token(claims, header) {
      const [key] = keys
      if (key === undefined) throw new Error('The issuer has no key.')
      return signed(key, { iss: issuer, exp: inSeconds(3600), preferred_username: 'ann', ...claims }, header)
    },
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
