import type { IncomingMessage } from 'node:http'
import { isServiceError } from '../../../plan/errors.ts'
import type { Lanes } from '../lanes.ts'
import type {
  RelayedAnswer,
  RelayedBatch,
  RelayedRows,
  RemoteAddress,
  RemoteCaller,
  RemoteClient,
  RemoteLogin,
  RemoteTable,
} from '../remote-client.ts'
import { bytesOf, type RemoteRequest, type Sending, sendRequest } from '../send-request.ts'
import { printTable } from '../sql/print-names.ts'
import { arrowMessages } from './arrow-messages.ts'
import { checkBatch } from './check-batch.ts'
import { HOPS_HEADER, VERSION_HEADER } from './headers.ts'
import type { RemoteVersions } from './remote-versions.ts'

/** The media type of the rows that a service answers. */
const ARROW_STREAM = 'application/vnd.apache.arrow.stream'

/** The most connections to a service that wait for clients. The others are for rows that nobody waits for. */
const MOST_RELAYED = 6

/** How long a remote may take to answer whether it can be read from. Milliseconds. */
const CHECK_MS = 10_000

/** The most bytes of a list of tables, and of the columns of a table. */
const MOST_LIST_BYTES = 64 << 20

/** The most bytes of what a remote says that are read. */
const MOST_TEXT_BYTES = 8 << 10

/** The schemas of a service that are not its users'. */
const SYSTEM_SCHEMAS: ReadonlySet<string> = new Set(['information_schema', 'system'])

export interface ServiceClientOptions extends Sending {
  readonly address: RemoteAddress
  readonly login: RemoteLogin
  readonly caller: RemoteCaller
  readonly lanes: Lanes
  /** What is known of the versions of services. */
  readonly versions: RemoteVersions
}

/** Asks a service of this kind by the HTTP API of its interface. */
export function createServiceClient(options: ServiceClientOptions): RemoteClient {
  const { address, login, caller, lanes, errors, versions } = options
  const headers = Object.freeze({
    ...authorization(login),
    [HOPS_HEADER]: String(caller.hops + 1),
    [VERSION_HEADER]: versions.version,
  })

  /** Sends a request, and learns of the version of who answers. */
  async function send(
    { method, path, body }: Pick<RemoteRequest, 'method' | 'path' | 'body'>,
    mediaType: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const response = await sendRequest(
      {
        address,
        method,
        path: `${address.basePath}${path}`,
        headers: {
          ...headers,
          accept: mediaType,
          ...(body !== null && { 'content-type': 'application/json' }),
        },
        body,
      },
      options,
      signal,
    )
    versions.put(address, response.headers[VERSION_HEADER] === versions.version)
    return response
  }

  /** The bytes of an answer of one media type. One place is taken from the request to the end of the answer. */
  async function* answer(
    request: Pick<RemoteRequest, 'method' | 'path' | 'body'>,
    mediaType: string,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void> {
    const giveBack = await lanes.take(signal)
    try {
      const response = await send(request, mediaType, signal)
      await requireAnswer(response, mediaType, options, signal)
      yield* bytesOf(response, options, signal)
    } finally {
      giveBack()
    }
  }

  function rowsOf(sql: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
    return answer(queryOf(sql), ARROW_STREAM, signal)
  }

  /** The bytes of a short answer. */
  async function whole(bytes: AsyncGenerator<Uint8Array, void>, most: number): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of bytes) {
      size += chunk.byteLength
      if (size > most) throw errors.refused(`has answered more than ${most} bytes where few are expected`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, size)
  }

  return {
    async check(signal) {
      const limit = AbortSignal.timeout(CHECK_MS)
      try {
        await whole(rowsOf('SELECT 1 AS one', AbortSignal.any([signal, limit])), MOST_TEXT_BYTES)
      } catch (error) {
        if (limit.aborted && !signal.aborted && !isServiceError(error))
          throw errors.unavailable(`has not answered within ${CHECK_MS / 1000} s`)
        throw error
      }
    },
    async listTables(signal) {
      const request = { method: 'GET', path: '/api/catalogs', body: null } as const
      const text = await whole(answer(request, 'application/json', signal), MOST_LIST_BYTES)
      const tables = tablesIn(text.toString())
      if (tables === null) throw errors.refused('has answered a list of tables that is none')
      return tables
    },
    columnsOf: ({ schema, name }, signal) =>
      whole(rowsOf(`SELECT * FROM ${printTable(schema, name)} LIMIT 0`, signal), MOST_LIST_BYTES),
    rowsOf,
    async relay(sql, answered, signal) {
      if (versions.isSame(address) === undefined)
        await whole(answer(HEALTH, 'text/plain', signal), MOST_TEXT_BYTES)
      if (versions.isSame(address) !== true) return null
      const giveBack = lanes.takeBelow(MOST_RELAYED)
      if (giveBack === null) return null
      try {
        const response = await send(queryOf(sql), ARROW_STREAM, signal)
        if (versions.isSame(address) && isWhole(response, ARROW_STREAM))
          return await relayedRows(response, answered, giveBack, options, signal)
        response.destroy()
      } catch (error) {
        giveBack()
        throw error
      }
      giveBack()
      return null
    },
    close() {},
  }
}

function queryOf(sql: string): Pick<RemoteRequest, 'method' | 'path' | 'body'> {
  return { method: 'POST', path: '/api/query', body: JSON.stringify({ sql }) }
}

/** Asks for nothing but whether the service answers. */
const HEALTH = Object.freeze({ method: 'GET', path: '/api/health', body: null })

/** The messages of an answer, whose place is given back when they are closed. */
async function relayedRows(
  response: IncomingMessage,
  { relation, output }: RelayedAnswer,
  giveBack: () => void,
  sending: Sending,
  signal: AbortSignal,
): Promise<RelayedRows> {
  const stream = bytesOf(response, sending, signal)
  const messages = arrowMessages(stream, relation)
  function close(): void {
    if (!response.complete) response.destroy()
    // Whoever waits for more is told why there are none.
    stream.return().catch(() => {})
    giveBack()
  }
  async function* batches(): AsyncGenerator<RelayedBatch, void> {
    for await (const message of messages) {
      const { bytes, metadataBytes } = message
      yield { ...checkBatch(message, output, relation), bytes, metadataBytes }
    }
  }
  try {
    const first = await messages.next()
    if (first.done) throw new RangeError('an Arrow stream without columns')
    return { schema: first.value.bytes, batches: batches(), close }
  } catch (error) {
    close()
    throw error
  }
}

function authorization(login: RemoteLogin): Readonly<Record<string, string>> {
  if (login === 'anonymous') return {}
  if ('token' in login) return { authorization: `Bearer ${login.token}` }
  const pair = Buffer.from(`${login.user ?? ''}:${login.password ?? ''}`).toString('base64')
  return { authorization: `Basic ${pair}` }
}

/** Throws unless the answer is whole in this form. What a remote says instead is read to its first kilobytes. */
async function requireAnswer(
  response: IncomingMessage,
  mediaType: string,
  sending: Sending,
  signal: AbortSignal,
): Promise<void> {
  const { errors } = sending
  const { statusCode = 0 } = response
  const refuse = async (why: string): Promise<never> => {
    const text = await firstText(response, sending, signal)
    throw statusCode >= 500 ? errors.unavailable(why) : errors.refused(why, text)
  }
  if (statusCode >= 300 && statusCode < 400) return refuse('redirects, which is not followed')
  if (statusCode !== 200) return refuse(`has answered ${statusCode}`)
  if (mediaTypeOf(response) !== mediaType) {
    response.destroy()
    throw errors.refused(`has answered no ${mediaType}, and so is no service of this kind`)
  }
  if (isCoded(response)) {
    response.destroy()
    throw errors.refused('has compressed its answer, which was not asked for')
  }
}

/** Whether an answer is the rows that were asked for. */
function isWhole(response: IncomingMessage, mediaType: string): boolean {
  return response.statusCode === 200 && mediaTypeOf(response) === mediaType && !isCoded(response)
}

function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
}

function isCoded({ headers }: IncomingMessage): boolean {
  return (headers['content-encoding'] ?? 'identity') !== 'identity'
}

/** The beginning of a text, which is a JSON string or plain. '': it could not be read. */
async function firstText(response: IncomingMessage, sending: Sending, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of bytesOf(response, sending, signal)) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size >= MOST_TEXT_BYTES) break
    }
  } catch (error) {
    if (signal.aborted) throw error
  }
  const text = Buffer.concat(chunks).subarray(0, MOST_TEXT_BYTES).toString()
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}

/** The tables of the default catalog in a catalog tree (section 2.4 of the interface). Null: it is none. */
function tablesIn(text: string): readonly RemoteTable[] | null {
  try {
    const tree = JSON.parse(text) as {
      default_catalog: unknown
      catalogs: readonly {
        name: unknown
        schemas: readonly {
          name: unknown
          tables: readonly { name: unknown; table_type: unknown }[]
        }[]
      }[]
    }
    const schemas = tree.catalogs
      .filter(({ name }) => name === tree.default_catalog)
      .flatMap((catalog) => catalog.schemas)
      .filter(({ name }) => !SYSTEM_SCHEMAS.has(requiredText(name)))
    return schemas.flatMap((schema) =>
      schema.tables.map((table) =>
        Object.freeze({
          schema: requiredText(schema.name),
          name: requiredText(table.name),
          isView: requiredText(table.table_type) === 'VIEW',
        }),
      ),
    )
  } catch {
    return null
  }
}

/** Throws for what is no text. */
function requiredText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('no text')
  return value
}
