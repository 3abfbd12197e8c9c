import type { Socket } from 'node:net'
import type { Test } from 'tap'
import type { RemoteAddress } from '../../src/main/remotes/remote-client.ts'
import { startTcp } from '../remotes/remote.ts'

/** What a fake server does with the rows that it is asked for. */
export type OnExecute = (socket: Socket) => void

export interface FakeServer {
  readonly address: RemoteAddress
  /** The texts of all statements. */
  readonly heard: readonly string[]
}

/** Commands of the protocol. */
const QUIT = 1
const QUERY = 3
const PREPARE = 0x16
const EXECUTE = 0x17

export const THREAD = 4711
export const CHALLENGE = Buffer.from('abcdefghijklmnopqrst')
/** PROTOCOL_41, SECURE_CONNECTION and PLUGIN_AUTH, with a database. */
const CAPABILITIES = 0x8_8208

export function packet(number: number, body: Uint8Array | string): Buffer {
  const bytes = Buffer.from(body as string)
  const head = Buffer.alloc(4)
  head.writeUIntLE(bytes.length, 0, 3)
  head[3] = number
  return Buffer.concat([head, bytes])
}

/** Bodies as packets, the first of which has this number. */
export function packets(first: number, ...bodies: readonly (Uint8Array | string)[]): Buffer {
  return Buffer.concat(bodies.map((body, index) => packet((first + index) & 0xff, body)))
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export const OK = Buffer.from([0, 0, 0, 2, 0, 0, 0])
export const EOF = Buffer.from([0xfe, 0, 0, 2, 0])

export function greeting(plugin = 'mysql_native_password', capabilities = CAPABILITIES): Buffer {
  const flags = uint32(capabilities)
  return Buffer.concat([
    Buffer.from('\x0a5.5.5-fake\0'),
    uint32(THREAD),
    CHALLENGE.subarray(0, 8),
    Buffer.from([0]),
    flags.subarray(0, 2),
    Buffer.from([45, 2, 0]),
    flags.subarray(2),
    Buffer.from([21]),
    Buffer.alloc(10),
    CHALLENGE.subarray(8),
    Buffer.from(`\0${plugin}\0`),
  ])
}

export function failure(number: number, text: string): Buffer {
  return Buffer.concat([Buffer.from([0xff, number & 0xff, number >> 8]), Buffer.from(`#42000${text}`)])
}

function measured(text: string | null): Buffer {
  return text === null ? Buffer.from([0xfb]) : Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
}

/** The description of a column of this type. */
function column(type: number): Buffer {
  const names = ['def', '', '', '', 'c', ''].map(measured)
  return Buffer.concat([
    ...names,
    Buffer.from([0x0c, 45, 0]),
    uint32(255),
    Buffer.from([type, 0, 0, 0, 0, 0]),
  ])
}

const TEXT = 253

function textAnswer(rows: readonly (readonly (string | null)[])[]): Buffer {
  const width = rows[0]?.length ?? 1
  return packets(
    1,
    Buffer.from([width]),
    ...Array.from({ length: width }, () => column(TEXT)),
    EOF,
    ...rows.map((row) => Buffer.concat(row.map(measured))),
    EOF,
  )
}

/** The answer to EXECUTE: columns of these types, and what follows. */
export function rowsAnswer(types: readonly number[], ...bodies: readonly Uint8Array[]): Buffer {
  return packets(1, Buffer.from([types.length]), ...types.map(column), EOF, ...bodies)
}

/**
 * A server that speaks the protocol as far as it is asked to: it logs everybody in, and has a table `t` with these columns (name, type
 * and written type). What is left to the test are rows.
 */
export async function startFakeServer(
  t: Test,
  columns: readonly (readonly [string, string, string])[],
  onExecute: OnExecute,
  onStart: (socket: Socket) => void = (socket) => void socket.write(packet(0, greeting())),
  onLogin: (socket: Socket, body: Buffer, number: number) => boolean = () => true,
): Promise<FakeServer> {
  const heard: string[] = []
  const address = await startTcp(t, (socket) => {
    let bytes = Buffer.alloc(0)
    let isLoggedIn = false
    onStart(socket)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUIntLE(0, 3)) {
        const length = bytes.readUIntLE(0, 3)
        const number = bytes[3] ?? 0
        const body = bytes.subarray(4, 4 + length)
        bytes = bytes.subarray(4 + length)
        if (isLoggedIn) answer(body)
        else if (onLogin(socket, body, number)) {
          isLoggedIn = true
          socket.write(packet(number + 1, OK))
        }
      }
    })
    function answer(body: Buffer): void {
      const text = body.toString('utf8', 1)
      switch (body[0]) {
        case QUIT:
          socket.end()
          return
        case QUERY:
          heard.push(text)
          if (!text.startsWith('SELECT')) socket.write(packet(1, OK))
          else
            socket.write(
              textAnswer(columns.map(([name, type, written]) => [name, type, written, null, null, null])),
            )
          return
        case PREPARE: {
          heard.push(text)
          const count = columns.length
          const described = columns.map(() => column(TEXT))
          socket.write(
            packets(
              1,
              Buffer.from([0, 1, 0, 0, 0, count, 0, 0, 0, 0, 0, 0]),
              ...described,
              ...(count > 0 ? [EOF] : []),
            ),
          )
          return
        }
        case EXECUTE:
          onExecute(socket)
      }
    }
  })
  return { address: { ...address, kind: 'mysql', database: 'sea', user: 'somebody' }, heard }
}
