import { SCHEMA_SUFFIX, VARIABLES_SUFFIX } from '../statement/functions.ts'
import { uniqueMap } from '../unique-map.ts'
import { extensionsOf, withCompressed } from './extensions.ts'
import { type FileFormat, type FormatOptions, fileFormat, type OptionValue } from './file-format.ts'
import type { DatasetGroup, FormatRow, FormatStorage } from './format-row.ts'

/** The table of formats, with indexes that are made once. */
export interface Formats {
  readonly rows: readonly FormatRow[]
  /** All formats by the keys of the JSON `from`. */
  readonly fromKeys: ReadonlyMap<string, FormatRow>
  /** All formats by their functions in SQL. */
  readonly functions: ReadonlyMap<string, FormatRow>
  /** All formats by their names behind STORED AS, in upper case. */
  readonly storedAs: ReadonlyMap<string, FormatRow>
  /** The groups of datasets in the order of listings. */
  readonly groups: readonly DatasetGroup[]
  /** The format with this id, or the form of answers of databases (`copy`), which is none of the rows. Throws `RangeError` if there is none. */
  row(id: string): FormatRow
  /** A format with options. Those that are not given have their defaults, if any. */
  withOptions(row: FormatRow, given?: FormatOptions): FileFormat
  /** The names of files that mark a folder as one dataset, of all formats. */
  readonly markers: readonly string[]
  /** How the datasets of a format are stored. */
  storageOf(format: FileFormat): FormatStorage
  /**
   * The format of a file by its name: a marker, exact in case, or an extension in any case. Null: it has none, and listings do not
   * show it.
   */
  matchName(path: string): NameMatch | null
  /** The format in which a file, or a folder, is read by its name, in any case. Null: the name does not tell. */
  ofName(path: string): { readonly row: FormatRow; readonly format: FileFormat } | null
}

/** The format of a file by its name. */
interface NameMatch {
  readonly row: FormatRow
  readonly group: DatasetGroup
  /** The name, if it marks a folder that is one dataset. Null: the name was matched by its extension. */
  readonly marker: string | null
  readonly options: FormatOptions
}

/** What databases answer. No dataset has this form, so nothing names it. */
const ANSWERS: readonly FormatRow[] = deepFrozen([
  {
    id: 'copy',
    title: 'rows of a database',
    from: [],
    functions: [],
    datasets: [],
    options: [],
    layout: 'row_groups',
    storage: { kind: 'object' },
  },
])

/** Makes a table of formats. Throws `TypeError` if two rows have the same name, or a function is not named `read_…`. */
export function createFormats(given: readonly FormatRow[]): Formats {
  const rows = deepFrozen([...given])
  const ids = uniqueMap([...rows, ...ANSWERS].map((row) => [row.id, row]))
  const grouped = rows.flatMap((row) => row.datasets.map((group) => ({ row, group })))
  uniqueMap(grouped.map(({ group }) => [group.id, group]))
  const extensions = uniqueMap(
    grouped.flatMap(({ row, group }) =>
      group.extensions.flatMap((extension) => {
        const match: NameMatch = { row, group, marker: null, options: group.optionsOf?.[extension] ?? {} }
        return withCompressed(row, extension).map((each): [string, NameMatch] => [each, match])
      }),
    ),
  )
  const markers = uniqueMap(
    grouped.flatMap(({ row, group }) =>
      markersOf(row).map((marker): [string, NameMatch] => [marker, { row, group, marker, options: {} }]),
    ),
  )
  const plain = new Map(rows.map((row) => [row, formatOf(row, {})]))
  for (const name of rows.flatMap(({ functions }) => functions))
    if (!/^read_[a-z0-9_]+$/.test(name) || name.endsWith(SCHEMA_SUFFIX) || name.endsWith(VARIABLES_SUFFIX))
      throw new TypeError(`"${name}" is not called read_…, or as another one's columns are`)

  function matchAny(path: string): NameMatch | null {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const marked = markers.get(name)
    if (marked !== undefined) return marked
    for (const extension of extensionsOf(name)) {
      const match = extensions.get(extension)
      if (match !== undefined) return match
    }
    return null
  }

  return Object.freeze<Formats>({
    rows,
    fromKeys: uniqueMap(rows.flatMap((row) => row.from.map((key) => [key, row]))),
    functions: uniqueMap(rows.flatMap((row) => row.functions.map((name) => [name, row]))),
    storedAs: new Map(
      rows.flatMap((row) => [...row.from, ...(row.storedAs ?? [])].map((name) => [name.toUpperCase(), row])),
    ),
    groups: Object.freeze(
      grouped
        .map(({ group }) => group)
        .filter(isListed)
        .toSorted((a, b) => a.listingOrder - b.listingOrder),
    ),
    row(id) {
      const row = ids.get(id)
      if (row === undefined) throw new RangeError(`there is no format "${id}"`)
      return row
    },
    withOptions: (row, given) => (given && formatOf(row, given)) ?? plain.get(row) ?? formatOf(row, {}),
    markers: Object.freeze([...markers.keys()]),
    storageOf: ({ kind }) => ids.get(kind)?.storage ?? OBJECT,
    matchName(path) {
      const match = matchAny(path)
      return match !== null && isListed(match.group) ? match : null
    },
    ofName(path) {
      const place = matchAny(withoutSlashes(path.toLowerCase()))
      if (place === null) return null
      const { row, options } = place
      return { row, format: formatOf(row, options) }
    },
  })
}

function formatOf({ id, layout, options }: FormatRow, given: FormatOptions): FileFormat {
  const values = options.flatMap((option): [string, OptionValue][] => {
    const value = given[option.name] ?? option.default
    return value === null ? [] : [[option.name, value]]
  })
  return fileFormat(id, layout, Object.fromEntries(values))
}

function isListed(group: DatasetGroup): boolean {
  return group.isListed !== false
}

/** The storage for a format that is not in the table. */
const OBJECT: FormatStorage = Object.freeze({ kind: 'object' })

function markersOf({ storage }: FormatRow): readonly string[] {
  return storage.kind === 'folder' ? storage.markers : []
}

/** A path without the slashes at its end. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** Freezes a value and everything in it. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(deepFrozen)
  return Object.freeze(value)
}
