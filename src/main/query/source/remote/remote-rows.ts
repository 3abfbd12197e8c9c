import type { RemoteSource } from '../../../catalog/catalog.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { TempFolder } from '../../../output/temp/temp-folder.ts'
import type {
  RemoteAddress,
  RemoteCaller,
  RemoteClient,
  RemoteLogin,
} from '../../../remotes/remote-client.ts'
import type { Remotes } from '../../../remotes/remotes.ts'
import { type Fetched, fetchBytes } from './fetch-bytes.ts'

/** Fetches rows of one table of another service, on behalf of one caller. */
export interface RemoteRows {
  readonly source: RemoteSource
  /** The rows of a statement. Equal statements of one query are fetched once, and freed when it ends. */
  fetch(statement: string, ticket: Ticket): Promise<Fetched>
  /** The columns of the table, as a file without rows. */
  columns(ticket: Ticket): Promise<Fetched>
}

/** What rows of other services are fetched with. */
export interface Fetching {
  readonly remotes: Pick<Remotes, 'open'>
  /** The login that the secret of a source has now. Throws `invalid_sql`, which names the secret. */
  readonly loginOf: (source: RemoteSource) => RemoteLogin
  readonly tempFolder: TempFolder
}

/** Opens a table of another service. Nothing is sent yet. `relation` is its name in messages. */
export type OpenRemote = (source: RemoteSource, relation: string) => RemoteRows

/** What each query has fetched, by what was asked. */
const fetchedBy = new WeakMap<Ticket, Map<string, Promise<Fetched>>>()

export function createOpenRemote(
  { remotes, loginOf, tempFolder }: Fetching,
  caller: RemoteCaller,
  signal: AbortSignal,
): OpenRemote {
  return (source, relation) => {
    function once(
      what: string,
      ticket: Ticket,
      ask: (client: RemoteClient) => AsyncIterable<Uint8Array>,
    ): Promise<Fetched> {
      const ofQuery = fetchedBy.get(ticket) ?? new Map<string, Promise<Fetched>>()
      fetchedBy.set(ticket, ofQuery)
      const key = JSON.stringify([keyOf(source.address), source.secret, what])
      const earlier = ofQuery.get(key)
      if (earlier !== undefined) return earlier
      const fetching = Promise.resolve().then(() => {
        const client = remotes.open(source.address, loginOf(source), caller)
        return fetchBytes(relation, ask(client), tempFolder)
      })
      ofQuery.set(key, fetching)
      fetching.then(
        ({ discard }) => ticket.whenReleased(() => void discard()),
        () => ofQuery.delete(key),
      )
      return fetching
    }

    return {
      source,
      fetch: (statement, ticket) => once(statement, ticket, (client) => client.rowsOf(statement, signal)),
      columns: (ticket) => once('', ticket, (client) => columnsOf(client, source, signal)),
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

function keyOf({ host, port, tls, basePath, kind, database }: RemoteAddress): readonly unknown[] {
  return [kind, host, port, tls, basePath, database]
}
