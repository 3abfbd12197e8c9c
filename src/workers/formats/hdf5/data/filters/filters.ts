import { ServiceError } from '../../../../../plan/errors.ts'
import type { StoredFilter } from '../structures/pipeline.ts'
import { decodeBlosc } from './blosc.ts'
import type { DecodeFilter } from './filter.ts'
import { checkFletcher32 } from './fletcher32.ts'
import { decodeDeflate, decodeZstd } from './inflate.ts'
import { decodeLz4 } from './lz4.ts'
import { decodeLzf } from './lzf.ts'
import { unshuffle } from './shuffle.ts'

interface KnownFilter {
  readonly name: string
  /** Null: only the library of HDF5 undoes it. */
  readonly decode: DecodeFilter | null
  /** How many bytes more than before there are once it was applied. Null: it compresses, so that is not known. */
  readonly added: number | null
}

export const SHUFFLE = 2

const decodeShuffle: DecodeFilter = (stored, _size, [elementBytes = 1]) => {
  const target = new Uint8Array(stored.length)
  unshuffle(stored, Math.min(elementBytes, stored.length), target)
  return target
}

/** Filters by the numbers under which the HDF Group has registered them. */
const FILTERS: ReadonlyMap<number, KnownFilter> = new Map([
  [1, { name: 'deflate', decode: decodeDeflate, added: null }],
  [SHUFFLE, { name: 'shuffle', decode: decodeShuffle, added: 0 }],
  [3, { name: 'fletcher32', decode: checkFletcher32, added: 4 }],
  [4, { name: 'szip', decode: null, added: null }],
  [6, { name: 'scaleoffset', decode: null, added: null }],
  [307, { name: 'bzip2', decode: null, added: null }],
  [32000, { name: 'lzf', decode: decodeLzf, added: null }],
  [32001, { name: 'blosc', decode: decodeBlosc, added: null }],
  [32004, { name: 'lz4', decode: decodeLz4, added: null }],
  [32008, { name: 'bitshuffle', decode: null, added: null }],
  [32013, { name: 'zfp', decode: null, added: null }],
  [32015, { name: 'zstd', decode: decodeZstd, added: null }],
  [32026, { name: 'blosc2', decode: null, added: null }],
])

/** What undoes all of these filters: the functions here, or only the library of HDF5, or neither. */
export function decoderOf(filters: readonly StoredFilter[]): 'here' | 'library' | null {
  const known = filters.map(({ id }) => FILTERS.get(id))
  if (known.includes(undefined)) return null
  return known.every((filter) => filter?.decode) ? 'here' : 'library'
}

/** Throws `unreadable_file` for a filter that is not undone here. */
export function filterOf({ id }: StoredFilter): KnownFilter & { readonly decode: DecodeFilter } {
  const filter = FILTERS.get(id)
  if (filter?.decode) return { ...filter, decode: filter.decode }
  const name = filter === undefined ? `filter ${id}` : `the filter ${filter.name} (${id})`
  throw new ServiceError('unreadable_file', `its chunks have passed ${name}, which is not read`)
}
