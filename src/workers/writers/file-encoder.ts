import type { EncodeEndTask, EncodeTask } from '../../plan/task/file-tasks.ts'
import type { ReadContext } from '../formats/provider.ts'

/** Makes bytes of rows for one kind of file. It keeps nothing between its calls. */
export interface FileEncoder<P> {
  /** The bytes of a run of rows, in their order, and what the end of the file has to say of them. */
  encode(task: EncodeTask & { readonly plan: P }, context: ReadContext): EncodedRows
  /** The last bytes of the file. */
  end(task: EncodeEndTask & { readonly plan: P }, context: ReadContext): readonly ArrayBuffer[]
}

export interface EncodedRows {
  /** Each is transferred as a whole. */
  readonly chunks: readonly ArrayBuffer[]
  readonly summary: Uint8Array
}
