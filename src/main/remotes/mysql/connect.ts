import { Socket } from 'node:net'
import type { CopyFoot } from '../../../plan/copy/copy-file.ts'
import type { Field } from '../../../plan/types/schema.ts'
import { type Connecting, connectTwice } from '../databases/connecting.ts'
import type { ReusableConnection, Using } from '../databases/idle-connections.ts'
import { isOfType } from './column-type.ts'
import { faultOf, isConnectionFault, serverError } from './faults.ts'
import { logIn } from './login.ts'
import { END, ERROR, LOCAL_FILE, MOST_END_BYTES, OK, readBody } from './packet.ts'
import { createPacketStream } from './packet-stream.ts'
import { createRowWalk } from './row-walk.ts'

/** A row of text. */
export type TextRow = readonly (string | null)[]

/**
 * A connection to a database, on which one statement runs at a time. All of it rejects with `remote_unavailable`, `remote_refused`, and
 * the reason of the signal of the statement that uses it: at first the one that it was made for.
 */
export interface MysqlConnection extends ReusableConnection {
  /** The rows of a statement, each value as text. */
  query(sql: string): Promise<readonly TextRow[]>
  /** The rows of a statement, whose columns have to be of these fields' types, as `row-walk.ts` gives them. Leaving it early closes the connection. */
  rows(sql: string, fields: readonly Field[]): AsyncGenerator<Uint8Array, CopyFoot>
}

/** Commands of the protocol (MySQL, "Command Phase"). */
const QUIT = 0x01
const QUERY = 0x03
const PREPARE = 0x16
const EXECUTE = 0x17
const CLOSE = 0x19
/** Ends the transaction, and sets all variables as after the login. MySQL has it since 5.7.3, MariaDB since 10.2.4. */
const RESET = 0x1f

/** The most bytes of a packet that is no row of a table, and of an answer of texts. */
const MOST_PACKET_BYTES = 1 << 20
const MOST_ANSWER_BYTES = 64 << 20

/** Another answer follows. */
const MORE_RESULTS = 0x8

/** As `connectTwice`. */
export function connectMysql(options: Connecting, signal: AbortSignal): Promise<MysqlConnection> {
  return connectTwice(options, connectOnce, { isConnectionFault, faultOf }, signal)
}

async function connectOnce(options: Connecting, firstSignal: AbortSignal): Promise<MysqlConnection> {
  const { target, hosts, times } = options
  let { errors, signal }: Using = { errors: options.errors, signal: firstSignal }
  signal.throwIfAborted()
  const socket = new Socket()
  let stream = socket
  let killed: Error | null = null
  /** The number of the connection there, while a statement runs. */
  let running: number | null = null
  let threadId = 0

  function kill(reason: unknown): void {
    if (killed !== null) return
    killed = reason instanceof Error ? reason : new Error('the connection is closed', { cause: reason })
    stream.destroy(killed)
    socket.destroy(killed)
    if (running !== null) killQuery(options, running)
  }

  const refuse = (what: string): never => {
    throw errors.refused(what)
  }
  const packets = createPacketStream(socket, MOST_PACKET_BYTES, refuse)

  const abort = (): void => kill(signal.reason)
  const timer = setTimeout(
    () => kill(errors.unavailable(`cannot be reached within ${times.connectMs / 1000} s`)),
    times.connectMs,
  )
  signal.addEventListener('abort', abort, { once: true })
  try {
    socket.setNoDelay(true)
    socket.connect({ host: target.host, port: target.port, lookup: hosts.lookup })
    threadId = await logIn(socket, packets, target, errors, (secure) => {
      stream = secure
    })
  } catch (error) {
    stream.destroy()
    socket.destroy()
    throw killed ?? error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }

  /** Runs a statement, and closes the connection when the signal is aborted meanwhile, and where it fails. */
  async function* watch<T, R>(work: () => AsyncGenerator<T, R>): AsyncGenerator<T, R> {
    const listened = signal
    if (listened.aborted) abort()
    listened.addEventListener('abort', abort, { once: true })
    running = threadId
    let isOver = false
    try {
      const result = yield* work()
      isOver = true
      return result
    } catch (error) {
      const fault = faultOf(killed ?? error, errors, signal)
      kill(fault)
      throw fault
    } finally {
      listened.removeEventListener('abort', abort)
      if (!isOver) kill(errors.unavailable('is not read from any more'))
      running = null
    }
  }

  /** Waits for the server, which may be silent for so long. */
  async function heard<T>(coming: Promise<T>): Promise<T> {
    const silence = setTimeout(
      () => kill(errors.unavailable(`has sent nothing for ${times.silenceMs / 1000} s`)),
      times.silenceMs,
    )
    try {
      return await coming
    } finally {
      clearTimeout(silence)
    }
  }

  const answer = (): Promise<Buffer> => heard(packets.packet())

  /** Throws the error that the server tells, by which the statement is over there. */
  function requireNoError(body: Buffer): void {
    if (body[0] !== ERROR) return
    running = null
    throw serverError(body, errors, 'has refused the statement')
  }

  /** The columns of an answer. Null: it has none. */
  async function head(): Promise<readonly number[] | null> {
    const body = await answer()
    requireNoError(body)
    if (body[0] === LOCAL_FILE) return refuse('asks for a file of this service, which is not sent')
    if (body[0] === OK) return null
    return readTypes(readBody(body).length())
  }

  /** The types of columns that a server describes. */
  async function readTypes(count: number): Promise<readonly number[]> {
    if (count > MOST_COLUMNS) refuse(`has sent ${count} columns`)
    const types: number[] = []
    for (let i = 0; i < count; i++) types.push(columnType(await answer()))
    if (count > 0 && !isEnd(await answer())) refuse('has sent what is no packet of MySQL')
    return types
  }

  function requireEnd(body: Buffer): void {
    requireNoError(body)
    if (!isEnd(body)) refuse('has sent what is no packet of MySQL')
    if ((body.readUInt16LE(3) & MORE_RESULTS) !== 0) refuse('has sent more answers than it was asked for')
  }

  async function* texts(command: number, argument: Buffer): AsyncGenerator<never, readonly TextRow[]> {
    packets.command(command, argument)
    const columns = await head()
    const rows: TextRow[] = []
    if (columns === null) return rows
    let bytes = 0
    for (;;) {
      const body = await answer()
      if (body[0] === ERROR || isEnd(body)) {
        requireEnd(body)
        return rows
      }
      bytes += body.length
      if (bytes > MOST_ANSWER_BYTES)
        refuse(`has sent more than ${MOST_ANSWER_BYTES} bytes where few are expected`)
      const reader = readBody(body)
      rows.push(columns.map(() => reader.measured()?.toString() ?? null))
    }
  }

  async function prepare(sql: string): Promise<Buffer> {
    packets.command(PREPARE, Buffer.from(sql))
    const body = await answer()
    requireNoError(body)
    const reader = readBody(body)
    if (reader.uint(1) !== OK) refuse('has sent what is no packet of MySQL')
    const statement = reader.bytes(4)
    const columns = reader.uint(2)
    await readTypes(reader.uint(2))
    await readTypes(columns)
    return statement
  }

  async function* binary(sql: string, fields: readonly Field[]): AsyncGenerator<Uint8Array, CopyFoot> {
    const statement = await prepare(sql)
    packets.command(EXECUTE, Buffer.concat([statement, EXECUTE_ONCE]))
    const types = await head()
    if (types?.length !== fields.length)
      return refuse(`has sent ${types?.length ?? 0} columns where ${fields.length} are expected`)
    for (const [index, field] of fields.entries())
      if (!isOfType(types[index] ?? -1, field.type))
        refuse(`has sent the column ${JSON.stringify(field.name)} in another form than its type has`)
    const walk = createRowWalk(fields, packets.number, refuse)
    while (walk.end === null) yield* walk.feed(await heard(packets.bytes()))
    packets.putBack(walk.end.bytes, walk.end.number)
    requireEnd(await answer())
    packets.command(CLOSE, statement)
    return walk.finish()
  }

  return {
    use(using) {
      errors = using.errors
      signal = using.signal
    },
    async reset() {
      await watch(() => texts(RESET, Buffer.alloc(0))).next()
    },
    get isClosed() {
      return killed !== null || stream.destroyed || stream.readableEnded
    },
    async query(sql) {
      const rows = await watch(() => texts(QUERY, Buffer.from(sql))).next()
      return rows.value
    },
    rows: (sql, fields) => watch(() => binary(sql, fields)),
    end() {
      if (killed !== null) return
      killed = new Error('the connection is closed')
      packets.command(QUIT, Buffer.alloc(0))
      stream.destroySoon()
      // A server that does not read keeps no thread running.
      socket.unref()
    },
  }
}

/** No cursor, and one execution. */
const EXECUTE_ONCE = Buffer.from([0, 1, 0, 0, 0])

/** The most columns of a table of MySQL are 4096, those of a view no more. */
const MOST_COLUMNS = 4_096

/** The type in the description of a column. */
function columnType(body: Buffer): number {
  const reader = readBody(body)
  // Catalog, schema, table and column, the last two with their names in the table.
  for (let i = 0; i < 6; i++) reader.measured()
  reader.length()
  // The character set, and the length.
  reader.bytes(6)
  return reader.uint(1)
}

function isEnd(body: Buffer): boolean {
  return body[0] === END && body.length <= MOST_END_BYTES && body.length >= 5
}

/** Has a server give up what another connection does. Nobody waits for it. */
function killQuery(options: Connecting, threadId: number): void {
  const limit = AbortSignal.timeout(options.times.connectMs)
  connectOnce(options, limit)
    .then(async (connection) => {
      await connection.query(`KILL QUERY ${threadId}`)
      connection.end()
    })
    .catch(() => {})
}
