import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import type { Test } from 'tap'
import type { RemoteAddress, RemoteCaller } from '../../src/main/remotes/remote-client.ts'
import { createRemotes, type Remotes, type RemotesOptions } from '../../src/main/remotes/remotes.ts'

export const SUPER: RemoteCaller = Object.freeze({ hops: 0, isSuperUser: true })

export const ARROW = 'application/vnd.apache.arrow.stream'

export const NEVER = new AbortController().signal

/** A server of HTTP, and its address as that of a remote. It ends with the test. */
export async function startHttp(t: Test, listener: RequestListener): Promise<RemoteAddress> {
  const server = createServer(listener)
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return addressOf((server.address() as AddressInfo).port)
}

/** A server that does with a connection whatever it wants. */
export async function startTcp(t: Test, onConnection: (socket: Socket) => void): Promise<RemoteAddress> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    onConnection(socket)
  })
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return addressOf((server.address() as AddressInfo).port)
}

export function addressOf(port: number, host = '127.0.0.1'): RemoteAddress {
  return { kind: 'service', host, port, tls: false, database: '', basePath: '' }
}

export function startRemotes(t: Test, options: Partial<RemotesOptions> = {}): Remotes {
  // A thread without a client ends at once: tests of generated values open very many.
  const remotes = createRemotes({ remoteHosts: [], idleMs: 0, ...options })
  t.teardown(remotes.close)
  return remotes
}

export async function allOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(new Uint8Array(chunk))
  return Buffer.concat(chunks)
}
