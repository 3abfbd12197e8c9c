import type { DatabaseKindName } from '../databases/database-kinds.ts'
import type { DatabaseTarget } from '../databases/database-target.ts'
import type {
  RelayedAnswer,
  RelayedBatch,
  RemoteAddress,
  RemoteCaller,
  RemoteLogin,
  RemoteShape,
  RemoteTable,
} from '../remote-client.ts'
import type { RemoteTimes } from '../send-request.ts'

/** What the thread is started with. */
export interface WireData {
  readonly remoteHosts: readonly string[]
  readonly times: RemoteTimes
  /** How long connections to databases of no statement stay open. 0: they are not used again. Milliseconds. */
  readonly reuseMs: number
  /** The version that this service tells others. */
  readonly version: string
}

/** Whom a client asks, and as whom. */
export type WireRemote =
  | { readonly kind: DatabaseKindName; readonly target: DatabaseTarget }
  | { readonly kind: 'service'; readonly address: RemoteAddress; readonly login: RemoteLogin }

/** A call of a client, which `cancel` ends. Both have numbers that no other one has. */
interface ClientCall {
  readonly client: number
  readonly call: number
}

/** What the thread does that owns the connections to remotes. */
export interface WireFunctions {
  /** Makes a client, of which the other functions are told. Nothing is sent yet. */
  open(asked: { readonly client: number; readonly remote: WireRemote; readonly caller: RemoteCaller }): void
  /** Has the thread trust these authorities, in PEM, in place of those that it was started with. */
  trust(asked: { readonly authorities: readonly string[] }): void
  /** As the methods of `RemoteClient`. */
  check(asked: ClientCall): Promise<void>
  listTables(asked: ClientCall): Promise<readonly RemoteTable[]>
  columnsOf(asked: ClientCall & { readonly table: RemoteTable }): Promise<Uint8Array>
  /** Resolves when all rows have been sent, as `SentBytes`, and taken. */
  rows(
    asked: ClientCall & { readonly statement: string; readonly shape: RemoteShape | undefined },
  ): Promise<void>
  /** Resolves with true when all messages have been sent, as `SentSchema` and `SentBatch`. False: none are. */
  relay(asked: ClientCall & { readonly statement: string; readonly answer: RelayedAnswer }): Promise<boolean>
  /** The oldest bytes of a call's rows have been read, and their memory may be used again. Or its oldest batch. */
  taken(asked: { readonly call: number }): void
  cancel(asked: { readonly call: number }): void
  /** Closes the connections that no statement uses, and the others to databases after their statements. */
  closeUnused(asked: object): void
  /** Nothing more is asked of a client. */
  release(asked: { readonly client: number }): void
}

/** The next bytes of the rows that a call asks for. They may be in memory that has others once they are `taken`. */
export interface SentBytes {
  readonly kind: 'bytes'
  readonly call: number
  readonly bytes: Uint8Array
}

/** The message of the columns of an answer that a call relays. */
interface SentSchema {
  readonly kind: 'schema'
  readonly call: number
  readonly schema: ArrayBuffer
}

/** Its next batch. */
interface SentBatch {
  readonly kind: 'batch'
  readonly call: number
  readonly batch: RelayedBatch
}

/** A service has answered, and has the version of this one or not. It had told another one before, or none. */
interface SentVersion {
  readonly kind: 'version'
  readonly address: RemoteAddress
  readonly isSame: boolean
}

/** What a call asks for, as it comes. */
export type SentPart = SentBytes | SentSchema | SentBatch

export type WireEvent = SentPart | SentVersion
