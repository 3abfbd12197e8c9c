import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { foldSqlName } from '../../plan/statement/statement.ts'
import type { Schema } from '../../plan/types/schema.ts'
import type { Caller } from '../auth/caller.ts'
import { type CatalogTable, PUBLIC } from '../catalog/catalog.ts'
import { sourceOf } from '../catalog/sources/source-of.ts'
import type { CrawledTables, PutOutcome, Standing } from '../crawlers/run/crawl.ts'
import type { CrawledDigests } from '../learned/crawled-digests.ts'
import type { CreateExternalTable } from '../sql/grammar/node.ts'
import { parseStatement } from '../sql/grammar/parse-statement.ts'
import { printStatement } from '../sql/grammar/print-statement.ts'
import type { DefiningContext, StatementOptions } from './context.ts'
import { storeDefinition } from './store-definition.ts'
import { newName } from './target-name.ts'

/** What the tables of crawlers are made with: what statements are run with, but for the crawlers. */
export interface CrawledTablesOptions extends Omit<StatementOptions, 'crawlers' | 'fileStatistics'> {
  /** On whose behalf crawlers read files. */
  readonly superUser: Caller
  /** What tables were made of the last time, by their names with the letters A to Z in lower case. */
  readonly digests: CrawledDigests
  /** Is called at the end of each run. */
  readonly onRunEnd: () => Promise<void>
}

/** Columns that are being read for a table, until the signal of its run is aborted. */
interface ReadAhead {
  readonly columns: Promise<Schema | null>
  readonly signal: AbortSignal
}

/** The tables of the catalog as crawlers see and make them, on behalf of the super-user. */
export function createCrawledTables(options: CrawledTablesOptions): CrawledTables {
  const { catalog, formats, queries, superUser, order, digests, onRunEnd } = options

  /** Columns that are read for tables whose turn comes later, by their statements. */
  const ahead = new Map<string, ReadAhead>()

  const tableOf = (name: string): CatalogTable | null => catalog.snapshot().find(superUser, name, PUBLIC)

  function standingOf(name: string, crawler: string): Standing {
    if (catalog.isUnreadable(name)) return 'taken'
    const definition = tableOf(name)?.definition ?? null
    if (definition === null) return 'free'
    return definition.owner === crawler ? 'owned' : 'taken'
  }

  function columnsOf(written: CreateExternalTable, signal: AbortSignal): Promise<Schema | null> {
    const source = sourceOf(written, formats)
    return queries.columnsOf({ name: written.name.name, source, declared: null }, superUser, signal)
  }

  /** Says of which files a table was made, by what, and what is stored of it. Null: it is not known whether files have changed. */
  function digestOf(written: CreateExternalTable, versions: string | null): string | null {
    const stored = tableOf(written.name.name)?.digest
    if (versions === null || stored === undefined) return null
    const { format } = sourceOf(written, formats)
    return hash('sha256', JSON.stringify([versions, printStatement(written), format.key, stored]), 'base64')
  }

  /** Whether a table of the crawler is as it was made from these versions of files. */
  async function isAsMade(
    written: CreateExternalTable,
    versions: string | null,
    crawler: string,
  ): Promise<boolean> {
    const { name } = written.name
    const last = versions === null ? undefined : await digests.find(foldSqlName(name))
    return last !== undefined && last === digestOf(written, versions) && standingOf(name, crawler) === 'owned'
  }

  /** Reads the columns of the files, and stores the table if its statement or its columns are other ones than before. */
  async function put(
    written: CreateExternalTable,
    crawler: string,
    signal: AbortSignal,
  ): Promise<PutOutcome> {
    const context: DefiningContext = { ...options, caller: superUser, signal }
    const { name } = written.name
    if (standingOf(name, crawler) === 'taken') return 'skipped'
    newName(written.name, written.ifExists, context)
    const before = tableOf(name)?.definition ?? null
    const key = printStatement(written)
    const columns = await (ahead.get(key)?.columns ?? columnsOf(written, signal)).finally(() =>
      ahead.delete(key),
    )
    const statement = Object.freeze({ ...written, ifExists: 'fail' } as const)
    const outcome = before === null ? 'created' : 'updated'
    if (
      before !== null &&
      isDeepStrictEqual(before.statement, statement) &&
      isDeepStrictEqual(before.columns, columns)
    )
      return outcome
    let isStored = true
    const definition = Object.freeze({ ...before, statement, columns, owner: crawler })
    // Reading files takes a while, in which a statement may have come in between that no order of names holds back, such as that of a view.
    const isWanted = (): boolean => {
      isStored = standingOf(name, crawler) !== 'taken' && (tableOf(name)?.definition ?? null) === before
      return isStored
    }
    await storeDefinition(async () => definition, isWanted, context)
    return isStored ? outcome : 'skipped'
  }

  return {
    begin: digests.load,
    ownedBy: (crawler) =>
      catalog
        .snapshot()
        .all(superUser)
        .flatMap(({ name, definition }) =>
          definition?.owner === crawler && definition.statement.kind === 'create_external_table'
            ? [{ name, format: definition.statement.format, location: definition.statement.location }]
            : [],
        ),
    standingOf,
    put(statement, versions, crawler, signal) {
      const written = readAgain(statement)
      const key = foldSqlName(written.name.name)
      return order([`table ${key}`], signal, async () => {
        if (await isAsMade(written, versions, crawler)) return 'updated'
        const outcome = await put(written, crawler, signal)
        const digest = outcome === 'skipped' ? null : digestOf(written, versions)
        if (digest !== null) digests.put(key, digest)
        return outcome
      })
    },
    readAhead(statement, versions, crawler, signal) {
      const read = async (): Promise<void> => {
        const written = readAgain(statement)
        const key = printStatement(written)
        if (standingOf(written.name.name, crawler) === 'taken') return
        if ((await isAsMade(written, versions, crawler)) || signal.aborted || ahead.has(key)) return
        const columns = columnsOf(written, signal)
        // What fails is an error of the table when its turn comes.
        columns.catch(() => undefined)
        ahead.set(key, { columns, signal })
      }
      // A statement that cannot be read is an error likewise.
      read().catch(() => undefined)
    },
    async settle() {
      for (const [key, { signal }] of ahead) if (signal.aborted) ahead.delete(key)
      await digests.flush()
      await onRunEnd()
    },
  }
}

/** The node as it is parsed from what is printed of it. Throws `invalid_sql` if it has what no statement can say. */
function readAgain(statement: CreateExternalTable): CreateExternalTable {
  const node = parseStatement(printStatement(statement), () => undefined)
  if (node.kind === 'create_external_table') return node
  throw new TypeError('a table is printed as another statement')
}
