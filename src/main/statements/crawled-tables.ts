import { isDeepStrictEqual } from 'node:util'
import { createLru } from '../../plan/lru.ts'
import { foldSqlName } from '../../plan/statement/statement.ts'
import type { Caller } from '../auth/caller.ts'
import { type CatalogTable, PUBLIC } from '../catalog/catalog.ts'
import type { Definition } from '../catalog/definition.ts'
import { sourceOf } from '../catalog/sources/source-of.ts'
import type { CrawledTables, PutOutcome, Standing } from '../crawlers/run/crawl.ts'
import type { CreateExternalTable } from '../sql/grammar/node.ts'
import { parseStatement } from '../sql/grammar/parse-statement.ts'
import { printStatement } from '../sql/grammar/print-statement.ts'
import type { DefiningContext, StatementOptions } from './context.ts'
import { storeDefinition } from './store-definition.ts'
import { newName } from './target-name.ts'

/** The most tables of which it is remembered what they were made of. */
const TABLES = 16_384

/** What the tables of crawlers are made with: what statements are run with, but for the crawlers. */
export interface CrawledTablesOptions extends Omit<StatementOptions, 'crawlers' | 'fileStatistics'> {
  /** On whose behalf crawlers read files. */
  readonly superUser: Caller
}

/** The tables of the catalog as crawlers see and make them, on behalf of the super-user. */
export function createCrawledTables(options: CrawledTablesOptions): CrawledTables {
  const { catalog, formats, queries, superUser, order } = options

  /** What tables were made of the last time, by their names. A definition that has been replaced or refreshed is another object. */
  const lastMade = createLru<{ readonly madeOf: string; readonly definition: Definition }>(TABLES)

  const tableOf = (name: string): CatalogTable | null => catalog.snapshot().find(superUser, name, PUBLIC)

  function standingOf(name: string, crawler: string): Standing {
    if (catalog.isUnreadable(name)) return 'taken'
    const definition = tableOf(name)?.definition ?? null
    if (definition === null) return 'free'
    return definition.owner === crawler ? 'owned' : 'taken'
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
    const columns = await queries.columnsOf(
      { name, source: sourceOf(written, formats), declared: null },
      superUser,
      signal,
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
      const madeOf = versions && `${versions} ${printStatement(written)}`
      return order([`table ${key}`], signal, async () => {
        const { name } = written.name
        const last = lastMade.get(key)
        const isSame = last?.madeOf === madeOf && last?.definition === tableOf(name)?.definition
        if (isSame && standingOf(name, crawler) === 'owned') return 'updated'
        const outcome = await put(written, crawler, signal)
        const definition = tableOf(name)?.definition
        if (madeOf !== null && outcome !== 'skipped' && definition) lastMade.put(key, { madeOf, definition })
        return outcome
      })
    },
  }
}

/** The node as it is parsed from what is printed of it. Throws `invalid_sql` if it has what no statement can say. */
function readAgain(statement: CreateExternalTable): CreateExternalTable {
  const node = parseStatement(printStatement(statement), () => undefined)
  if (node.kind === 'create_external_table') return node
  throw new TypeError('a table is printed as another statement')
}
