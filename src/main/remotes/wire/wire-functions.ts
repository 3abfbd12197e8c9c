import type { DatabaseKindName } from '../databases/database-kinds.ts'
import type { DatabaseTarget } from '../databases/database-target.ts'
import type { RemoteCaller, RemoteShape, RemoteTable } from '../remote-client.ts'
import type { RemoteTimes } from '../send-request.ts'

/** What the thread is started with. */
export interface WireData {
  readonly remoteHosts: readonly string[]
  readonly times: RemoteTimes
  /** How long connections of no statement stay open. 0: they are not used again. Milliseconds. */
  readonly reuseMs: number
}

/** A call of a client, which `cancel` ends. Both have numbers that no other one has. */
interface ClientCall {
  readonly client: number
  readonly call: number
}

/** What the thread does that owns the connections to databases. */
export interface WireFunctions {
  /** Makes a client, of which the other functions are told. Nothing is sent yet. */
  open(asked: {
    readonly client: number
    readonly kind: DatabaseKindName
    readonly target: DatabaseTarget
    readonly caller: RemoteCaller
  }): void
  /** Has the thread trust these authorities, in PEM, in place of those that it was started with. */
  trust(asked: { readonly authorities: readonly string[] }): void
  /** As the methods of `RemoteClient`. */
  check(asked: ClientCall): Promise<void>
  listTables(asked: ClientCall): Promise<readonly RemoteTable[]>
  columnsOf(asked: ClientCall & { readonly table: RemoteTable }): Promise<Uint8Array>
  /** Resolves when all rows have been sent, as `SentRows`. */
  rows(asked: ClientCall & { readonly statement: string; readonly shape: RemoteShape }): Promise<void>
  /** The oldest bytes of a call's rows have been read, and their memory may be used again. */
  taken(asked: { readonly call: number }): void
  cancel(asked: { readonly call: number }): void
  /** Closes the connections that no statement uses, and the others after their statements. */
  closeUnused(asked: object): void
  /** Nothing more is asked of a client. */
  release(asked: { readonly client: number }): void
}

/** The next bytes of the rows that a call asks for. They may be in memory that has others once they are `taken`. */
export interface SentRows {
  readonly call: number
  readonly bytes: Uint8Array
}
