import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Test } from 'tap'
import { EVERYTHING } from '../../src/main/auth/rights/rights.ts'
import { hostFileSystem } from '../../src/main/datasets/file-system/file-system.ts'
import { createFingerprint } from '../../src/main/datasets/fingerprint/fingerprint.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { createSearch } from '../../src/main/datasets/search.ts'
import { type ColumnFilter, NO_COLUMN_FILTER } from '../../src/main/query/source/column-filter.ts'
import { type TableFiles, tableOfPaths } from '../../src/main/query/source/table.ts'
import { all } from '../../src/plan/condition/combine.ts'
import type { Comparison } from '../../src/plan/condition/compare.ts'
import { type Condition, compare } from '../../src/plan/condition/condition.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import { DEFAULT_PATH_OPTIONS, type PathOptions } from '../../src/plan/source/path-options.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { typeName } from '../../src/plan/types/schema.ts'
import { never } from '../datasets/dataset-root.ts'
import { csvFormat } from '../formats/product.ts'

/** A dataset root whose folders are read under observation. */
export interface ObservedRoot {
  readonly location: string
  put(...files: readonly string[]): Promise<void>
  /** Lists files without anything that was kept, and tells which folders were read. */
  list(paths: readonly string[], filter?: ColumnFilter, options?: PathOptions): Promise<Listed>
  /** The same by a search that keeps its results. */
  again(paths: readonly string[], filter?: ColumnFilter): Promise<Listed>
}

interface Listed {
  readonly files: readonly string[]
  /** Names and types of the columns of paths. */
  readonly columns: string
  readonly isNarrowed: boolean
  /** The folders that were read, in byte order. */
  readonly read: readonly string[]
  readonly found: TableFiles
  readonly fingerprint: ReturnType<typeof createFingerprint>
}

export async function observedRoot(t: Test, files: readonly string[] = []): Promise<ObservedRoot> {
  const location = await realpath(await mkdtemp(join(tmpdir(), 'halocline-partitions-')))
  t.teardown(() => rm(location, { recursive: true }))
  const read: string[] = []
  const opendir = (path: string) => {
    read.push(relative(location, path) || '.')
    return hostFileSystem.opendir(path)
  }
  const root = await openDatasetRoot(location, { system: { ...hostFileSystem, opendir } })
  const keeping = createSearch(root)
  async function listBy(
    search: typeof keeping,
    paths: readonly string[],
    filter: ColumnFilter,
    options: PathOptions,
  ): Promise<Listed> {
    read.length = 0
    const fingerprint = createFingerprint()
    const table = tableOfPaths(csvFormat(), paths, options, (names, _, partitions) =>
      search(names, EVERYTHING, never, fingerprint, { kind: 'object' }, partitions),
    )
    const found = await table.files(filter)
    return {
      files: found.files.map(({ path }) => path),
      columns: found.columns.map(({ name, type }) => `${name} ${typeName(type)}`).join(', '),
      isNarrowed: found.isNarrowed,
      read: read.toSorted(),
      found,
      fingerprint,
    }
  }
  const put = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      await mkdir(dirname(join(location, name)), { recursive: true })
      if (!name.endsWith('/')) await writeFile(join(location, name), 'n\n1\n')
    }
  }
  await put(...files)
  return {
    location,
    put,
    list: (paths, filter = NO_COLUMN_FILTER, options = DEFAULT_PATH_OPTIONS) =>
      listBy(createSearch(root), paths, filter, options),
    again: (paths, filter = NO_COLUMN_FILTER) => listBy(keeping, paths, filter, DEFAULT_PATH_OPTIONS),
  }
}

export type ColumnCondition = readonly [name: string, comparison: Comparison, value: number | string]

/** A filter of conditions that all have to be true. Those on other columns, or with values of another type, say nothing. */
export function where(...conditions: readonly ColumnCondition[]): ColumnFilter {
  return {
    on(columns) {
      const args = conditions.flatMap(([name, comparison, value]): Condition[] => {
        const column = columns.find((each) => each.name === name)
        const scalar = column === undefined ? null : scalarOf(value, column.type.kind)
        if (column === undefined || scalar === null) return []
        return [compare(columnExpression(name, column.type), comparison, scalar)]
      })
      return args.length === 0 ? null : all(args)
    },
  }
}

function scalarOf(value: number | string, kind: string): Scalar | null {
  if (kind === 'utf8') return { kind: 'bytes', value: new TextEncoder().encode(String(value)) }
  if (typeof value !== 'number') return null
  if (kind === 'int') return { kind: 'int', value: BigInt(Math.trunc(value)) }
  return kind === 'float' ? { kind: 'float', value } : null
}
