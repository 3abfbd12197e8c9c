import { ServiceError } from '../../../plan/errors.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { fault } from '../fault.ts'
import type { OpenContext } from '../provider.ts'
import { MAP_BYTES, numberAt, openArchive, pairsAt, rootOf, tagAt, vectorAt } from './archive/archive.ts'
import { BLOCK_ROOT_BYTES, MAGIC_BYTES, type Place, placeAt, readPayload } from './archive/block.ts'
import { TYPES } from './types.ts'

export interface Footer {
  /** In the order of the columns. */
  readonly columns: readonly FooterColumn[]
  /** The number of entries, and a byte for each, which is 1 if the entry is deleted. */
  readonly entries: number
  readonly deleted: Uint8Array
  /** The index by which entries are pruned. Null: there is none. */
  readonly index: Place | null
}

interface FooterColumn {
  readonly name: string
  readonly type: DataType
  /** The directory of its groups. Null: no entry has the column. */
  readonly directory: Place | null
}

const MAGIC = 'BBF1'

/** The length of the footer, and the magic number again. */
const TRAILER_BYTES = 12

const FOOTER_ROOT_BYTES = 144
const ENTRY_KEY_BYTES = 32
const RESOLVER_BYTES = 16

/** The largest footer that is read: an entry takes some 60 bytes of it. */
export const MAX_METADATA_BYTES = 256 << 20

/** The most columns of a file. */
const MOST_COLUMNS = 1 << 16

/** The name of the index by which entries are pruned. Others are not known. */
const INDEX = 'pruning_index'

/** Whether a file begins and ends as BBF. */
export function hasMagic(source: ByteSource): boolean {
  if (source.size < MAGIC_BYTES + BLOCK_ROOT_BYTES + TRAILER_BYTES) return false
  return isMagic(source.read(0, MAGIC_BYTES)) && isMagic(source.read(source.size - MAGIC_BYTES, MAGIC_BYTES))
}

/** Reads the last footer of a file. Throws `unreadable_file` and `memory_limit`; callers add the file's name. */
export function readFooter(source: ByteSource, context: OpenContext): Footer {
  const least = MAGIC_BYTES + BLOCK_ROOT_BYTES + TRAILER_BYTES
  if (source.size < least) throw fault(`it has ${source.size} bytes, too few for any BBF file`)
  if (!isMagic(source.read(0, MAGIC_BYTES))) throw fault('it does not begin with the magic number BBF1')
  const trailer = source.read(source.size - TRAILER_BYTES, TRAILER_BYTES)
  if (!isMagic(trailer.subarray(-MAGIC_BYTES)))
    throw fault('it does not end with the magic number BBF1: it is damaged or cut short')
  const size = numberAt(openArchive(trailer), 0)
  if (size < BLOCK_ROOT_BYTES || size > source.size - MAGIC_BYTES - TRAILER_BYTES)
    throw fault(`its footer claims ${size} of ${source.size} bytes; the file is damaged or cut short`)
  const place = { offset: source.size - TRAILER_BYTES - size, size }
  const archive = openArchive(readPayload(source, place, MAX_METADATA_BYTES, context))
  const root = rootOf(archive, FOOTER_ROOT_BYTES)
  const [schema, directories, indexes] = [16, 16 + MAP_BYTES, 16 + 2 * MAP_BYTES].map((at) => root + at)
  const places = new Map<string, Place>()
  for (const { key, value } of pairsAt(archive, directories ?? 0, RESOLVER_BYTES))
    places.set(key, placeAt(archive, value, source))
  const columns: FooterColumn[] = []
  const count = numberAt(archive, (schema ?? 0) + 8)
  if (count > MOST_COLUMNS)
    throw new ServiceError('memory_limit', `it has ${count} columns; at most ${MOST_COLUMNS} are read`)
  for (const { key, value } of pairsAt(archive, schema ?? 0, 1)) {
    const type = TYPES[tagAt(archive, value, TYPES.length, `column ${JSON.stringify(key)}`)]
    if (type !== undefined) columns.push({ name: key, type, directory: places.get(key) ?? null })
  }
  let index: Place | null = null
  for (const { key, value } of pairsAt(archive, indexes ?? 0, RESOLVER_BYTES))
    if (key === INDEX) index = unlessBeyond(() => placeAt(archive, value, source))
  const flags = vectorAt(archive, root + 112, 1)
  const entries = vectorAt(archive, root + 128, ENTRY_KEY_BYTES)
  if (flags.count !== entries.count)
    throw fault(`${entries.count} entries, of which ${flags.count} may be deleted`)
  const deleted = archive.bytes.slice(flags.at, flags.at + flags.count)
  if (deleted.some((flag) => flag > 1)) throw fault('an entry that is neither deleted nor not')
  return { columns, entries: entries.count, deleted, index }
}

/** An index that cannot be read prunes nothing. */
function unlessBeyond(place: () => Place): Place | null {
  try {
    return place()
  } catch {
    return null
  }
}

function isMagic(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes) === MAGIC
}
