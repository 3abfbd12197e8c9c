import { ServiceError } from '../../../../plan/errors.ts'
import { getOrMake } from '../../../../plan/get-or-make.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import { FILENAME_COLUMN, type PathOptions } from '../../../../plan/source/path-options.ts'
import { runInSlices, STEP_ITEMS, type Steps } from '../../../../plan/steps.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type Field, field } from '../../../../plan/types/schema.ts'
import { identityOf, shareIdentity } from '../../../datasets/fingerprint/file-rows.ts'
import { folderOf } from '../../../datasets/partitions/level.ts'
import { partitionsOf, partitionsOfFile } from '../../../datasets/partitions/partition.ts'
import type { ResolvedFiles } from '../../../datasets/resolve.ts'
import type { Constants } from '../constants.ts'
import { type PartitionColumn, partitionColumn } from './partition-columns.ts'

/** Files with constants that follow from their paths, and the columns of these. */
export interface FilesWithPaths {
  readonly files: readonly FileRef[]
  readonly columns: readonly Field[]
}

/** The files of a search as they were made before, by the option `filename`. Queries over the same files get the same lists. */
const filesWithPaths = new WeakMap<ResolvedFiles, Map<string, FilesWithPaths>>()

/**
 * Adds the columns of paths to the files of a search: `filename`, and then those of folders `key=value` in the order of the paths.
 * Throws `schema_conflict` if folders have to be columns and the paths have different keys.
 */
export function withPathColumns(
  resolved: ResolvedFiles,
  options: PathOptions,
): FilesWithPaths | Promise<FilesWithPaths> {
  const { hivePartitioning, filename } = options
  if (hivePartitioning === true) requireEqualKeys(resolved)
  const isPartitioned = hivePartitioning !== false && resolved.levels !== null && resolved.levels.length > 0
  if (!isPartitioned && !filename) return { files: resolved.files, columns: [] }
  const byOptions = filesWithPaths.get(resolved) ?? new Map<string, FilesWithPaths>()
  filesWithPaths.set(resolved, byOptions)
  const key = JSON.stringify([isPartitioned, filename])
  return (
    byOptions.get(key) ??
    addPathColumns(resolved, isPartitioned, filename, (result) => byOptions.set(key, result))
  )
}

async function addPathColumns(
  resolved: ResolvedFiles,
  isPartitioned: boolean,
  filename: boolean,
  keep: (result: FilesWithPaths) => void,
): Promise<FilesWithPaths> {
  const levels = isPartitioned ? (resolved.levels ?? []) : []
  const partitions = levels.map(partitionColumn)
  // A column that is asked for wins over a folder of its name.
  const columns = partitions
    .map((column) => column.field)
    .filter(({ name }) => !filename || name !== FILENAME_COLUMN)
  const all = filename ? [FILENAME_FIELD, ...columns] : columns
  const files = await runInSlices(withConstants(resolved.files, partitions, filename))
  shareIdentity(files, identityOf(resolved.files))
  const result = Object.freeze({ files, columns: Object.freeze(all) })
  keep(result)
  return result
}

const FILENAME_FIELD: Field = field(FILENAME_COLUMN, { kind: 'utf8' }, false)

function* withConstants(
  files: readonly FileRef[],
  partitions: readonly PartitionColumn[],
  hasFilename: boolean,
): Steps<readonly FileRef[]> {
  const encoder = new TextEncoder()
  /** Files of one folder share their constants. */
  const ofFolders = new Map<string | null, Constants>()
  const constantsIn = (folder: string | null): Constants => {
    return getOrMake(ofFolders, folder, () => {
      const folderPartitions = partitionsOf(folder?.split('/') ?? [])
      const entries = partitions.map((column, depth): [string, Scalar | null] => [
        column.field.name,
        column.valueOf(folderPartitions[depth]?.value ?? null),
      ])
      return Object.freeze(Object.fromEntries(entries))
    })
  }
  const result: FileRef[] = []
  for (const [index, file] of files.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield
    const ofFolder = constantsIn(partitions.length === 0 ? null : folderOf(file.path))
    const path: Scalar = { kind: 'bytes', value: encoder.encode(file.path) }
    const constants = hasFilename ? Object.freeze({ ...ofFolder, [FILENAME_COLUMN]: path }) : ofFolder
    result.push(Object.freeze({ ...file, constants }))
  }
  return Object.freeze(result)
}

function requireEqualKeys({ files, levels }: ResolvedFiles): void {
  const keysOf = ({ path }: FileRef): string =>
    partitionsOfFile(path)
      .map(({ key }) => key)
      .join(', ')
  const [first] = files
  if (first === undefined || (levels !== null && levels.length > 0)) return
  const keys = keysOf(first)
  const other = files.find((file) => keysOf(file) !== keys)
  if (other === undefined && levels !== null) return
  const show = (file: FileRef): string => `${JSON.stringify(file.path)} has ${keysOf(file) || 'none'}`
  const problem = other === undefined ? `${show(first)}, one of them twice` : `${show(first)}, ${show(other)}`
  throw new ServiceError(
    'schema_conflict',
    `hive_partitioning: the folders key=value have not the same keys in all paths: ${problem}; name paths that have the same keys, or set it to false.`,
  )
}
