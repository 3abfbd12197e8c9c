import { ServiceError } from '../../../../plan/errors.ts'
import type { RemoteSource } from '../../../catalog/catalog.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { TempFolder } from '../../../output/temp/temp-folder.ts'
import { answerFormOf } from '../../../remotes/answer-form.ts'
import type {
  RelayedAnswer,
  RelayedBatch,
  RelayedRows,
  RemoteAddress,
  RemoteCaller,
  RemoteClient,
  RemoteLogin,
  RemoteShape,
  RemoteTable,
} from '../../../remotes/remote-client.ts'
import type { Remotes } from '../../../remotes/remotes.ts'
import { type Fetched, fetchBytes } from './fetch-bytes.ts'

/** Fetches rows of one table of another service, on behalf of one caller. */
export interface RemoteRows {
  readonly source: RemoteSource
  /** The rows of a statement, which have these fields. Equal statements of one query are fetched once, and freed when it ends. */
  fetch(statement: string, shape: Omit<RemoteShape, 'table'>, ticket: Ticket): Promise<Fetched>
  /** The rows of a statement as they come, as `RemoteClient` has them. They are closed at the latest when the query ends. */
  relay(statement: string, answer: RelayedAnswer, ticket: Ticket): Promise<RelayedRows | null>
  /** Whether it may be asked so, as far as is known without asking. */
  mayRelay(ticket: Ticket): boolean
  /** The columns of the table, as a file without rows. */
  columns(ticket: Ticket): Promise<Fetched>
  /** The same, asked for a second time, after rows have not come. */
  columnsNow(ticket: Ticket): Promise<Fetched>
}

/** What rows of other services are fetched with. */
export interface Fetching {
  readonly remotes: Pick<Remotes, 'open'>
  /** The login that the secret of a source has now. Throws `invalid_sql`, which names the secret. */
  readonly loginOf: (source: RemoteSource) => RemoteLogin
  readonly tempFolder: TempFolder
  /** Is told how each request went. Null: rows have come. */
  readonly onRemoteOutcome: (source: RemoteSource, error: unknown) => void
  /** Is told of a table that the list of its catalog does not have, and may list again. True: by that list another table is meant. */
  readonly onUnlisted: (source: RemoteSource, list: () => Promise<readonly RemoteTable[]>) => Promise<boolean>
}

/** Opens a table of another service. Nothing is sent yet. `relation` is its name in messages. */
export type OpenRemote = (source: RemoteSource, relation: string) => RemoteRows

/** What each query has fetched, by what was asked. */
const fetchedBy = new WeakMap<Ticket, Map<string, Promise<Fetched>>>()

/** Whom each query asks, by where it is. A database tells one state to all scans of a query. */
const clientsOf = new WeakMap<Ticket, Map<string, RemoteClient>>()

/** A query has asked for all of its rows: what it reads of other services has come, and they need not wait for it any more. */
export function closeRemotes(ticket: Ticket): void {
  for (const client of clientsOf.get(ticket)?.values() ?? []) client.close()
  clientsOf.delete(ticket)
}

export function createOpenRemote(
  { remotes, loginOf, tempFolder, onRemoteOutcome, onUnlisted }: Fetching,
  caller: RemoteCaller,
  signal: AbortSignal,
): OpenRemote {
  function clientOf(source: RemoteSource, key: string, ticket: Ticket): RemoteClient {
    const ofQuery = clientsOf.get(ticket) ?? new Map<string, RemoteClient>()
    const earlier = ofQuery.get(key)
    if (earlier !== undefined) return earlier
    const client = remotes.open(source.address, loginOf(source), caller)
    if (!clientsOf.has(ticket)) ticket.whenReleased(() => closeRemotes(ticket))
    clientsOf.set(ticket, ofQuery.set(key, client))
    return client
  }

  /** The same batches, of which is told how they have ended. */
  async function* toldOf(
    batches: AsyncGenerator<RelayedBatch, void>,
    source: RemoteSource,
  ): AsyncGenerator<RelayedBatch, void> {
    try {
      yield* batches
      onRemoteOutcome(source, null)
    } catch (error) {
      onRemoteOutcome(source, error)
      throw error
    }
  }

  return (source, relation) => {
    const place = placeOf(source)

    function once(
      what: string,
      ticket: Ticket,
      ask: (client: RemoteClient) => AsyncIterable<Uint8Array>,
    ): Promise<Fetched> {
      const ofQuery = fetchedBy.get(ticket) ?? new Map<string, Promise<Fetched>>()
      fetchedBy.set(ticket, ofQuery)
      const key = JSON.stringify([place, what])
      const earlier = ofQuery.get(key)
      if (earlier !== undefined) return earlier
      const fetching = Promise.resolve().then(() => {
        const stream = ask(clientOf(source, place, ticket))
        return fetchBytes({ path: relation, stream, form: answerFormOf(source.address) }, tempFolder)
      })
      ofQuery.set(key, fetching)
      fetching.then(
        ({ discard }) => {
          onRemoteOutcome(source, null)
          ticket.whenReleased(() => void discard())
        },
        (error: unknown) => {
          onRemoteOutcome(source, error)
          ofQuery.delete(key)
        },
      )
      return fetching
    }

    const columns = (when: string, ticket: Ticket): Promise<Fetched> =>
      once(JSON.stringify([when, source.table]), ticket, (client) => columnsOf(client, source, signal))

    /** Rejects with `table_changed` if the name means another table by now. */
    async function requireMeant(ticket: Ticket): Promise<void> {
      if (source.isUnlisted !== true) return
      const isOther = await onUnlisted(source, async () => clientOf(source, place, ticket).listTables(signal))
      if (isOther)
        throw new ServiceError(
          'table_changed',
          `The tables of the service that has ${JSON.stringify(relation)} have changed. Ask again.`,
          { about: relation },
        )
    }

    return {
      source,
      fetch: (statement, shape, ticket) =>
        once(statement, ticket, (client) =>
          client.rowsOf(statement, signal, { table: source.table, ...shape }),
        ),
      async columns(ticket) {
        await requireMeant(ticket)
        return columns('columns', ticket)
      },
      async relay(statement, answer, ticket) {
        try {
          await requireMeant(ticket)
          const relayed = (await clientOf(source, place, ticket).relay?.(statement, answer, signal)) ?? null
          if (relayed === null) return null
          ticket.whenReleased(relayed.close)
          return { ...relayed, batches: toldOf(relayed.batches, source) }
        } catch (error) {
          onRemoteOutcome(source, error)
          throw error
        }
      },
      mayRelay: (ticket) => clientOf(source, place, ticket).mayRelay?.() ?? false,
      columnsNow: (ticket) => columns('columns now', ticket),
    }
  }
}

async function* columnsOf(
  client: RemoteClient,
  { table }: RemoteSource,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  yield await client.columnsOf({ ...table, isView: false }, signal)
}

/** Whether the rows of all of them are asked of one service, with one login. */
export function isOfOneService(rows: readonly RemoteRows[]): boolean {
  return new Set(rows.map(({ source }) => placeOf(source))).size === 1
}

/** Whom a source asks, and with which login. */
function placeOf({ address, secret }: RemoteSource): string {
  return JSON.stringify([keyOf(address), secret])
}

function keyOf(address: RemoteAddress): readonly unknown[] {
  const { host, port, tls, basePath, kind, database, user = null, sslMode = null } = address
  return [kind, host, port, tls, basePath, database, user, sslMode]
}
