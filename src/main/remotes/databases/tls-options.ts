import type { ConnectionOptions } from 'node:tls'
import type { SslMode } from '../remote-client.ts'

/** How certificates are verified, as libpq has it. */
export function tlsOptions(mode: Exclude<SslMode, 'disable'>): ConnectionOptions {
  switch (mode) {
    case 'require':
      return { rejectUnauthorized: false }
    case 'verify-ca':
      return { checkServerIdentity: () => undefined }
    case 'verify-full':
      return {}
  }
}
