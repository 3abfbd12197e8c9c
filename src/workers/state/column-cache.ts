import type { FileFormat } from '../../plan/format/file-format.ts'
import { createLru } from '../../plan/lru.ts'
import type { SourceColumn } from '../../plan/scan.ts'
import { type FileRef, fileKey, isFileSettled } from '../../plan/source/file.ts'
import type { ObjectVersion } from '../../plan/source/object.ts'
import { rangeKey } from '../../plan/source/range.ts'
import type { Unit } from '../../plan/source/unit.ts'
import { isSettled, versionKey } from '../../plan/source/version.ts'
import { typeName } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { Stopwatch } from '../store/stopwatch.ts'
import type { Store } from '../store/store.ts'
import { createUses } from './uses.ts'

/**
 * Decoded columns of whole units that are kept from query to query, by the version of their file and of the objects
 * that they were read from. Each holds its own
 * handle of a column, so that whoever reads one frees it as any other.
 */
export interface ColumnCache {
  /** Bytes of the columns that are kept. */
  readonly bytes: number
  /** The columns of one unit. */
  of(format: FileFormat, store: Store, unit: Unit, stopwatch: Stopwatch): UnitColumns
  /** Frees the columns that were longest not used until the core uses at most so many bytes. */
  shrink(usedBytes: number, stopwatch: Stopwatch): void
}

export interface UnitColumns {
  has(column: SourceColumn): boolean
  /** A column as it was read before, to be freed by the caller; undefined: it is not kept. */
  get(column: SourceColumn): Column | undefined
  /** Whether a column of about so many bytes, which was asked for before, would be kept. */
  wouldKeep(column: SourceColumn, bytes: number): boolean
  /** Offers a column that was read whole, from these objects. It stays the caller's, who may free it. */
  offer(column: SourceColumn, read: Column, objects: readonly ObjectVersion[]): void
  /** Keeps what was offered: the file is still the version that was planned. */
  keep(): void
  /** Drops what was offered and is not kept. */
  drop(): void
}

/** A column that takes more than this share of the cache is not kept. */
const LARGEST_SHARE = 1 / 4

/** Files whose versions are remembered. */
const FILES = 4096

/** What remembering an object takes, about. */
const OBJECT_BYTES = 300

interface Kept {
  readonly column: Column
  readonly bytes: number
  /** Of its file. */
  readonly version: string
  /** What it was read from; of a dataset that is one file, its version says that. */
  readonly objects: readonly ObjectVersion[]
}

/**
 * A cache of at most `maximumBytes` in one core's memory. A column takes the place of others only when it has been asked
 * for more often than they have lately, so one long scan does not drive out what many queries share. Those of a file that
 * has changed are freed when the file is read again.
 */
export function createColumnCache(core: Core, maximumBytes: number): ColumnCache {
  /** The longest not used first. */
  const columns = new Map<string, Kept>()
  const uses = createUses()
  /** By location, as last asked for. */
  const versions = createLru<string>(FILES)
  let bytes = 0

  function remove(key: string, { column, bytes: freed }: Kept, stopwatch: Stopwatch): void {
    columns.delete(key)
    bytes -= freed
    core.free(column)
    stopwatch.count('columnEvictions')
  }

  /** Takes note of a file's version, and frees the columns of the one before. */
  function note({ location }: FileRef, version: string, stopwatch: Stopwatch): void {
    const before = versions.get(location)
    if (before === version) return
    versions.put(location, version)
    if (before === undefined) return
    for (const [key, kept] of columns) if (kept.version === before) remove(key, kept, stopwatch)
  }

  /** Those that would have to go for a column; null: they are worth more, or it is too large. */
  function victimsOf(key: string, size: number): readonly (readonly [string, Kept])[] | null {
    if (size > maximumBytes * LARGEST_SHARE) return null
    const victims: (readonly [string, Kept])[] = []
    let room = maximumBytes - bytes
    for (const victim of columns) {
      if (room >= size) break
      if (uses.of(victim[0]) >= uses.of(key)) return null
      victims.push(victim)
      room += victim[1].bytes
    }
    return victims
  }

  return {
    get bytes() {
      return bytes
    },
    of(format, store, unit, stopwatch) {
      const { file } = store
      const isKept = isFileSettled(file)
      // A folder has a version for each set of columns whose coordinates were read, so its marker says whether it has changed.
      const version = versionKey(file.version)
      note(file, version, stopwatch)
      const prefix = `${format.key} ${fileKey(file)} ${rangeKey(unit)} `
      const keyOf = ({ name, type }: SourceColumn): string => `${prefix}${typeName(type)} ${name}`
      const offered = new Map<string, Pick<Kept, 'column' | 'objects'>>()
      const drop = (): void => {
        for (const { column } of offered.values()) core.free(column)
        offered.clear()
      }
      return {
        has: (column) => columns.has(keyOf(column)),
        get(column) {
          const key = keyOf(column)
          uses.add(key)
          const known = columns.get(key)
          const found = known?.objects.every(store.isStill) ? known : undefined
          if (known && !found) remove(key, known, stopwatch)
          stopwatch.count(found ? 'columnHits' : 'columnMisses')
          if (!found) return undefined
          columns.delete(key)
          columns.set(key, found)
          return core.share(found.column)
        },
        wouldKeep(column, size) {
          const key = keyOf(column)
          return isKept && uses.of(key) > 1 && victimsOf(key, size) !== null
        },
        offer(column, read, objects) {
          if (isKept && objects.every(({ version }) => version === null || isSettled(version)))
            offered.set(keyOf(column), { column: core.share(read), objects })
        },
        keep() {
          for (const [key, { column, objects }] of offered) {
            const size = core.columnBytes(column) + OBJECT_BYTES * objects.length
            const victims = columns.has(key) ? null : victimsOf(key, size)
            if (victims === null) continue
            for (const [victim, each] of victims) remove(victim, each, stopwatch)
            columns.set(key, { column, bytes: size, version, objects })
            bytes += size
            offered.delete(key)
          }
          drop()
        },
        drop,
      }
    },
    shrink(usedBytes, stopwatch) {
      for (const [key, kept] of columns) {
        if (core.usedBytes() <= usedBytes) return
        remove(key, kept, stopwatch)
      }
    },
  }
}
