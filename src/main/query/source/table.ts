import type { Condition } from '../../../plan/condition/condition.ts'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { PathOptions } from '../../../plan/source/path-options.ts'
import type { SystemRelation } from '../../../plan/statement/system-relations.ts'
import type { Field, Schema } from '../../../plan/types/schema.ts'
import type { PartitionFilter } from '../../datasets/partitions/partition-filter.ts'
import type { ResolvedFiles } from '../../datasets/resolve.ts'
import { type ColumnFilter, FIRST_FOLDERS, LAST_FOLDERS, NO_COLUMN_FILTER } from './column-filter.ts'
import { filesThatMayPass } from './constants.ts'
import type { AskedSums, ManyRemaining } from './many/remaining-files.ts'
import { FIRST_PARTITIONS, LAST_PARTITIONS, partitionFilter } from './partition-columns/partition-test.ts'
import { type FilesWithPaths, withPathColumns } from './partition-columns/path-columns.ts'
import type { RemoteRows } from './remote/remote-rows.ts'

/** What a query reads: a table of the catalog, or files given by paths. None of its files has been opened. */
export interface Table {
  /** Its name in messages and in EXPLAIN: that of the table, or the format and the paths. */
  readonly relation: string
  readonly format: FileFormat
  /** Its columns, if they are known without opening a file. Null: they are the merged columns of its files. */
  readonly schema: Schema | null
  /** A digest of its definition in the catalog. Null: it is given by paths, and has no definition besides them. */
  readonly digest: string | null
  /** The columns that folders `key=value` have by its definition. */
  readonly partitions: readonly Field[]
  /** Whether its definition declares the columns, so that files have no others. Absent: they are those of its files. */
  readonly isDeclared?: true
  /** The table of the service itself that it is, whose rows are in no file. Absent: it has files. */
  readonly system?: SystemRelation
  /** The rows of a table of another service, which are fetched. Absent: it has files here. */
  readonly remote?: RemoteRows
  /**
   * Lists its files in order, each with its constant columns. Files may be left out if no row with these constants can pass
   * the filter; the folders of such files are not listed. Throws what the search throws.
   */
  files(filter: ColumnFilter): Promise<TableFiles>
  /**
   * The files that a filter leaves by what is learned of all of them, if the table has so many that this takes less time than to list them. With
   * `sums`, also those are left out of which it is learned that all rows pass, and what these make of the sums is told.
   * Null: it has not. Throws what the search throws. Absent: they have to be listed.
   */
  remaining?(filter: Condition | null, sums: AskedSums | null): Promise<ManyRemaining | null>
}

export interface TableFiles extends FilesWithPaths {
  /** Whether the filter has left out files. */
  readonly isNarrowed: boolean
  /** As in `SourceScan`. */
  readonly foldersLeftOut?: number
}

/** Finds the datasets of a format that paths and globs name. With a filter, files may be left out. */
export type FindFiles = (
  paths: readonly string[],
  format: FileFormat,
  filter: PartitionFilter | null,
) => Promise<ResolvedFiles>

export function tableOfPaths(
  format: FileFormat,
  paths: readonly string[],
  options: PathOptions,
  findFiles: FindFiles,
): Table {
  async function filesThatPass(filter: PartitionFilter | null) {
    const resolved = await findFiles(paths, format, filter)
    const withColumns = withPathColumns(resolved, options)
    const { files, columns } = withColumns instanceof Promise ? await withColumns : withColumns
    return { files, columns, isNarrowed: resolved.testKey !== null }
  }
  const isPlain = options.hivePartitioning === false
  return {
    relation: `${format.kind}(${paths.join(', ')})`,
    format,
    schema: null,
    digest: null,
    partitions: [],
    async files(filter) {
      const isFiltered = !UNKNOWN.has(filter)
      const listed = await filesThatPass(
        isPlain ? null : isFiltered ? partitionFilter(filter) : (UNKNOWN.get(filter) ?? null),
      )
      const { files, columns, isNarrowed } = listed
      if (!isFiltered || columns.length === 0) return listed
      const passing = filesThatMayPass(files, columns, filter.on(columns))
      if (passing.length > 0) return { files: passing, columns, isNarrowed: isNarrowed || passing !== files }
      // The table has its columns even if no row passes.
      return isNarrowed ? filesThatPass(null) : listed
    },
  }
}

/** What is searched while a filter is not known. Null: everything. */
const UNKNOWN: ReadonlyMap<ColumnFilter, PartitionFilter | null> = new Map([
  [NO_COLUMN_FILTER, null],
  [LAST_FOLDERS, LAST_PARTITIONS],
  [FIRST_FOLDERS, FIRST_PARTITIONS],
])
