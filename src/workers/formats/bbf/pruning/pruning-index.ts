import { compareScalars } from '../../../../plan/condition/compare.ts'
import { isServiceError } from '../../../../plan/errors.ts'
import type { ColumnStatistics } from '../../../../plan/source/statistics.ts'
import type { IndexRange } from '../../../../plan/source/unit.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import type { OpenContext } from '../../provider.ts'
import { type Archive, numberAt, openArchive, pairsAt, rootOf, tagAt } from '../archive/archive.ts'
import { type Place, placeAt, readPayload } from '../archive/block.ts'
import { ARRAY_BYTES, readArray, type StoredArray } from '../entries/stored-array.ts'
import { MAX_METADATA_BYTES } from '../footer.ts'
import { boundConversion, type EntryStatistics, ONLY_NULLS, valueReader } from './bounds.ts'
import type { NumberBounds } from './number-ranges.ts'

/** The statistics of a column: those of each entry. */
export interface ColumnIndex {
  /** What it takes of memory. */
  readonly bytes: number
  of(entry: number): EntryStatistics
  /** The bounds of all entries as numbers, made when they are first asked for. */
  numbers(): NumberBounds
}

/** The bytes of two numbers of an entry. */
const NUMBERS_BYTES = 16

const INDEX_ROOT_BYTES = 48
const STATISTICS_ROOT_BYTES = 296
const RESOLVER_BYTES = 16

/** The column of the names of entries, which the writer adds. It always has text, as its arrays are scalars of text. */
const ENTRY_KEY = '__entry_key'

/** Where the statistics of columns are. None, if the index is damaged: it then prunes nothing. */
export function readIndex(
  source: ByteSource,
  place: Place,
  entries: number,
  context: OpenContext,
): ReadonlyMap<string, Place> {
  return unlessDamaged(new Map<string, Place>(), () => {
    const archive = openArchive(readPayload(source, place, MAX_METADATA_BYTES, context))
    const root = rootOf(archive, INDEX_ROOT_BYTES)
    tagAt(archive, root, 1, 'an index')
    if (numberAt(archive, root + 8) !== entries) return new Map()
    return new Map(
      [...pairsAt(archive, root + 16, RESOLVER_BYTES)].map(({ key, value }) => [
        key,
        placeAt(archive, value, source),
      ]),
    )
  })
}

/** The statistics of a column of a type. Null: they are damaged, or say nothing. */
export function readColumnIndex(
  source: ByteSource,
  place: Place,
  name: string,
  type: DataType,
  entries: number,
  context: OpenContext,
): ColumnIndex | null {
  return unlessDamaged(null, () => {
    const archive = openArchive(readPayload(source, place, MAX_METADATA_BYTES, context))
    const root = rootOf(archive, STATISTICS_ROOT_BYTES)
    const [nulls, rows, min, max] = [0, 1, 2, 3].map((index) =>
      arrayAt(archive, root + ARRAY_BYTES * index, entries),
    )
    if (!nulls || !rows || !min || !max || !isCounts(nulls) || !isCounts(rows)) return null
    return columnIndex({ nulls, rows, min, max }, name, type, archive.bytes.length)
  })
}

function columnIndex(
  { nulls, rows, min, max }: Readonly<Record<'nulls' | 'rows' | 'min' | 'max', StoredArray>>,
  name: string,
  type: DataType,
  bytes: number,
): ColumnIndex {
  const convert = [min, max].map((bounds) => boundConversion(bounds.type, type, name === ENTRY_KEY))
  const [least, greatest] = convert
  const [nullsOf, rowsOf, minOf, maxOf] = [nulls, rows, min, max].map(valueReader)
  const of = (entry: number): EntryStatistics => {
    const low = minOf?.(entry) ?? null
    const high = maxOf?.(entry) ?? null
    if (low === null && high === null) {
      const count = rowsOf?.(entry)?.value
      // Arrays of runs have neither bounds nor counts of nulls.
      return count !== undefined && count !== 0n && nullsOf?.(entry)?.value === count ? ONLY_NULLS : null
    }
    if (!low || !high || !least || !greatest) return null
    const [from, to] = [least(low), greatest(high)]
    return from === null || to === null ? null : bounds(from, to)
  }
  let numbers: NumberBounds | null = null
  return {
    bytes: bytes + NUMBERS_BYTES * rows.length,
    of,
    numbers: () => {
      numbers ??= numberBounds(rows.length, of)
      return numbers
    },
  }
}

function numberBounds(entries: number, of: (entry: number) => EntryStatistics): NumberBounds {
  const min = new Float64Array(entries).fill(Number.NEGATIVE_INFINITY)
  const max = new Float64Array(entries).fill(Number.POSITIVE_INFINITY)
  for (let entry = 0; entry < entries; entry++) {
    const statistics = of(entry)
    const [low, high] = [statistics?.min, statistics?.max]
    if (low === undefined || high === undefined || low.kind === 'bytes' || high.kind === 'bytes') continue
    // A least value above the greatest one says nothing.
    if (low.value > high.value) continue
    min[entry] = Number(low.value)
    max[entry] = Number(high.value)
  }
  return { min, max }
}

/** NaN would be the greatest value, or the least one if it is negative. So bounds that are not NaN exclude it. */
function bounds(min: Scalar, max: Scalar): ColumnStatistics {
  return { min, max, isMaxExact: true }
}

/** The bounds of all entries of a run that are not deleted. Null: they are not known, or there is no value. */
export function mergedBounds(
  index: ColumnIndex,
  { from, to }: IndexRange,
  deleted: Uint8Array,
): ColumnStatistics | null {
  let merged: { readonly min: Scalar; readonly max: Scalar } | null = null
  for (let entry = from; entry < to; entry++) {
    if (deleted[entry] === 1) continue
    const statistics = index.of(entry)
    if (statistics === null) return null
    const { min, max } = statistics
    if (min === undefined || max === undefined) continue
    merged =
      merged === null
        ? { min, max }
        : {
            min: compareScalars(min, merged.min) < 0 ? min : merged.min,
            max: compareScalars(max, merged.max) > 0 ? max : merged.max,
          }
  }
  return merged && bounds(merged.min, merged.max)
}

function arrayAt(archive: Archive, at: number, entries: number): StoredArray | null {
  const array = readArray(archive, at)
  // An array of nulls: no entry has such a bound.
  return array.ends === null && array.length === entries ? array : null
}

function isCounts({ type }: StoredArray): boolean {
  return type.kind === 'int' && type.bits === 64 && !type.signed
}

/** What cannot be read of an index prunes nothing. */
function unlessDamaged<T>(otherwise: T, read: () => T): T {
  try {
    return read()
  } catch (error) {
    // A `RangeError` is what JavaScript throws for a position outside of a buffer.
    if (error instanceof RangeError) return otherwise
    if (isServiceError(error) && (error.code === 'unreadable_file' || error.code === 'memory_limit'))
      return otherwise
    throw error
  }
}
