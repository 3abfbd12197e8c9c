import { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { fileFormat } from '../../../plan/format/file-format.ts'
import { DEFAULT_PATH_OPTIONS } from '../../../plan/source/path-options.ts'
import type { SourceRequest, SystemRequest } from '../../../plan/statement/statement.ts'
import { systemRelation } from '../../../plan/statement/system-relations.ts'
import type { CatalogTable } from '../../catalog/catalog.ts'
import type { Lookups } from '../../catalog/lookups.ts'
import { printName } from '../../catalog/written-name.ts'
import type { Listing } from '../../datasets/list.ts'
import { type Finding, tableOfCatalog, tableOfSystem } from './named/catalog-table.ts'
import { refusedTable } from './named/refusals.ts'
import { unknownTable } from './named/unknown-table.ts'
import { type FindFiles, type Table, tableOfPaths } from './table.ts'

/** What a query names as its source: nothing (the default table), a table as JSON or SQL writes its name, or files. */
export type SourceName =
  | { readonly kind: 'default_table' }
  | { readonly kind: 'name'; readonly text: string }
  | SourceRequest

/** What the sources of a query are resolved with. */
export interface SourceResolution extends Finding {
  /** The catalog on behalf of the caller. Its answers are noted, so that whatever is kept of the query can be checked later. */
  readonly lookups: Lookups
  readonly catalogName: string
  /** The table of a query without `from`. */
  readonly defaultTable: string
  /** Finds the files that a query names by paths, on behalf of the caller. */
  readonly findPaths: FindFiles
  /** Lists the datasets that the caller may read. */
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
  if (source.kind === 'system') return systemTable(source, resolution)
  if (source.kind !== 'files') {
    const table = findNamed(source, resolution)
    if (table === null) throw await missingTable(source, resolution)
    if (table.type === 'VIEW')
      throw new ServiceError('internal', `The view ${table.name} was read as a table.`)
    return tableOfCatalog(table, resolution, NO_ROWS)
  }
  const { format, paths, pathOptions = DEFAULT_PATH_OPTIONS } = source
  return tableOfPaths(format, paths, pathOptions, resolution.findPaths)
}

/** The error for a name that means no table to the caller. Names of other tables are hints for callers who may read all of them. */
async function missingTable(
  source: Exclude<SourceName, { kind: 'files' | 'system' }>,
  resolution: SourceResolution,
): Promise<ServiceError> {
  const name = writtenName(source, resolution)
  const { isEverything } = resolution.lookups.caller.rights
  return isEverything ? unknownTable(name, resolution) : refusedTable(name)
}

/** A table of the service itself, which the super-user alone may read, through whatever view. */
function systemTable(
  { schema, name }: SystemRequest,
  { lookups, catalogName }: Pick<SourceResolution, 'lookups' | 'catalogName'>,
): Table {
  if (!lookups.caller.isSuperUser)
    throw new ServiceError(
      'permission_denied',
      `permission denied: only the super-user reads ${schema}.${name}.`,
    )
  const relation = systemRelation(schema, name)
  if (relation === null) throw new ServiceError('unknown_table', `There is no table ${schema}.${name}.`)
  return tableOfSystem(relation, catalogName, NO_ROWS)
}

/** The table or view that a source names. Null: it names files, or there is none that the caller may read. */
export function findNamed(
  source: SourceName,
  { lookups, defaultTable }: Pick<SourceResolution, 'lookups' | 'defaultTable'>,
): CatalogTable | null {
  switch (source.kind) {
    case 'files':
    case 'system':
      return null
    case 'table':
      return lookups.table(source)
    case 'name':
      return lookups.named(source.text)
    case 'default_table':
      return lookups.named(defaultTable)
  }
}

/** The name of a table as it is written; that of the default table if none is. */
export function writtenName(
  source: Exclude<SourceName, { kind: 'files' | 'system' }>,
  { defaultTable }: Pick<SourceResolution, 'defaultTable'>,
): string {
  if (source.kind === 'table') return printName(source)
  return source.kind === 'name' ? source.text : defaultTable
}
