import { any } from '../../../plan/condition/combine.ts'
import type { Condition } from '../../../plan/condition/condition.ts'
import { impliedOn } from '../../../plan/condition/implied-on.ts'
import { isServiceError } from '../../../plan/errors.ts'
import { expressionKey } from '../../../plan/expression.ts'
import type { ScanRequest, SourceRequest } from '../../../plan/statement/statement.ts'
import { impliedByFilters } from '../explained/filter-text.ts'
import { FIRST_FOLDERS, LAST_FOLDERS } from '../source/column-filter.ts'
import type { QueryContext } from '../source/query-context.ts'
import { hasRenamed, openSource, type ResolvedSource } from './sources.ts'

/**
 * The sources of a statement while it is bound. Its filter is known only when it is bound, and it can be bound only to columns that
 * are known. So a source with folders `key=value` is opened in steps: first the files of one folder; then, when the statement has
 * been bound to their columns, those of all folders that its filters let pass. All files are opened if the statement cannot be bound
 * to the columns of some, or if its filters say something else of folders then.
 */
export interface OpeningSources {
  /** In the order in which they were opened. */
  readonly list: readonly ResolvedSource[]
  open(request: SourceRequest): Promise<void>
  /** Opens other files by the scans of the bound statement. False: all sources have the files that it reads. */
  openPassing(scans: readonly ScanRequest[]): Promise<boolean>
  /** Puts another source in place of the one at an index. It has all files. */
  replace(index: number, source: ResolvedSource): void
  /** Opens all files. False: none had been left out. */
  openAll(): Promise<boolean>
}

/** A source, and the key of what filters said of its folders when files were left out. */
interface Opening {
  readonly source: ResolvedSource
  readonly narrowedBy: string | null
}

/** The key of sources that have the files of one folder. */
const ONE = 'one'

export function openSources(opened: readonly ResolvedSource[], context: QueryContext): OpeningSources {
  let all: readonly Opening[] = opened.map((source) => ({ source, narrowedBy: null }))
  let mayNarrow = true

  async function openAll(): Promise<boolean> {
    mayNarrow = false
    const isAny = all.some(({ narrowedBy }) => narrowedBy !== null)
    if (isAny)
      all = await Promise.all(all.map((each) => (each.narrowedBy === null ? each : whole(each, context))))
    return isAny
  }

  return {
    get list() {
      return all.map(({ source }) => source)
    },
    async open(request) {
      const source = mayNarrow ? await oneFolder(request, context) : await openSource(request, [], context)
      all = [...all, { source, narrowedBy: source.table.isNarrowed ? ONE : null }]
    },
    async openPassing(scans) {
      const conditions = all.map(({ source }, index) => onFolders(scans, index, source))
      const isOther = all.some(
        ({ narrowedBy }, index) =>
          narrowedBy !== null && narrowedBy !== ONE && narrowedBy !== keyOf(conditions[index] ?? null),
      )
      if (isOther) return openAll()
      if (!all.some(({ narrowedBy }) => narrowedBy === ONE)) return false
      all = await Promise.all(
        all.map((each, index) =>
          each.narrowedBy === ONE ? pass(each, conditions[index] ?? null, context) : each,
        ),
      )
      return true
    },
    replace(index, source) {
      all = all.map((each, at) => (at === index ? { source, narrowedBy: null } : each))
    },
    openAll,
  }
}

/** Opens the files of the last folder or, if they cannot be read, of the first one. */
async function oneFolder(request: SourceRequest, context: QueryContext): Promise<ResolvedSource> {
  try {
    return await openSource(request, [], context, LAST_FOLDERS)
  } catch (error) {
    if (!isServiceError(error) || (error.code !== 'unreadable_file' && error.code !== 'schema_conflict'))
      throw error
    return openSource(request, [], context, FIRST_FOLDERS)
  }
}

async function whole({ source }: Opening, context: QueryContext): Promise<Opening> {
  const { request } = source.source
  return { source: request === null ? source : await openSource(request, [], context), narrowedBy: null }
}

/** Opens the files of a source that pass what its scans say of folders. */
async function pass(opening: Opening, condition: Condition | null, context: QueryContext): Promise<Opening> {
  const { request } = opening.source.source
  if (condition === null || request === null) return whole(opening, context)
  const source = await openSource(request, [], context, { on: (columns) => impliedBy(condition, columns) })
  // The names of the statement may mean other columns by now.
  if (source.table.isNarrowed && hasRenamed(source.table)) return whole(opening, context)
  return { source, narrowedBy: source.table.isNarrowed ? keyOf(condition) : null }
}

function keyOf(condition: Condition | null): string {
  return condition === null ? '' : expressionKey(condition)
}

/** What the filters of all scans of a source say of the columns of its folders. Null: nothing. */
function onFolders(
  scans: readonly ScanRequest[],
  index: number,
  { table: { files, schema } }: ResolvedSource,
): Condition | null {
  const constants = files[0]?.constants
  if (constants === undefined) return null
  const columns = schema.fields.filter(({ name }) => Object.hasOwn(constants, name))
  const args = scans.flatMap(({ source, filters }) =>
    source === index ? [impliedByFilters(filters, schema)] : [],
  )
  const implied = args.flatMap((arg) => (arg && impliedBy(arg, columns)) ?? [])
  return implied.length === 0 || implied.length < args.length ? null : any(implied)
}

function impliedBy(condition: Condition, columns: readonly { readonly name: string }[]): Condition | null {
  const names = new Set(columns.map(({ name }) => name))
  return impliedOn(condition, (name) => names.has(name))
}
