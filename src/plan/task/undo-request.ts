import type { MessagePort } from 'node:worker_threads'
import type { ErrorData } from '../errors.ts'
import type { FilteredBytes } from './filtered-bytes.ts'

/**
 * A thread that reads a chunk asks main to have the annex undo a filter, and waits for the reply. Reading is synchronous, as DuckDB needs
 * it, so the thread does nothing else in between.
 */
export interface UndoRequest {
  readonly kind: 'undo'
  readonly filtered: FilteredBytes
  /** Main posts one `UndoReply` to it. */
  readonly reply: MessagePort
  /** One Int32, a word of `UNDO_STATE`. Main notifies the thread when it is answered. */
  readonly state: SharedArrayBuffer
}

export const UNDO_STATE = Object.freeze({ waiting: 0, answered: 1, abandoned: 2 })

export type UndoReply =
  | { readonly kind: 'undone'; readonly bytes: ArrayBuffer }
  | { readonly kind: 'failed'; readonly error: ErrorData }

export function isUndoRequest(message: unknown): message is UndoRequest {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'undo'
}
