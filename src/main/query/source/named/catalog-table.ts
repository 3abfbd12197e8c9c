import type { FileFormat } from '../../../../plan/format/file-format.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { SystemRelation } from '../../../../plan/statement/system-relations.ts'
import type { CatalogTable, TablePart } from '../../../catalog/catalog.ts'
import { mayHaveRows } from '../constants.ts'
import type { OpenRemote } from '../remote/remote-rows.ts'
import type { FindFiles, Table } from '../table.ts'
import { type FindLocated, type FindRemaining, tableOfLocation } from './location-table.ts'
import { tableOfRemote } from './remote-table.ts'

/** How the files of tables of the catalog are found: whoever may read the table may read them. */
export interface Finding {
  readonly findFiles: FindFiles
  readonly findLocated: FindLocated
  readonly findRemaining: FindRemaining
  /** Opens tables of other services on behalf of the caller. */
  readonly openRemote: OpenRemote
}

/** A table of the catalog. `noRows` is the format of one that has no files. */
export function tableOfCatalog(
  { name, columns, source, digest, definition }: CatalogTable,
  { findFiles, findLocated, findRemaining, openRemote }: Finding,
  noRows: FileFormat,
): Table {
  if (source?.kind === 'remote') return tableOfRemote(name, columns, source, digest, openRemote)
  if (source?.kind === 'location') {
    const table = tableOfLocation(name, columns, source, digest, findLocated, findRemaining)
    const statement = definition?.statement
    const isDeclared = statement?.kind === 'create_external_table' && statement.columns !== null
    return isDeclared ? { ...table, isDeclared } : table
  }
  return {
    relation: name,
    format: source?.format ?? noRows,
    schema: columns,
    digest,
    partitions: [],
    async files(filter) {
      const all = source?.parts ?? []
      const condition = columns && filter.on(columns.fields)
      const parts =
        columns === null || condition === null
          ? all
          : all.filter(({ constants }) => mayHaveRows(constants, columns.fields, condition))
      const isNarrowed = parts.length < all.length
      const format = source?.format ?? noRows
      const files: FileRef[] = []
      for (let first = 0; first < parts.length; first += PARTS_AT_ONCE) {
        const next = parts.slice(first, first + PARTS_AT_ONCE)
        for (const filesOfPart of await Promise.all(next.map((part) => filesOf(part, format, findFiles)))) {
          if (parts.length === 1) return { files: filesOfPart, columns: [], isNarrowed }
          files.push(...filesOfPart)
        }
      }
      return { files, columns: [], isNarrowed }
    },
  }
}

/** A table of the service itself. `catalog` is the name of its catalog. */
export function tableOfSystem(system: SystemRelation, catalog: string, noRows: FileFormat): Table {
  return {
    relation: `${catalog}.${system.schema}.${system.name}`,
    format: noRows,
    schema: system.columns,
    digest: null,
    partitions: [],
    system,
    files: async () => ({ files: [], columns: [], isNarrowed: false }),
  }
}

/** The most parts of a table that are searched at the same time. */
const PARTS_AT_ONCE = 16

async function filesOf(
  { paths, constants }: TablePart,
  format: FileFormat,
  findFiles: FindFiles,
): Promise<readonly FileRef[]> {
  const { files } = await findFiles(paths, format, null)
  if (Object.keys(constants).length === 0) return files
  return files.map((file) => Object.freeze({ ...file, constants }))
}
