import type { Socket } from 'node:net'
import type { Test } from 'tap'
import type { RemoteAddress } from '../../src/main/remotes/remote-client.ts'
import { startTcp } from '../remotes/remote.ts'

/** What a fake server does with a statement. */
export type OnStatement = (text: string, socket: Socket) => void

export interface FakeServer {
  readonly address: RemoteAddress
  /** The texts of all statements, and `cancel` for requests to cancel. */
  readonly heard: readonly string[]
  /** Empties it. */
  forget(): void
}

const CANCEL_REQUEST = 80_877_102

/** A message of the protocol. */
export function message(code: string, body: Uint8Array | string = ''): Buffer {
  const bytes = Buffer.from(body as string)
  const head = Buffer.alloc(5)
  head.write(code)
  head.writeInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}

export function int32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeInt32BE(value, 4 * i)
  return bytes
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

export const READY = message('Z', 'T')
export const LOGGED_IN = Buffer.concat([message('R', int32(0)), message('K', int32(7, 8)), message('Z', 'I')])

/** An answer of rows of text. */
function textRows(columns: number, rows: readonly (readonly (string | null)[])[]): Buffer {
  const column = Buffer.concat([
    Buffer.from('c\0'),
    int32(0),
    int16(0),
    int32(25),
    int16(-1),
    int32(-1),
    int16(0),
  ])
  const described = message(
    'T',
    Buffer.concat([int16(columns), ...Array.from({ length: columns }, () => column)]),
  )
  const data = rows.map((row) =>
    message(
      'D',
      Buffer.concat([
        int16(row.length),
        ...row.map((value) =>
          value === null ? int32(-1) : Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]),
        ),
      ]),
    ),
  )
  return Buffer.concat([described, ...data, message('C', 'SELECT\0')])
}

/** What the data of COPY begins with. */
export const COPY_HEAD = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), int32(0, 0)])

export function copyRow(...values: readonly (Uint8Array | null)[]): Buffer {
  return Buffer.concat([
    int16(values.length),
    ...values.map((value) => (value === null ? int32(-1) : Buffer.concat([int32(value.length), value]))),
  ])
}

/** The messages of `COPY … TO STDOUT` with this data, each part in one of its own. */
export function copyAnswer(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([
    message('H', Buffer.concat([Buffer.from([1]), int16(0)])),
    ...parts.map((part) => message('d', part)),
    message('c'),
    message('C', 'COPY 1\0'),
    READY,
  ])
}

/**
 * A server that speaks the protocol as far as it is asked to: it logs everybody in, and has a table `t` with these columns (name and
 * type). What is left to the test are the statements COPY, and whatever `onStatement` answers before.
 */
export async function startFakeServer(
  t: Test,
  columns: readonly (readonly [string, string])[],
  onCopy: OnStatement,
  onStart: (socket: Socket) => void = (socket) => void socket.write(LOGGED_IN),
): Promise<FakeServer> {
  const heard: string[] = []
  const address = await startTcp(t, (socket) => {
    let bytes = Buffer.alloc(0)
    let isStarted = false
    let parsed = ''
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      for (;;) {
        const head = isStarted ? 1 : 0
        if (bytes.length < head + 4) return
        const length = bytes.readInt32BE(head)
        if (bytes.length < head + length) return
        const code = isStarted ? String.fromCharCode(bytes[0] ?? 0) : ''
        const body = bytes.subarray(head + 4, head + length)
        bytes = bytes.subarray(head + length)
        if (!isStarted) {
          if (body.readInt32BE(0) === CANCEL_REQUEST) {
            heard.push(`cancel ${body.readInt32BE(4)} ${body.readInt32BE(8)}`)
            socket.end()
            return
          }
          isStarted = true
          onStart(socket)
        } else if (code === 'Q') answer(body.toString('utf8', 0, body.length - 1))
        else if (code === 'P') parsed = body.toString('utf8', 1, body.indexOf(0, 1))
        else if (code === 'S') {
          heard.push(parsed)
          socket.write(
            Buffer.concat([
              message('1'),
              message('2'),
              textRows(
                4,
                columns.map(([name, type]) => [name, type, null, '-1']),
              ),
              READY,
            ]),
          )
        }
      }
    })
    function answer(text: string): void {
      heard.push(text)
      if (text.startsWith('COPY')) onCopy(text, socket)
      else socket.write(Buffer.concat([textRows(1, [['UTF8']]), READY]))
    }
  })
  return {
    address: { ...address, kind: 'postgres', database: 'sea', user: 'somebody' },
    heard,
    forget: () => void heard.splice(0),
  }
}
