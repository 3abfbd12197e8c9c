import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { Crawler } from '../crawler.ts'
import type { CrawledGroup } from '../walk/crawl-request.ts'

/** A table that a crawler has made. */
export interface OwnedTable {
  readonly name: string
  readonly format: string
  readonly location: string
}

/** A group, and the name of its table. */
export interface NamedGroup {
  readonly group: CrawledGroup
  readonly name: string
}

/**
 * Names the tables of groups. A group whose table is there keeps its name. Another one does not get the name of any table of the crawler,
 * also where no file of that is left, so that a name never comes to mean other files.
 */
export function nameTables(
  groups: readonly CrawledGroup[],
  crawler: Crawler,
  owned: readonly OwnedTable[],
): readonly NamedGroup[] {
  const byPlace = new Map(owned.map((table) => [placeOf(table), table.name]))
  const taken = new Set(owned.map(({ name }) => foldSqlName(name)))
  return groups.map((group) => {
    const name = byPlace.get(placeOf(group)) ?? freeName(firstName(group, crawler), group.format, taken)
    taken.add(foldSqlName(name))
    return { group, name }
  })
}

/** The tables of a crawler to which no group belongs. */
export function vanishedTables(
  groups: readonly CrawledGroup[],
  owned: readonly OwnedTable[],
): readonly OwnedTable[] {
  const places = new Set(groups.map(placeOf))
  return owned.filter((table) => !places.has(placeOf(table)))
}

/**
 * Where a group lies: its format, its extension and its folder. The rest of its location may change: files come to lie in folders
 * `key=value`, groups below it, and extensions in upper case are added.
 */
function placeOf({ format, location }: Pick<CrawledGroup, 'format' | 'location'>): string {
  const names = location.split('/')
  const file = names.pop() ?? ''
  while (/^\*\*$|=\*$/.test(names.at(-1) ?? '')) names.pop()
  const extension = file.replace(/^\*+/, '').replaceAll(/\[([a-z])[A-Z]\]/g, '$1')
  return JSON.stringify([format.toLowerCase(), names.join('/'), extension])
}

/** The name of a table before others are looked at. Files in the root make a table with the crawler's own name. */
function firstName({ name }: CrawledGroup, crawler: Crawler): string {
  const ownName = slugOf(crawler.name) || 'crawled'
  if (name === '') return ownName
  return crawler.tableNaming === 'crawler_prefixed' ? `${ownName}_${name}` : name
}

function freeName(name: string, format: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  const ofFormat = `${name}_${format.toLowerCase()}`
  let free = ofFormat
  for (let number = 2; taken.has(free); number++) free = `${ofFormat}_${number}`
  return free
}

/** ASCII letters and digits in lower case, with `_` for everything else but at the ends. */
function slugOf(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9]/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase()
}
