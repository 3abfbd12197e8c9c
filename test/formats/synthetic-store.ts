import { ServiceError } from '../../src/plan/errors.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import { markedFolder, type ObjectVersion } from '../../src/plan/source/object.ts'
import { type FileVersion, sameVersion } from '../../src/plan/source/version.ts'
import type { ByteSource } from '../../src/workers/store/byte-source.ts'
import { namesOf } from '../../src/workers/store/object-key.ts'
import type { OpenStore } from '../../src/workers/store/store.ts'

export interface SyntheticObjects {
  /** What defines the dataset, by key. */
  readonly documents: Readonly<Record<string, Uint8Array>>
  /** Makes the bytes of any other object when it is opened; null: there is none. */
  chunk(key: string): Uint8Array | null
  /** Raised for an object that changes. Default: it never does. */
  version?(key: string): number
}

export interface SyntheticStore {
  /** What a worker is handed, in place of stores of this machine. */
  readonly openStore: OpenStore
  /** Chunks that were looked for, of these those that there were none of, and bytes that were read of them. */
  readonly counts: { opened: number; absent: number; bytesRead: number }
}

/** A store of objects that are made out of nothing, as many as one likes: nothing of it is on a disk. */
export function syntheticStore({ documents, chunk, version = () => 0 }: SyntheticObjects): SyntheticStore {
  const counts = { opened: 0, absent: 0, bytesRead: 0 }
  const versionOfKey = (key: string, bytes: Uint8Array): FileVersion => ({
    ...ALWAYS,
    size: BigInt(bytes.length),
    inode: BigInt(version(key)),
  })
  const bytesOf = (key: string): Uint8Array | null =>
    Object.hasOwn(documents, key) ? (documents[key] ?? null) : chunk(key)

  function look(key: string): { readonly bytes: Uint8Array; readonly version: FileVersion } | null {
    const bytes = bytesOf(key)
    return bytes && { bytes, version: versionOfKey(key, bytes) }
  }

  const openStore: OpenStore = (file, stopwatch) => {
    const opened = new Map<string, FileVersion | null>()
    const isSame = (key: string, before: FileVersion | null): boolean => {
      const now = look(key)?.version ?? null
      return now === null || before === null ? now === before : sameVersion(now, before)
    }
    const keyOf = ({ location }: ObjectVersion): string => location.slice(file.location.length + 1)
    return {
      file,
      open(key) {
        namesOf(key, file.path)
        const found = look(key)
        if (!Object.hasOwn(documents, key)) {
          counts.opened++
          if (found === null) counts.absent++
          opened.set(key, found?.version ?? null)
        }
        return found && sourceOf(`${file.path}/${key}`, found.bytes, found.version)
      },
      isStill: (object) => isSame(keyOf(object), object.version),
      verify() {
        for (const [key, before] of opened)
          if (!isSame(key, before))
            throw new ServiceError('file_changed', `"${file.path}/${key}" was changed.`)
      },
      objects: () =>
        [...opened].map(([key, each]) => ({ location: `${file.location}/${key}`, version: each })),
      [Symbol.dispose]() {},
    }

    function sourceOf(path: string, bytes: Uint8Array, version: FileVersion): ByteSource {
      const read = (offset: number, length: number): Uint8Array => {
        if (offset < 0 || length < 0 || length > bytes.length - offset)
          throw new ServiceError('unreadable_file', `"${path}" has no ${length} bytes at ${offset}`)
        counts.bytesRead += length
        stopwatch.addBytesRead(length)
        return bytes.slice(offset, offset + length)
      }
      return {
        version,
        size: bytes.length,
        read,
        readInto: (offset, target) => target.set(read(offset, target.length)),
        release() {},
      }
    }
  }
  return { openStore, counts }
}

/** A dataset as a plan would name it, of a synthetic store that `marker` marks. */
export function syntheticFile(marker: string, path = 'synthetic'): FileRef {
  const location = `/${path}`
  return { path, location, version: ALWAYS, folder: markedFolder(location, marker, ALWAYS) }
}

/** Of the year 1970: it has been so for a long time. */
const ALWAYS: FileVersion = Object.freeze({ device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n })
