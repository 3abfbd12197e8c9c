import { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { fileFormat } from '../../../plan/format/file-format.ts'
import { DEFAULT_PATH_OPTIONS } from '../../../plan/source/path-options.ts'
import type { SourceRequest } from '../../../plan/statement/statement.ts'
import type { CatalogTable } from '../../catalog/catalog.ts'
import type { Lookups } from '../../catalog/lookups.ts'
import type { Listing } from '../../datasets/list.ts'
import { type FindFiles, type Table, tableOfCatalog, tableOfPaths } from './table.ts'
import { unknownTable } from './unknown-table.ts'

/** What a query names as its source: nothing (the default table), a table, or files. */
export type SourceName = { readonly kind: 'default_table' } | SourceRequest

/** What the sources of a query are resolved with. */
export interface SourceResolution {
  /** The catalog on behalf of the caller. Its answers are noted, so that whatever is kept of the query can be checked later. */
  readonly lookups: Lookups
  /** The table of a query without `from`. */
  readonly defaultTable: string
  readonly findFiles: FindFiles
  /** Lists the datasets, all of which every caller may see. */
  readonly listing: Listing
  readonly formats: Formats
}

/** The format of a table that has no files. */
const NO_ROWS = fileFormat('none', 'row_groups', {})

/**
 * Resolves a source to a table, on behalf of the caller. JSON queries, statements, EXPLAIN and `dataset-schema` all get their
 * tables and files through this function before any file is opened, and the caller's rights are checked here and nowhere else.
 * Throws `unknown_table`, and `permission_denied` for paths that the caller may not read.
 */
export async function resolveSource(source: SourceName, resolution: SourceResolution): Promise<Table> {
  const { lookups, defaultTable, findFiles } = resolution
  if (source.kind !== 'files') {
    const name = source.kind === 'table' ? source.name : defaultTable
    const table = namedTable(name, lookups)
    if (table === null) throw await unknownTable(name, resolution)
    return tableOfCatalog(table, findFiles, NO_ROWS)
  }
  const { format, paths, pathOptions = DEFAULT_PATH_OPTIONS } = source
  if (!lookups.mayReadFiles(paths))
    throw new ServiceError(
      'permission_denied',
      `permission denied: SELECT on path ${paths.map((path) => `'${path}'`).join(', ')}; ask for a grant, or log in.`,
    )
  return tableOfPaths(format, paths, pathOptions, findFiles)
}

/** The table of this name. Null: there is none that the caller may read. */
function namedTable(name: string, lookups: Lookups): CatalogTable | null {
  const exact = lookups.table(name)
  if (exact !== null) return exact
  const identifier = asIdentifier(name)
  return identifier === name ? null : lookups.table(identifier)
}

/** A name as SQL reads an identifier: in lower case, unless it is in double quotes. */
function asIdentifier(name: string): string {
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"')
  return isQuoted ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase()
}
