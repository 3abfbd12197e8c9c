import { ServiceError } from '../../plan/errors.ts'
import type { FileRef } from '../../plan/source/file.ts'
import type { ObjectVersion } from '../../plan/source/object.ts'
import type { ByteSource } from './byte-source.ts'
import type { Stopwatch } from './stopwatch.ts'

/** One dataset, opened in a worker: what it holds is found by key. Synchronous throughout. */
export interface Store extends Disposable {
  readonly file: FileRef
  /** The bytes of one object; null: there is none. A dataset that is one file has one object, under the key ''. */
  open(key: string): ByteSource | null
  /** Whether an object is the version still of which something was made. It counts as read then. */
  isStill(object: ObjectVersion): boolean
  /** Throws `file_changed` unless all that was read is still as it was. */
  verify(): void
  /** What was read besides the documents that the plan rests on, each once. */
  objects(): readonly ObjectVersion[]
}

/** Opens the store of a dataset; handed to a worker when it starts. */
export type OpenStore = (file: FileRef, stopwatch: Stopwatch) => Store

/** Of a dataset that is one file: it is as planned, or `verify` throws. */
export const NO_OBJECTS: readonly ObjectVersion[] = Object.freeze([])

/** A dataset that is one file: the store and its only object are the same. */
export interface FileStore extends Store, ByteSource {}

/** The only object of a dataset that is one file, for formats that know no others. Throws `unreadable_file`. */
export function onlyObject(store: Store): ByteSource {
  const source = store.open('')
  if (source !== null) return source
  throw new ServiceError(
    'unreadable_file',
    `"${store.file.path}" is a folder, and is read in a format of single files.`,
  )
}
