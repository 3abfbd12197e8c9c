import { lastAtMost } from '../../../plan/binary-search.ts'
import { ServiceError } from '../../../plan/errors.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { fault } from '../fault.ts'
import type { OpenContext } from '../provider.ts'
import { numberAt, openArchive, rootOf, vectorAt } from './archive/archive.ts'
import { type Place, placeAt, readPayload } from './archive/block.ts'
import { MAX_METADATA_BYTES } from './footer.ts'

/** The groups of a column, in the order of their entries. An entry that is in none does not have the column. */
export interface Directory {
  readonly count: number
  /** The first entry of a group. */
  from(group: number): number
  /** The entry after its last one. */
  to(group: number): number
  place(group: number): Place
}

const DIRECTORY_ROOT_BYTES = 24
const GROUP_BYTES = 32

/** First entry, entry after the last, offset and size. */
const NUMBERS = 4

const NO_GROUPS: Directory = directoryOf(new Float64Array(0))

/** The most groups of all columns of a file, which take 32 bytes each. */
const MOST_GROUPS = 1 << 22

/** Reads the directories of the columns of a file of so many entries. Null: the column has none. Throws `unreadable_file` and `memory_limit`. */
export function directoryReader(
  source: ByteSource,
  entries: number,
  context: OpenContext,
): (place: Place | null) => Directory {
  let groups = 0
  return (place) => {
    if (place === null) return NO_GROUPS
    const directory = readDirectory(source, place, entries, MOST_GROUPS - groups, context)
    groups += directory.count
    return directory
  }
}

function readDirectory(
  source: ByteSource,
  place: Place,
  entries: number,
  most: number,
  context: OpenContext,
): Directory {
  const archive = openArchive(readPayload(source, place, MAX_METADATA_BYTES, context))
  const groups = vectorAt(archive, rootOf(archive, DIRECTORY_ROOT_BYTES), GROUP_BYTES)
  if (groups.count > most)
    throw new ServiceError('memory_limit', `more than ${MOST_GROUPS} groups with those of other columns`)
  const numbers = new Float64Array(NUMBERS * groups.count)
  let end = 0
  for (let group = 0; group < groups.count; group++) {
    const at = groups.at + GROUP_BYTES * group
    const [from, last] = [numberAt(archive, at), numberAt(archive, at + 8)]
    if (from < end || last < from || last >= entries)
      throw fault(`a group of the entries ${from} to ${last}, of ${entries}, behind entry ${end - 1}`)
    end = last + 1
    const { offset, size } = placeAt(archive, at + 16, source)
    numbers.set([from, end, offset, size], NUMBERS * group)
  }
  return directoryOf(numbers)
}

function directoryOf(numbers: Float64Array): Directory {
  const at = (group: number, member: number): number => numbers[NUMBERS * group + member] ?? 0
  return {
    count: numbers.length / NUMBERS,
    from: (group) => at(group, 0),
    to: (group) => at(group, 1),
    place: (group) => ({ offset: at(group, 2), size: at(group, 3) }),
  }
}

/** The group that has an entry. Null: there is none. */
export function groupOf(directory: Directory, entry: number): number | null {
  const { count, from, to } = directory
  if (count === 0) return null
  const group = lastAtMost(count, from, entry)
  return entry >= from(group) && entry < to(group) ? group : null
}
