/** What a query makes of the paths of files: columns that have one value in each file. They do not change how a file is read. */
export interface PathOptions {
  /** Whether folders `key=value` are columns. Null: they are if the paths of all files have the same keys in the same order. */
  readonly hivePartitioning: boolean | null
  /** Whether there is a column `filename` with the path of each file, relative to the dataset root. */
  readonly filename: boolean
}

export const DEFAULT_PATH_OPTIONS: PathOptions = Object.freeze({ hivePartitioning: null, filename: false })

/** The name of the column that the option `filename` adds. */
export const FILENAME_COLUMN = 'filename'

/** The name that writers give to the folder of rows whose value is null. */
export const NULL_PARTITION = '__HIVE_DEFAULT_PARTITION__'
