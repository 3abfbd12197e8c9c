import { sortedByBytes } from '../../../plan/byte-order.ts'
import { getOrMake } from '../../../plan/get-or-make.ts'
import type { CrawledFormat } from './crawled-formats.ts'
import { folderOf, type Place } from './place.ts'
import { createVersionSum, type VersionSum } from './version-sum.ts'

/** Files of one format that are one table, while they are counted. */
export interface Group {
  readonly format: CrawledFormat
  /** The folder of the group, relative to the root. */
  readonly base: string
  /** The keys of the folders `key=value` of its first file. */
  readonly keys: readonly string[]
  /** Whether files are in folders of other keys. */
  hasOtherKeys: boolean
  /** Whether files are in the base itself, and in folders `key=value` below it. */
  isFlat: boolean
  isPartitioned: boolean
  /** The first keys as they are written. More than one spelling: null. */
  firstKey: string | null
  /** Whether the extension of a file is not in lower case. */
  isInAnyCase: boolean
  /** Regular files. */
  files: number
  /** Where links lead. Absolute, without symbolic links. */
  readonly targets: Set<string>
  /** Those of regular files, and of what links lead to. */
  readonly versions: VersionSum
}

/** The groups of a walk. They are kept, and files are only counted. */
export interface Groups {
  /** The group of files of a format in a place. */
  at(format: CrawledFormat, place: Place): Group
  /** A folder of Delta or Iceberg in a folder. Its files are in the way of patterns that reach them. */
  addLake(place: Place, folder: string): void
  /** Whether a folder of Delta or Iceberg, which has files in Parquet, is in a folder `key=value` of a group. */
  hasLake(group: Group): boolean
  /** Whether files that belong to no partition of a folder lie in folders below it: of the format of a group, or in a folder of Delta or Iceberg. */
  isAboveOthers(group: Group): boolean
  /** The groups of a group's format below its base, and whether a folder of Delta or Iceberg is there. */
  below(group: Group): { readonly groups: readonly Group[]; readonly hasLake: boolean }
  /** Those with files, by format, folder and extension. */
  sorted(): readonly Group[]
}

export function createGroups(): Groups {
  const groups = new Map<string, Group>()
  /** Folders of Delta and Iceberg, as bases, and the bases of those that are in folders `key=value`. */
  const lakes = new Set<string>()
  const basesOfLakes = new Set<string>()

  function at(format: CrawledFormat, { base, keys, firstKey }: Place): Group {
    const group = getOrMake(groups, keyOf(format, base), () => ({
      format,
      base,
      keys,
      hasOtherKeys: false,
      isFlat: false,
      isPartitioned: false,
      firstKey,
      isInAnyCase: false,
      files: 0,
      targets: new Set<string>(),
      versions: createVersionSum(),
    }))
    if (keys.length === 0) group.isFlat = true
    else group.isPartitioned = true
    if (keys !== group.keys && !haveSameNames(keys, group.keys)) group.hasOtherKeys = true
    if (firstKey !== group.firstKey) group.firstKey = null
    return group
  }

  /** The folders above bases, by extension, and above folders of Delta and Iceberg. They are complete when the walk has ended. */
  let above: Above | null = null

  function foldersAbove(): Above {
    const folders = new Map<string, Set<string>>()
    const ofLakes = new Set<string>()
    const climb = (set: Set<string>, base: string): void => {
      for (let folder = base; folder !== ''; ) {
        folder = folderOf(folder)
        if (set.has(folder)) return
        set.add(folder)
      }
    }
    for (const { format, base } of groups.values())
      climb(
        getOrMake(folders, format.extension ?? '', () => new Set<string>()),
        base,
      )
    for (const lake of lakes) climb(ofLakes, lake)
    return { groups: folders, lakes: ofLakes }
  }

  return {
    at,
    addLake({ base, keys }, folder) {
      if (keys.length > 0) basesOfLakes.add(base)
      else lakes.add(folder)
    },
    hasLake: ({ format, base }) => isInLakes(format) && basesOfLakes.has(base),
    isAboveOthers({ format, base }) {
      above ??= foldersAbove()
      return above.lakes.has(base) || (above.groups.get(format.extension ?? '')?.has(base) ?? false)
    },
    below({ format, base }) {
      const start = base === '' ? '' : `${base}/`
      const isBelow = (folder: string): boolean => folder !== base && folder.startsWith(start)
      return {
        groups: [...groups.values()].filter((other) => other.format === format && isBelow(other.base)),
        hasLake: isInLakes(format) && [...lakes].some(isBelow),
      }
    },
    sorted: () => sortedByBytes([...groups.keys()]).flatMap((key) => groups.get(key) ?? []),
  }
}

/** Whether folders of Delta and Iceberg have files of a format. */
function isInLakes({ extension }: CrawledFormat): boolean {
  return extension === 'parquet'
}

/** Folders that have something below them. */
interface Above {
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>
  readonly lakes: ReadonlySet<string>
}

/** Sorts by format, folder and extension. No path has a zero byte, and it comes before all that paths have. */
function keyOf({ storedAs, extension }: CrawledFormat, base: string): string {
  return `${storedAs.toLowerCase()}\0${base}\0${extension ?? ''}`
}

function haveSameNames(keys: readonly string[], others: readonly string[]): boolean {
  return keys.length === others.length && keys.every((key, index) => key === others[index])
}
