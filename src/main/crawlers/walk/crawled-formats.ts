import type { Formats } from '../../../plan/format/create-formats.ts'
import type { DatasetGroup, FormatRow } from '../../../plan/format/format-row.ts'

/** Files of one extension, or stores, that a crawl makes tables of. */
export interface CrawledFormat {
  /** As STORED AS. */
  readonly storedAs: string
  /** In lower case. Null: its datasets are folders with markers. */
  readonly extension: string | null
  readonly options: Readonly<Record<string, string>>
}

/** Which files a crawl makes tables of, and which it counts as skipped. */
export interface CrawledFormats {
  /** The format of a file by the last part of its name, in lower case. */
  ofExtension(extension: string): CrawledFormat | null
  /** The format of a folder by its marker. */
  ofMarker(marker: string): CrawledFormat | null
  /** Whether listings have a file of this name, or a store with this marker, and no filter drops its format. */
  isListed(name: string, isMarker?: boolean): boolean
}

/**
 * The formats that these names choose, in any case: ids of listings (`nc`), extensions (`tsv`), and keys of `from` (`netcdf`). A name of none
 * of them chooses nothing. Without names they are the formats with files of an extension that is their id, which leaves out `.tsv`, `.h5`
 * and others; these are counted as skipped then.
 */
export function crawledFormats(formats: Formats, names: readonly string[]): CrawledFormats {
  const byExtension = new Map<string, CrawledFormat>()
  const byMarker = new Map<string, CrawledFormat>()
  const ids = new Set<string>()
  const wanted = names.map((name) => name.trim().toLowerCase())

  function add(row: FormatRow, group: DatasetGroup, extension: string): void {
    const storedAs = group.id.toUpperCase()
    const options = Object.fromEntries(
      Object.entries(group.optionsOf?.[extension] ?? {}).map(([key, value]) => [key, String(value)]),
    )
    const format = { storedAs: formats.storedAs.has(storedAs) ? storedAs : row.id.toUpperCase(), options }
    const { storage } = row
    if (storage.kind === 'object') byExtension.set(extension, Object.freeze({ ...format, extension }))
    else
      for (const marker of storage.markers)
        byMarker.set(marker, Object.freeze({ ...format, extension: null }))
  }

  for (const row of formats.rows)
    for (const group of row.datasets) {
      const { id, extensions } = group
      const isAlias = (name: string): boolean =>
        row.from.includes(name) && !row.datasets.some((other) => other.id === name)
      const ofId = extensions.includes(id) ? id : extensions[0]
      if (wanted.some((name) => name === id || isAlias(name))) {
        ids.add(id)
        if (ofId !== undefined) add(row, group, ofId)
      }
      for (const extension of extensions)
        if (extension !== id && wanted.includes(extension)) add(row, group, extension)
      if (wanted.length === 0 && group.isListed !== false && row.storage.kind === 'object' && ofId === id)
        add(row, group, id)
    }

  return Object.freeze<CrawledFormats>({
    ofExtension: (extension) => byExtension.get(extension) ?? null,
    ofMarker: (marker) => byMarker.get(marker) ?? null,
    isListed(name, isMarker = false) {
      const match = formats.matchName(name)
      if (match === null || (match.row.storage.kind === 'folder') !== isMarker) return false
      return wanted.length === 0 || ids.has(match.group.id)
    },
  })
}
