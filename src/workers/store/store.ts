import { ServiceError } from '../../plan/errors.ts'
import type { FileRef } from '../../plan/source/file.ts'
import type { ObjectVersion } from '../../plan/source/object.ts'
import type { ByteSource } from './byte-source.ts'
import type { Stopwatch } from './stopwatch.ts'

/** A dataset as a task reads it: objects that are opened by key. All calls are synchronous. */
export interface Store extends Disposable {
  readonly file: FileRef
  /** Whether the bytes are those that a compressed file inflates to. Absent: they are those of the file. */
  readonly isInflated?: boolean
  /** Opens an object. Null: there is no such object. A dataset that is one file has one object, whose key is ''. */
  open(key: string): ByteSource | null
  /**
   * The names of the folders in a folder of the store, whose key is '' for the store itself, in the order of their UTF-8 bytes. Symbolic
   * links are among them, and are refused when they are entered. The version of the folder counts as that of an object that was read.
   */
  foldersIn(key: string): readonly string[]
  /**
   * Whether an object is still this version, so that what was made of it can be used. If so, it counts as read by the task.
   */
  isStill(object: ObjectVersion): boolean
  /**
   * Reads all of a small file into memory of its size, checks its version and closes it. Later reads are of these bytes. Absent: the
   * dataset is a folder.
   */
  hold?(memory: Uint8Array): void
  /** Later reads are of this memory, which has all bytes of the file. They were checked to be its version. Absent: as above. */
  adopt?(memory: Uint8Array): void
  /** Throws `file_changed` unless all objects that were read are still the same versions. */
  verify(): void
  /** The objects that were read, each once, without the documents that the plan names. */
  objects(): readonly ObjectVersion[]
}

/** Opens the store of a dataset. Passed to a worker when it starts. */
export type OpenStore = (file: FileRef, stopwatch: Stopwatch) => Store

/** The folders of a dataset that is one file. */
export const NO_FOLDERS: readonly string[] = Object.freeze([])

/** The objects of a dataset that is one file. None: the file itself is verified against the plan. */
export const NO_OBJECTS: readonly ObjectVersion[] = Object.freeze([])

/** The store of a dataset that is one file. It is its own only object. */
export interface FileStore extends Store, ByteSource {}

/** The only object of a dataset that is one file. Throws `unreadable_file` if the dataset is a folder. */
export function onlyObject(store: Store): ByteSource {
  const source = store.open('')
  if (source !== null) return source
  throw new ServiceError(
    'unreadable_file',
    `"${store.file.path}" is a folder, and is read in a format of single files.`,
  )
}
