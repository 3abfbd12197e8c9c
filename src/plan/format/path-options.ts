import { DEFAULT_PATH_OPTIONS, type PathOptions } from '../source/path-options.ts'
import type { FormatOptions } from './file-format.ts'
import type { FormatOption, FormatRow } from './format-row.ts'

type Reject = (what: string) => never

const HIVE_PARTITIONING: FormatOption = Object.freeze({
  name: 'hive_partitioning',
  schema: {
    type: 'boolean',
    description:
      'Whether folders `key=value` are columns. Without it they are if the paths of all files have the same keys in the same order',
  },
  default: null,
  sqlDefault: 'NULL',
  read: (given: unknown, reject: Reject) =>
    given === null || typeof given === 'boolean'
      ? given
      : reject('hive_partitioning must be true or false; several paths are one list'),
})

const FILENAME: FormatOption = Object.freeze({
  name: 'filename',
  schema: {
    type: 'boolean',
    default: DEFAULT_PATH_OPTIONS.filename,
    description: "Whether there is a column `filename` with the path of each row's file",
  },
  default: DEFAULT_PATH_OPTIONS.filename,
  sqlDefault: 'false',
  read: (given: unknown, reject: Reject) =>
    given === null || typeof given === 'boolean' ? given : reject('filename must be true or false'),
})

/** The options of every format whose datasets are files. They say what is made of the paths. */
export const PATH_OPTIONS: readonly FormatOption[] = Object.freeze([HIVE_PARTITIONING, FILENAME])

/** The options that a request can set for files of a format: those for reading them, and those for their paths. */
export function requestOptions({ options, storage }: FormatRow): readonly FormatOption[] {
  return storage.kind === 'object' ? [...options, ...PATH_OPTIONS] : options
}

/** What the options that a request sets say of paths, as a part of its source. Nothing, if it is what they say by default. */
export function pathOptionsOf(given: FormatOptions | undefined): { readonly pathOptions?: PathOptions } {
  const { hive_partitioning: hive = null, filename = false } = given ?? {}
  if (hive === null && filename === false) return {}
  const hivePartitioning = typeof hive === 'boolean' ? hive : null
  return { pathOptions: Object.freeze({ hivePartitioning, filename: filename === true }) }
}
