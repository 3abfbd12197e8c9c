import { isServiceError } from '../../../plan/errors.ts'
import type { TextRange } from '../../../plan/source/range.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { CsvLimits } from '../csv/limits.ts'
import { type CsvFile, findRecords, MISPLACED } from '../csv/records.ts'
import { fault } from '../fault.ts'
import type { ReadContext } from '../provider.ts'
import type { OdvHeader } from './header.ts'

type Context = Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>

/** The bytes that are looked at first. Most stations are shorter. */
const STEP = 64 << 10

/** A station that has lasted for so many blocks is taken to go on. */
const LONG_BLOCKS = 2

/**
 * The byte of the station before the first record of a block, which begins at `began`. 0: there is none. If the block comes before it is
 * known where the one before it ends, this is a guess: the last station in the block before, or else the last one that main had seen when
 * the block was sent. Throws `unreadable_file` if there is nothing to guess by.
 */
export function stationAbove(
  file: CsvFile,
  { keys, end }: Pick<OdvHeader, 'keys' | 'end'>,
  source: ByteSource,
  range: TextRange,
  began: number,
  context: Context,
): number {
  if (range.segment === 0) return 0
  const { limits } = file
  const place = range.station !== undefined && range.station.until <= began ? range.station : null
  if (place !== null && (range.begin !== null || isLong(place, limits))) return place.at
  const nearest = place?.until ?? end
  const lowest = Math.max(nearest, began - limits.block)
  for (let bytes = STEP; ; bytes *= 4) {
    const from = Math.max(lowest, began - bytes)
    const station = lastStation(file, keys, source, from, began, from === nearest, context)
    if (station !== null) return station
    if (from === lowest) break
  }
  if (place === null && lowest > end) throw fault(MISPLACED)
  return place?.at ?? 0
}

function isLong({ at, until }: { readonly at: number; readonly until: number }, limits: CsvLimits): boolean {
  return at > 0 && until - at >= LONG_BLOCKS * limits.block
}

/** The byte of the last station among the records in `from`..`to`. Null: there is none, or it is not seen where records begin. */
function lastStation(
  file: CsvFile,
  keys: readonly number[],
  source: ByteSource,
  from: number,
  to: number,
  isBegin: boolean,
  context: Context,
): number | null {
  if (from >= to) return null
  try {
    const range = { from, to, begin: isBegin ? from : null, maxRecords: Number.POSITIVE_INFINITY }
    using records = findRecords(file, source, range, context)
    if (records.ended !== to) return null
    const { last } = records.text.stations(keys)
    return last === null ? null : records.start + last
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file') return null
    throw error
  }
}

/** The bytes of the record that begins at a byte. */
export function recordAt(file: CsvFile, source: ByteSource, at: number, context: Context): Uint8Array {
  using record = findRecords(file, source, { from: at, to: at + 1, begin: at, maxRecords: 1 }, context)
  if (record.rows !== 1) throw new RangeError(`no record at ${at}`)
  return source.read(at, record.ended - at)
}
