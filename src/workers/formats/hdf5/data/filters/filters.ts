import { ServiceError } from '../../../../../plan/errors.ts'
import type { InflatedBytes } from '../../../../../wasm/core/boxes/box-column.ts'
import type { CheckDecoded, CheckStored, DecodeFilter } from '../../../codecs/filter.ts'
import { checkFletcher32 } from '../../../codecs/fletcher32.ts'
import {
  copyOut,
  type InflateInCore,
  inflateBlosc,
  inflateDeflate,
  inflateLz4Blocks,
  inflateLzf,
  inflateZstd,
} from '../../../codecs/in-core.ts'
import { decodeDeflate, decodeZstd } from '../../../codecs/inflate.ts'
import type { StoredFilter } from '../structures/messages/pipeline.ts'
import { checkBzip2, checkBzip2Decoded } from './bzip2.ts'
import { checkBitshuffle, checkBlosc2, checkScaleOffset, checkSzip, checkZfp } from './check-stored.ts'

/** A filter that is decoded: by a function here, or by the HDF5 library, which the annex loads. */
export type KnownFilter = FilterDecodedHere | FilterOfLibrary

interface FilterDecodedHere {
  readonly name: string
  readonly decode: DecodeFilter
  /** The same in the core's memory. Null: the data are not sound, which `decode` says. Absent: it is not done. */
  readonly inflate?: (...args: Parameters<InflateInCore>) => InflatedBytes | null
  /** How many bytes more than before there are once it was applied. Null: it compresses, so that is not known. */
  readonly added: number | null
}

export interface FilterOfLibrary {
  readonly name: string
  readonly decode: null
  /** Checks what the library does not check, or only when it has used it. */
  readonly check: CheckStored
  /** Null: nothing more is known of the result. */
  readonly checkDecoded: CheckDecoded | null
  readonly added: null
}

const DEFLATE = 1
export const SHUFFLE = 2

const decodeShuffle: DecodeFilter = (stored, _size, [elementBytes = 1], core) => {
  const bytes = core.unshuffle(stored, Math.min(elementBytes, stored.length))
  return new Uint8Array(bytes.copy(), 0, bytes.length)
}

function here(name: string, decode: DecodeFilter, added: number | null = null): FilterDecodedHere {
  return { name, decode, added }
}

function inCore(
  name: string,
  decode: DecodeFilter,
  inflate: NonNullable<FilterDecodedHere['inflate']>,
): FilterDecodedHere {
  return { name, decode, inflate, added: null }
}

/** A filter that only the core undoes: elsewhere its bytes are copied out of there. */
function onlyInCore(name: string, inflate: InflateInCore): FilterDecodedHere {
  const copied = copyOut(inflate)
  return inCore(name, (stored, size, _values, core) => copied(stored, size, core), inflate)
}

function ofLibrary(
  name: string,
  check: CheckStored,
  checkDecoded: CheckDecoded | null = null,
): FilterOfLibrary {
  return { name, decode: null, check, checkDecoded, added: null }
}

/** Filters by the numbers under which the HDF Group has registered them. */
const FILTERS: ReadonlyMap<number, KnownFilter> = new Map<number, KnownFilter>([
  [DEFLATE, inCore('deflate', decodeDeflate, inflateDeflate)],
  [SHUFFLE, here('shuffle', decodeShuffle, 0)],
  [3, here('fletcher32', checkFletcher32, 4)],
  [4, ofLibrary('szip', checkSzip)],
  [6, ofLibrary('scaleoffset', checkScaleOffset)],
  [307, ofLibrary('bzip2', checkBzip2, checkBzip2Decoded)],
  [32000, onlyInCore('lzf', inflateLzf)],
  [32001, onlyInCore('blosc', inflateBlosc)],
  [32004, onlyInCore('lz4', inflateLz4Blocks)],
  [32008, ofLibrary('bitshuffle', checkBitshuffle)],
  [32013, ofLibrary('zfp', checkZfp)],
  [32015, inCore('zstd', decodeZstd, inflateZstd)],
  [32026, ofLibrary('blosc2', checkBlosc2)],
])

/** Names of filters that are not undone, for messages. */
const OTHERS: ReadonlyMap<number, string> = new Map([
  [5, 'nbit'],
  [305, 'lzo'],
  [32006, 'mafisc'],
  [32010, 'cbf'],
  [32011, 'jpeg-xr'],
  [32014, 'fpzip'],
  [32016, 'b3d'],
  [32017, 'sz'],
  [32018, 'fcidecomp'],
  [32019, 'jpeg'],
  [32022, 'granular bitround'],
  [32023, 'bitgroom'],
  [32024, 'sz3'],
  [32028, 'sperr'],
])

/** Whether the library of HDF5 undoes a filter, and no function here does. */
export function isUndoneByLibrary({ id }: Pick<StoredFilter, 'id'>): boolean {
  return FILTERS.get(id)?.decode === null
}

/** Throws `unreadable_file` for a filter that is not undone. */
export function filterOf({ id }: StoredFilter): KnownFilter {
  const filter = FILTERS.get(id)
  if (filter !== undefined) return filter
  throw new ServiceError(
    'unreadable_file',
    `its chunks have passed ${filterName(id)}, which is not read; write them anew with another filter, such as deflate or zstd`,
  )
}

/** `the filter szip (4)`. */
export function filterName(id: number): string {
  return FILTERS.has(id) || OTHERS.has(id) ? `the filter ${filterLabel(id)}` : `filter ${id}`
}

/** `szip`; of a filter without a name here `filter 32099`. */
export function filterTitle(id: number): string {
  return FILTERS.get(id)?.name ?? OTHERS.get(id) ?? `filter ${id}`
}

/** `szip (4)`. */
export function filterLabel(id: number): string {
  return `${FILTERS.get(id)?.name ?? OTHERS.get(id) ?? 'unknown'} (${id})`
}
