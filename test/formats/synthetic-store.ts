import { ServiceError } from '../../src/plan/errors.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import { markedFolder, type ObjectVersion } from '../../src/plan/source/object.ts'
import { type FileVersion, sameVersion } from '../../src/plan/source/version.ts'
import type { ByteSource } from '../../src/workers/store/byte-source.ts'
import { requireKey } from '../../src/workers/store/object-key.ts'
import { NO_FOLDERS, type OpenStore } from '../../src/workers/store/store.ts'

export interface SyntheticObjects {
  /** The documents that define the dataset, by key. */
  readonly documents: Readonly<Record<string, Uint8Array>>
  /** Makes the bytes of any other object when it is opened; null: there is none. */
  chunk(key: string): Uint8Array | null
  /** The version of an object: a larger number is a newer one. Default: objects never change. */
  version?(key: string): number
}

export interface SyntheticStore {
  /** Passed to a worker in place of the stores of this machine. */
  readonly openStore: OpenStore
  /** How often chunks were opened, how many of those opened were absent, and how many bytes of them were read. */
  readonly counts: { opened: number; absent: number; bytesRead: number }
}

/** A store whose objects are made when they are opened, in any number. Nothing of it is on a disk. */
export function syntheticStore({ documents, chunk, version = () => 0 }: SyntheticObjects): SyntheticStore {
  const counts = { opened: 0, absent: 0, bytesRead: 0 }
  const versionOfKey = (key: string, bytes: Uint8Array): FileVersion => ({
    ...ALWAYS,
    size: BigInt(bytes.length),
    inode: BigInt(version(key)),
  })
  const bytesOf = (key: string): Uint8Array | null =>
    Object.hasOwn(documents, key) ? (documents[key] ?? null) : chunk(key)

  function find(key: string): { readonly bytes: Uint8Array; readonly version: FileVersion } | null {
    const bytes = bytesOf(key)
    return bytes && { bytes, version: versionOfKey(key, bytes) }
  }

  const openStore: OpenStore = (file, stopwatch) => {
    const opened = new Map<string, FileVersion | null>()
    const isSame = (key: string, before: FileVersion | null): boolean => {
      const now = find(key)?.version ?? null
      return now === null || before === null ? now === before : sameVersion(now, before)
    }
    const keyOf = ({ location }: ObjectVersion): string => location.slice(file.location.length + 1)
    return {
      file,
      open(key) {
        requireKey(key, file.path)
        const found = find(key)
        if (!Object.hasOwn(documents, key)) {
          counts.opened++
          if (found === null) counts.absent++
          opened.set(key, found?.version ?? null)
        }
        return found && sourceOf(`${file.path}/${key}`, found.bytes, found.version)
      },
      foldersIn: () => NO_FOLDERS,
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

/** A version from the year 1970, so that it counts as settled. */
const ALWAYS: FileVersion = Object.freeze({ device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n })
