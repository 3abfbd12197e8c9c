import { lastAtMost } from '../../../plan/binary-search.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { fault } from '../fault.ts'
import type { OpenContext } from '../provider.ts'
import { numberAt, rootOf, vectorAt } from './archive/archive.ts'
import { archiveIn, type Place, placeAt, readPayload } from './archive/block.ts'
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

export const NO_GROUPS: Directory = directoryOf(new Float64Array(0))

/** Reads the directory of a column of a file of so many entries. Throws `unreadable_file`. */
export function readDirectory(
  source: ByteSource,
  place: Place,
  entries: number,
  context: OpenContext,
): Directory {
  const archive = archiveIn(readPayload(source, place, MAX_METADATA_BYTES, context))
  const groups = vectorAt(archive, rootOf(archive, DIRECTORY_ROOT_BYTES), GROUP_BYTES)
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
