import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { KnownColumn } from '../../../plan/predicate/bounds.ts'
import type { Predicate } from '../../../plan/predicate/predicate.ts'
import { mayMatch } from '../../../plan/predicate/prune.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { fieldIndexes, type Schema } from '../../../plan/types/schema.ts'
import type { CatalogTable, TablePart } from '../../catalog/catalog.ts'

/** What a query reads: a table of the catalog, or files given by paths. None of its files has been opened. */
export interface Table {
  /** Its name in messages and in EXPLAIN: that of the table, or the format and the paths. */
  readonly relation: string
  readonly format: FileFormat
  /** Its columns, if they are known without opening a file. Null: they are the merged columns of its files. */
  readonly schema: Schema | null
  /** A digest of its definition in the catalog. Null: it is given by paths, and has no definition besides them. */
  readonly digest: string | null
  /**
   * Lists its files in order, each with its constant columns. Files may be left out if no row with these constants can pass
   * the predicate; the folders of such files are not listed. Throws what the search throws.
   */
  files(predicate: Predicate | null): Promise<readonly FileRef[]>
}

/** Finds the datasets of a format that paths and globs name. */
export type FindFiles = (paths: readonly string[], format: FileFormat) => Promise<readonly FileRef[]>

export function tableOfPaths(format: FileFormat, paths: readonly string[], findFiles: FindFiles): Table {
  return {
    relation: `${format.kind}(${paths.join(', ')})`,
    format,
    schema: null,
    digest: null,
    files: () => findFiles(paths, format),
  }
}

/** A table of the catalog. `noRows` is the format of one that has no files. */
export function tableOfCatalog(
  { name, columns, source, digest }: CatalogTable,
  findFiles: FindFiles,
  noRows: FileFormat,
): Table {
  return {
    relation: name,
    format: source?.format ?? noRows,
    schema: columns,
    digest,
    async files(predicate) {
      const parts = (source?.parts ?? []).filter((part) => mayHoldRows(part, columns, predicate))
      const format = source?.format ?? noRows
      const [only] = parts
      if (only !== undefined && parts.length === 1) return filesOf(only, format, findFiles)
      const files: FileRef[] = []
      for (let first = 0; first < parts.length; first += PARTS_AT_ONCE) {
        const next = parts.slice(first, first + PARTS_AT_ONCE)
        for (const found of await Promise.all(next.map((part) => filesOf(part, format, findFiles))))
          files.push(...found)
      }
      return files
    },
  }
}

/** The most parts of a table that are searched at the same time. */
const PARTS_AT_ONCE = 16

async function filesOf(
  { paths, constants }: TablePart,
  format: FileFormat,
  findFiles: FindFiles,
): Promise<readonly FileRef[]> {
  const files = await findFiles(paths, format)
  if (Object.keys(constants).length === 0) return files
  return files.map((file) => Object.freeze({ ...file, constants }))
}

/** Whether rows with the constants of the part may pass the predicate. */
function mayHoldRows({ constants }: TablePart, columns: Schema | null, predicate: Predicate | null): boolean {
  if (predicate === null || columns === null) return true
  const places = fieldIndexes(columns.fields)
  const known = (name: string): KnownColumn | null => {
    const value = Object.hasOwn(constants, name) ? constants[name] : undefined
    const type = columns.fields[places.get(name) ?? -1]?.type
    if (value === undefined || type === undefined) return null
    return value === null ? { type, nulls: 1 } : { type, min: value, max: value, nulls: 0 }
  }
  return mayMatch(predicate, known, 1)
}
