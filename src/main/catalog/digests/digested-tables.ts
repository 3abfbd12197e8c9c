import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { WrittenName } from '../../sql/grammar/node.ts'
import { type CatalogTable, PUBLIC } from '../catalog.ts'
import { type DigestParts, type Digests, digestsAfter, NO_DIGESTS } from './digests.ts'
import { type NameMap, nameMap } from './name-map.ts'

interface TableName extends WrittenName {
  /** It is the name of a common table. Absent: it may be that of a table. */
  readonly isCommon?: true
}

/** The names that stand where a table may stand in the text of a query. */
export type NamesIn = (query: string) => readonly TableName[]

/** Tables, each with a digest of its own definition, by their names with the letters A to Z in lower case. Null: it is dropped. */
export type TableChanges = ReadonlyMap<string, CatalogTable | null>

/** Tables and views with digests that hold all below them. */
export interface DigestedTables {
  readonly tables: NameMap<CatalogTable>
  /** The names that the query of a view reads, as the catalog compares them. A table reads none. */
  namesReadBy(name: string): readonly string[]
  /** The views that read a name of the last change, directly or through other views, each after those that it reads. */
  readonly viewsAbove: readonly CatalogTable[]
  after(changes: TableChanges): DigestedTables
}

/** `tables` have digests of their own definitions. */
export function digestedTables(tables: TableChanges, namesIn: NamesIn): DigestedTables {
  const partsOf = (table: CatalogTable, { below }: NamesBelow): DigestParts => ({
    definitionDigest: table.digest,
    below,
  })
  function after(earlier: State, changes: TableChanges): DigestedTables {
    const definitions = earlier.definitions.with(changes)
    const names = new Map([...changes].map(([name, table]) => [name, table && namesBelow(table, namesIn)]))
    const readBy = earlier.readBy.with(
      [...names].map(([name, below]) => [name, below !== null && below.read.length > 0 ? below.read : null]),
    )
    const parts = [...changes].map(
      ([name, table]) => [name, table && partsOf(table, names.get(name) ?? NOTHING)] as const,
    )
    const digests = digestsAfter(earlier.digests, new Map(parts))
    const tables = earlier.tables.with(
      [...digests.affected].map((name) => [
        name,
        withDigest(definitions.get(name), digests.digests.get(name)),
      ]),
    )
    const viewsAbove = [...digests.affected].flatMap((name) =>
      changes.has(name) ? [] : (tables.get(name) ?? []),
    )
    return {
      tables,
      viewsAbove,
      namesReadBy: (name) => readBy.get(name) ?? [],
      after: (next) => after({ definitions, readBy, digests, tables }, next),
    }
  }
  return after({ definitions: nameMap(), readBy: nameMap(), digests: NO_DIGESTS, tables: nameMap() }, tables)
}

interface State {
  /** Tables with digests of their own definitions. */
  readonly definitions: NameMap<CatalogTable>
  readonly readBy: NameMap<readonly string[]>
  readonly digests: Digests
  readonly tables: NameMap<CatalogTable>
}

function withDigest(table: CatalogTable | undefined, digest: string | undefined): CatalogTable | null {
  if (table === undefined || digest === undefined) return null
  return digest === table.digest ? table : Object.freeze({ ...table, digest })
}

/** The names in the query of a view that tables of users may have, as the catalog compares them. */
interface NamesBelow {
  readonly below: readonly string[]
  /** Those that are not names of common tables wherever they stand. */
  readonly read: readonly string[]
}

const NOTHING: NamesBelow = Object.freeze({ below: Object.freeze([]), read: Object.freeze([]) })

function namesBelow({ query }: CatalogTable, namesIn: NamesIn): NamesBelow {
  if (query === null) return NOTHING
  const names = namesIn(query).filter(({ schema }) => schema === null || foldSqlName(schema) === PUBLIC)
  const fold = (some: readonly TableName[]): readonly string[] => [
    ...new Set(some.map(({ name }) => foldSqlName(name))),
  ]
  return { below: fold(names), read: fold(names.filter(({ isCommon }) => isCommon !== true)) }
}
