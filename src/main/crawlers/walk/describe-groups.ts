import { isMissing } from '../../datasets/file-errors.ts'
import type { DatasetRoot } from '../../datasets/root.ts'
import type { CrawledGroup } from './crawl-request.ts'
import type { CrawledFormats } from './crawled-formats.ts'
import type { Group, Groups } from './groups.ts'
import { escapePattern, extensionPattern, unoccupiedPattern } from './location.ts'
import { folderOf, placeOf } from './place.ts'
import { AMONG_LAKE_FILES, LONG_LOCATION, type Unread } from './unread.ts'
import { keyOfVersions } from './version-sum.ts'

/** What was walked. */
export interface WalkedFolder {
  /** Absolute, without symbolic links. */
  readonly location: string
  /** Relative to the root, as it is shown. */
  readonly prefix: string
  /** Folders below it whose files were not given. Absolute. */
  readonly closed: ReadonlySet<string>
  readonly crawled: CrawledFormats
  readonly detectsPartitions: boolean
}

/** The tables of the groups, and how many files are in none, since no location finds them alone. */
export async function describeGroups(
  root: DatasetRoot,
  groups: Groups,
  walked: WalkedFolder,
  unread: Unread,
): Promise<{ readonly groups: readonly CrawledGroup[]; readonly skippedFiles: number }> {
  const described: CrawledGroup[] = []
  let skippedFiles = 0

  async function isOccupied(path: string): Promise<boolean> {
    try {
      await root.files.realpath(`${root.location}/${path}`)
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  for (const group of groups.sorted()) {
    const isAboveOthers = group.isPartitioned && groups.isAboveOthers(group)
    const below = group.isFlat && isAboveOthers ? groups.below(group) : NONE_BELOW
    const members = [group, ...below.groups]
    const files = filesOf(members, walked)
    const patternEnd = endOf(members)
    const isSpoiled = (group.isPartitioned && groups.hasLake(group)) || below.hasLake
    const location = isSpoiled ? null : await locationOf(group, isAboveOthers, patternEnd, walked, isOccupied)
    if (files === 0) continue
    if (location === null) {
      unread.add(isSpoiled ? AMONG_LAKE_FILES : LONG_LOCATION, group.base)
      skippedFiles += filesOf([group], walked)
      continue
    }
    const sums = members.map((each) => each.versions)
    const versions = keyOfVersions(sums, files)
    described.push(
      Object.freeze({
        name: slugOf(group.base),
        location,
        format: group.format.storedAs,
        options: group.format.options,
        partitions: Object.freeze(partitionsOf(group)),
        files,
        ...(versions !== null && { versions }),
      }),
    )
  }
  return { groups: Object.freeze(described), skippedFiles }
}

const NONE_BELOW = Object.freeze({ groups: [] as readonly Group[], hasLake: false })

/** The columns of folders, if all files of a group are in folders of the same keys, each once. */
function partitionsOf({ keys, hasOtherKeys }: Group): readonly string[] {
  const names = new Set(keys.map((key) => key.toLowerCase()))
  return hasOtherKeys || names.size < keys.length ? [] : keys
}

function endOf(members: readonly Group[]): string {
  const [first] = members
  const extension = first?.format.extension ?? null
  if (extension === null) return ''
  return extensionPattern(
    extension,
    members.some(({ isInAnyCase }) => isInAnyCase),
  )
}

/** A pattern that finds the files of a group, and no others where that can be written. Null: it would be too long. */
async function locationOf(
  group: Group,
  isAboveOthers: boolean,
  end: string,
  { location, prefix, closed }: WalkedFolder,
  isOccupied: (path: string) => Promise<boolean>,
): Promise<string | null> {
  // The start of the walk is below the base if it is in a folder `key=value` itself.
  const isBaseAbove = group.base.length < prefix.length
  if (group.format.extension === null && closed.has(location)) return prefix === '' ? '.' : prefix
  const start = escapePattern(isBaseAbove ? prefix : group.base)
  const under = (names: string): string => (start === '' ? names : `${start}/${names}`)
  if (!group.isPartitioned) return unoccupiedPattern(start, end, isOccupied)
  if (!isAboveOthers || group.isFlat) return unoccupiedPattern(under('**'), end, isOccupied)
  const key = group.firstKey === null ? '[!=]*' : escapePattern(group.firstKey)
  return unoccupiedPattern(under(`${key}=*/**`), end, isOccupied)
}

/** How many files a query of these groups reads. A link to one of them is no further file. */
function filesOf(members: readonly Group[], walked: WalkedFolder): number {
  const isCounted = (target: string): boolean => {
    const place = regularPlaceOf(target, walked)
    return (
      place !== null &&
      members.some(({ format, base }) => format.extension === place.extension && base === place.base)
    )
  }
  const targets = new Set(members.flatMap((member) => [...member.targets]))
  const regular = members.reduce((sum, { files }) => sum + files, 0)
  return [...targets].reduce((sum, target) => (isCounted(target) ? sum : sum + 1), regular)
}

/** The base and the extension by which the walk has counted a file. Null: it has not met it. */
function regularPlaceOf(
  target: string,
  { location, prefix, closed, crawled, detectsPartitions }: WalkedFolder,
): { readonly base: string; readonly extension: string } | null {
  if (!target.startsWith(`${location}/`)) return null
  const path = target.slice(location.length + 1)
  if (path.startsWith('.') || path.includes('/.')) return null
  for (let folder = folderOf(target); folder.length >= location.length; folder = folderOf(folder))
    if (closed.has(folder)) return null
  const name = path.slice(path.lastIndexOf('/') + 1)
  const format = name.includes('.')
    ? crawled.ofExtension(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
    : null
  if (format === null || format.extension === null) return null
  const shown = prefix === '' ? path : `${prefix}/${path}`
  return { base: placeOf(folderOf(shown), detectsPartitions).base, extension: format.extension }
}

/** The last name of a folder, with ASCII letters and digits in lower case and `_` for everything else but at the ends. */
function slugOf(folder: string): string {
  const name = folder.slice(folder.lastIndexOf('/') + 1)
  const letters = name.replaceAll(/[^A-Za-z0-9]/g, '_').toLowerCase()
  return letters.replace(/^_+/, '').replace(/_+$/, '')
}
