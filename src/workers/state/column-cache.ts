import type { FileFormat } from '../../plan/format/file-format.ts'
import { createLru } from '../../plan/lru.ts'
import type { SourceColumn } from '../../plan/scan.ts'
import { type FileRef, fileKey, isFileSettled } from '../../plan/source/file.ts'
import type { ObjectVersion } from '../../plan/source/object.ts'
import { rangeKey } from '../../plan/source/range.ts'
import type { Unit } from '../../plan/source/unit.ts'
import { isSettled, versionKey } from '../../plan/source/version.ts'
import type { FileUnit } from '../../plan/task/task.ts'
import { typeName } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { Stopwatch } from '../store/stopwatch.ts'
import type { Store } from '../store/store.ts'
import { packDigest } from './pack-digest.ts'

/**
 * A cache of decoded columns of whole units. A column is valid for the version of its file, and for those of the objects
 * that it was read from. The cache has its own handle of each column, so a reader frees the one that it gets as any other.
 */
export interface ColumnCache {
  /** The bytes of all cached columns. */
  readonly bytes: number
  /** The columns of a unit. */
  of(format: FileFormat, store: Store, unit: Unit, stopwatch: Stopwatch): UnitColumns
  /** The columns of a pack, by the versions of its files. */
  ofPack(format: FileFormat, pack: readonly FileUnit[], stopwatch: Stopwatch): UnitColumns
  /** Evicts the least recently used columns until the core uses at most this many bytes. */
  shrink(usedBytes: number, stopwatch: Stopwatch): void
}

/** The cached columns of a unit, as one task reads and adds them. */
export interface UnitColumns {
  has(column: SourceColumn): boolean
  /** A cached column, which the caller frees. Undefined: it is not cached. */
  get(column: SourceColumn): Column | undefined
  /** Whether a column of about this many bytes, which was asked for before, would be cached if it were offered. */
  wouldKeep(column: SourceColumn, bytes: number): boolean
  /** Offers a column all of whose rows were read, from these objects. The caller still owns it, and frees it. */
  offer(column: SourceColumn, read: Column, objects: readonly ObjectVersion[]): void
  /** Caches the offered columns. To be called once the file is verified to be the version that was planned. */
  keep(): void
  /** Drops the offered columns. */
  drop(): void
}

/** The largest column that is cached, as a share of the cache. */
const MAX_SHARE = 1 / 4

/** The number of files whose last versions are remembered. */
const FILES = 4096

/** What the version of an object takes, in bytes. An estimate. */
const OBJECT_BYTES = 300

/** Rows whose columns are cached. */
interface CachedRows {
  readonly prefix: string
  readonly version: string
  /** Whether results of reading this version may be cached. */
  readonly isSettled: boolean
  readonly isStill: Store['isStill']
}

interface CachedColumn {
  readonly column: Column
  readonly bytes: number
  /** The version of its file. */
  readonly version: string
  /** The objects that it was read from. None if the dataset is one file, whose version covers it. */
  readonly objects: readonly ObjectVersion[]
}

/**
 * Creates a cache of at most `maximumBytes` of a core's memory. A column replaces others only if it was asked for more often
 * than they were, lately: so one long scan does not evict what many queries share. If a file has changed, its columns are
 * freed when it is read again.
 */
export function createColumnCache(core: Core, maximumBytes: number): ColumnCache {
  /** The least recently used first. */
  const columns = new Map<string, CachedColumn>()
  const uses = createUses()
  /** The version in which a file was last read, by its location. */
  const versions = createLru<string>(FILES)
  let bytes = 0

  function remove(key: string, { column, bytes: freed }: CachedColumn, stopwatch: Stopwatch): void {
    columns.delete(key)
    bytes -= freed
    core.free(column)
    stopwatch.count('columnEvictions')
  }

  /** Records the version of a file, and frees columns of its last version if that is another one. */
  function note({ location }: FileRef, version: string, stopwatch: Stopwatch): void {
    const before = versions.get(location)
    if (before === version) return
    versions.put(location, version)
    if (before === undefined) return
    for (const [key, cached] of columns) if (cached.version === before) remove(key, cached, stopwatch)
  }

  /** The columns that have to be evicted for another one. Null: they were asked for as often, or it is too large. */
  function victimsOf(key: string, size: number): readonly (readonly [string, CachedColumn])[] | null {
    if (size > maximumBytes * MAX_SHARE) return null
    const victims: (readonly [string, CachedColumn])[] = []
    let available = maximumBytes - bytes
    for (const victim of columns) {
      if (available >= size) break
      if (uses.of(victim[0]) >= uses.of(key)) return null
      victims.push(victim)
      available += victim[1].bytes
    }
    return victims
  }

  /** The columns of a unit, or of a pack, whose keys begin with `prefix`. */
  function columnsAt(
    { prefix, version, isSettled: isSettledFile, isStill }: CachedRows,
    stopwatch: Stopwatch,
  ): UnitColumns {
    const keyOf = ({ name, type }: SourceColumn): string => `${prefix}${typeName(type)} ${name}`
    const offered = new Map<string, Pick<CachedColumn, 'column' | 'objects'>>()
    const drop = (): void => {
      for (const { column } of offered.values()) core.free(column)
      offered.clear()
    }
    return {
      has: (column) => columns.has(keyOf(column)),
      get(column) {
        const key = keyOf(column)
        uses.add(key)
        const cachedColumn = columns.get(key)
        const validColumn = cachedColumn?.objects.every(isStill) ? cachedColumn : undefined
        if (cachedColumn && !validColumn) remove(key, cachedColumn, stopwatch)
        stopwatch.count(validColumn ? 'columnHits' : 'columnMisses')
        if (!validColumn) return undefined
        columns.delete(key)
        columns.set(key, validColumn)
        return core.share(validColumn.column)
      },
      wouldKeep(column, size) {
        const key = keyOf(column)
        return isSettledFile && uses.of(key) > 1 && victimsOf(key, size) !== null
      },
      offer(column, read, objects) {
        if (isSettledFile && objects.every(({ version }) => version === null || isSettled(version)))
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
  }

  return {
    get bytes() {
      return bytes
    },
    of(format, store, unit, stopwatch) {
      const { file } = store
      // A folder has changed if the version of its marker has. The version of the folder itself differs with the
      // columns whose coordinates were read.
      const version = versionKey(file.version)
      note(file, version, stopwatch)
      const isSettled = isFileSettled(file)
      const prefix = `${format.key} ${fileKey(file)} ${rangeKey(unit)} `
      return columnsAt({ prefix, version, isSettled, isStill: store.isStill }, stopwatch)
    },
    ofPack(format, pack, stopwatch) {
      const version = packDigest(pack)
      const isSettled = pack.every(({ file }) => isFileSettled(file))
      return columnsAt(
        { prefix: `${format.key} ${version} `, version, isSettled, isStill: () => false },
        stopwatch,
      )
    },
    shrink(usedBytes, stopwatch) {
      for (const [key, cached] of columns) {
        if (core.usedBytes() <= usedBytes) return
        remove(key, cached, stopwatch)
      }
    },
  }
}

/** Counts how often keys were asked for lately, whether they were cached or not. */
interface Uses {
  add(key: string): void
  of(key: string): number
}

/**
 * After this number of uses all counts are halved, and keys that were used once are dropped. It bounds the number of keys,
 * which take about 200 bytes each.
 */
const PERIOD = 16_384

function createUses(): Uses {
  const counts = new Map<string, number>()
  let added = 0
  return {
    add(key) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (++added < PERIOD) return
      added = 0
      for (const [each, count] of counts) {
        if (count > 1) counts.set(each, count >> 1)
        else counts.delete(each)
      }
    },
    of: (key) => counts.get(key) ?? 0,
  }
}
