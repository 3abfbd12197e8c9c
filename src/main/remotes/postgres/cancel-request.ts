import { Socket } from 'node:net'
import type { AllowedHosts } from '../allowed-hosts.ts'

/** What a server tells at the login, by which a statement of that connection is cancelled. */
export interface CancelKey {
  readonly processID: number
  readonly secretKey: number
}

/** CancelRequest (PostgreSQL, "Message Formats"): its length, a code in place of a version, the process and its key. */
const BYTES = 16
const CODE = 80_877_102

/** Asks a server to give up what another connection does. Nobody waits for it, and nothing tells whether it was heard. */
export function sendCancel(
  { host, port }: Readonly<{ host: string; port: number }>,
  { lookup }: Pick<AllowedHosts, 'lookup'>,
  connectMs: number,
  { processID, secretKey }: CancelKey,
): void {
  const message = Buffer.alloc(BYTES)
  message.writeInt32BE(BYTES, 0)
  message.writeInt32BE(CODE, 4)
  message.writeInt32BE(processID, 8)
  message.writeInt32BE(secretKey, 12)
  const socket = new Socket()
  socket.setTimeout(connectMs, () => socket.destroy())
  socket.on('error', () => {})
  socket.once('connect', () => socket.end(message))
  // The server closes without an answer.
  socket.resume()
  socket.unref()
  socket.connect({ host, port, lookup })
}
