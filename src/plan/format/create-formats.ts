import { SCHEMA_SUFFIX } from '../statement/functions.ts'
import { type FileFormat, type FormatOptions, fileFormat } from './file-format.ts'
import type { DatasetGroup, FormatRow } from './format-row.ts'

/** The table of formats with its look-ups, made once: requests are read by them. */
export interface Formats {
  readonly rows: readonly FormatRow[]
  /** By each key of the JSON `from`, those of formats that are not read too. */
  readonly fromKeys: ReadonlyMap<string, FormatRow>
  /** Formats that are read, by each of their functions in SQL. */
  readonly functions: ReadonlyMap<string, FormatRow>
  /** In the order of listings. */
  readonly groups: readonly DatasetGroup[]
  /** The format under this id. Throws `RangeError` for an id that no row has. */
  row(id: string): FormatRow
  /** How files are read with these options; defaults in place of those that are not given. */
  withOptions(row: FormatRow, given?: FormatOptions): FileFormat
  /** What a file is by its name, case and all; null: listings do not show it. */
  placeOf(path: string): FormatPlace | null
  /** How a file is read by its name, in any case; null: the name does not tell. */
  ofName(path: string): { readonly row: FormatRow; readonly format: FileFormat } | null
}

/** What the name of a file tells. */
export interface FormatPlace {
  readonly row: FormatRow
  readonly group: DatasetGroup
  /** Of a format whose datasets are folders, the name of the file that marks one; null: the name ends in an extension. */
  readonly marker: string | null
  readonly options: FormatOptions
}

/** Throws `TypeError` where two rows claim one name, or a function is called otherwise than `read_…`. */
export function createFormats(given: readonly FormatRow[]): Formats {
  const rows = deepFrozen([...given])
  const ids = uniqueMap(rows.map((row) => [row.id, row]))
  const read = rows.filter(({ isRead }) => isRead)
  const placed = rows.flatMap((row) => row.datasets.map((group) => ({ row, group })))
  uniqueMap(placed.map(({ group }) => [group.id, group]))
  const extensions = uniqueMap(
    placed.flatMap(({ row, group }) =>
      group.extensions.map((extension): [string, FormatPlace] => [
        extension,
        { row, group, marker: null, options: group.optionsOf?.[extension] ?? {} },
      ]),
    ),
  )
  const markers = uniqueMap(
    placed.flatMap(({ row, group }) =>
      markersOf(row).map((marker): [string, FormatPlace] => [marker, { row, group, marker, options: {} }]),
    ),
  )
  const plain = new Map(rows.map((row) => [row, formatOf(row, {})]))
  for (const name of rows.flatMap(({ functions }) => functions))
    if (!/^read_[a-z0-9_]+$/.test(name) || name.endsWith(SCHEMA_SUFFIX))
      throw new TypeError(`"${name}" is not called read_…, or as another one's columns are`)

  function placeOf(path: string): FormatPlace | null {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const marked = markers.get(name)
    if (marked !== undefined) return marked
    const dot = name.lastIndexOf('.')
    return dot < 0 ? null : (extensions.get(name.slice(dot + 1)) ?? null)
  }

  return Object.freeze<Formats>({
    rows,
    fromKeys: uniqueMap(rows.flatMap((row) => row.from.map((key) => [key, row]))),
    functions: uniqueMap(read.flatMap((row) => row.functions.map((name) => [name, row]))),
    groups: Object.freeze(
      placed.map(({ group }) => group).toSorted((a, b) => a.listingOrder - b.listingOrder),
    ),
    row(id) {
      const row = ids.get(id)
      if (row === undefined) throw new RangeError(`there is no format "${id}"`)
      return row
    },
    withOptions: (row, given) => (given && formatOf(row, given)) ?? plain.get(row) ?? formatOf(row, {}),
    placeOf,
    ofName(path) {
      const place = placeOf(path.toLowerCase())
      if (place === null) return null
      const { row, options } = place
      return { row, format: formatOf(row, options) }
    },
  })
}

function formatOf({ id, layout, options }: FormatRow, given: FormatOptions): FileFormat {
  const values = options.map((option) => [option.name, given[option.name] ?? option.default] as const)
  return fileFormat(id, layout, Object.fromEntries(values))
}

function markersOf({ storage }: FormatRow): readonly string[] {
  return storage.kind === 'folder' ? storage.markers : []
}

/** The value, and all that it holds, which nobody may change from now on. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(deepFrozen)
  return Object.freeze(value)
}

function uniqueMap<T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>()
  for (const [key, value] of entries) {
    if (map.has(key)) throw new TypeError(`two formats are known by "${key}"`)
    map.set(key, value)
  }
  return map
}
