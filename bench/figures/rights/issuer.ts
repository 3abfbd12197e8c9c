import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** An issuer of tokens, for a service on this machine. */
export interface Issuer {
  /** The settings with which a service accepts its tokens. */
  readonly env: Readonly<Record<string, string>>
  /** A token for an hour. */
  token(name: string, roles: readonly string[]): Promise<string>
  stop(): void
}

const KEY_ID = 'bench'

export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'ES256' }] })
  const server = createServer((_, response) => response.end(keys)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: {
      SERVICE_OIDC_ENABLED: 'true',
      SERVICE_OIDC_ISSUER: issuer,
      SERVICE_OIDC_JWKS_URL: `${issuer}/keys`,
    },
    token: (name, roles) =>
      new SignJWT({ preferred_username: name, realm_access: { roles } })
        .setProtectedHeader({ alg: 'ES256', kid: KEY_ID })
        .setIssuer(issuer)
        .setExpirationTime('1h')
        .sign(privateKey),
    stop: () => server.close(),
  }
}
