import { hash } from 'node:crypto'
import { sortedByBytes } from '../../../plan/byte-order.ts'
import { isServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { RemoteAddress, RemoteTable } from '../../remotes/remote-client.ts'
import type { WrittenRemoteTable } from '../../remotes/remote-table-name.ts'
import { attachedName, readAttachedName } from '../../sql/gate/attached-name.ts'
import { type CatalogTable, PUBLIC } from '../catalog.ts'
import { type AtStep, NOTHING_AT_STEPS, STATEMENT_STEPS } from '../steps.ts'
import type { AttachedStore, StoredAttached } from '../store/stored-attached.ts'
import type { AttachedCatalog, AttachedNames, AttachedState } from './attached.ts'
import { attachedOf, storedAttached } from './stored-form.ts'

/** Attached catalogs, and their tables as those of this service. */
export interface AttachedCatalogs extends AttachedNames {
  /** Puts a catalog, which has just answered, in place of the one of its name. A persistent one is on the disk before this resolves. */
  put(catalog: AttachedCatalog, signal: AbortSignal): Promise<void>
  /** Also one that is stored and cannot be read. False: there is none of this name. */
  drop(name: string, signal: AbortSignal): Promise<boolean>
  /** Tells how a request to the catalog with this number went. Null: it has answered. It may have been detached since. */
  report(number: number, error: unknown): void
  /**
   * Is told of a table that the list of the catalog with this number does not have. Lists its tables again, but not if that was done within the
   * last seconds. True: the table that is meant has another name by the list of now.
   */
  listAgain(number: number, meant: WrittenRemoteTable, list: ListTables): Promise<boolean>
  /** What is attached now. It never changes, and is the same object until something is attached or detached. */
  snapshot(): AttachedSnapshot
}

type ListTables = () => Promise<readonly RemoteTable[]>

export interface AttachedSnapshot {
  /** The table that one name stands for (attached-name.ts). Null: it is no such name, or the catalog is not attached. */
  table(name: string): CatalogTable | null
}

/** A catalog, with a number of its own, so that a name never means what it meant before. */
interface Numbered {
  readonly catalog: AttachedCatalog
  readonly number: number
}

export interface AttachedOptions {
  readonly formats: Formats
  /** The name of the service's own catalog, which none of them can have. */
  readonly name: string
  readonly store: AttachedStore
  /** Is told of a stored catalog that cannot be read, and is left out. */
  readonly onUnreadable: (name: string, error: unknown) => void
  readonly atStep?: AtStep
  /** Milliseconds. */
  readonly now?: () => number
}

/** So long no list is asked for again. Milliseconds. */
const LISTED_MS = 5_000

/** Errors of requests that tell of the other service, or of the login there. Others tell of the statement, or of this service. */
const FAULTS: ReadonlySet<string> = new Set([
  'remote_unavailable',
  'remote_refused',
  'unknown_secret',
  'unreadable_secret',
  'permission_denied',
  'invalid_sql',
])

/** The catalogs that are attached: at first those that are stored. None of them is asked before a query reads it. */
export function createAttachedCatalogs(options: AttachedOptions): AttachedCatalogs {
  const { store, atStep = NOTHING_AT_STEPS, now = () => performance.now() } = options
  let count = 0
  /** By their folded names. */
  let catalogs: ReadonlyMap<string, Numbered> = new Map(
    readableOf(options).map((catalog) => [foldSqlName(catalog.name), { catalog, number: ++count }]),
  )
  /** By the numbers of catalogs. Those that are missing have not been listed again. */
  const relisted = new Map<number, Relisted>()
  let snapshot = snapshotOf(catalogs, relisted)
  /** The folded names of those that are stored, also of those that cannot be read. */
  const storedKeys = new Set(store.stored.map(({ key }) => key))
  /** By the numbers of catalogs. Those that are missing have not been asked. */
  const states = new Map<number, AttachedState>()

  function become(next: ReadonlyMap<string, Numbered>): void {
    catalogs = next
    snapshot = snapshotOf(next, relisted)
    const numbers = new Set([...next.values()].map(({ number }) => number))
    for (const ofNumbers of [states, relisted])
      for (const number of ofNumbers.keys()) if (!numbers.has(number)) ofNumbers.delete(number)
    atStep(STATEMENT_STEPS.shown)
  }

  async function forget(key: string, signal: AbortSignal): Promise<void> {
    if (storedKeys.has(key)) {
      atStep(STATEMENT_STEPS.prepared)
      await store.commit([{ kind: 'drop_attached', key }], signal)
      storedKeys.delete(key)
    } else signal.throwIfAborted()
  }

  function catalogOf(key: string): AttachedCatalog | null {
    const numbered = catalogs.get(key)
    return numbered === undefined ? null : withTables(numbered, relisted)
  }

  return {
    list: () => sortedByBytes([...catalogs.keys()]).flatMap((key) => catalogOf(key) ?? []),
    find: (name) => catalogOf(foldSqlName(name)),
    snapshot: () => snapshot,
    state: (name) => states.get(catalogs.get(foldSqlName(name))?.number ?? 0) ?? NOT_ASKED,
    async put(catalog, signal) {
      const key = foldSqlName(catalog.name)
      if (catalog.isPersistent) {
        atStep(STATEMENT_STEPS.prepared)
        await store.commit([{ kind: 'put_attached', attached: storedAttached(catalog) }], signal)
        storedKeys.add(key)
      } else await forget(key, signal)
      const number = ++count
      states.set(number, ANSWERS)
      become(new Map(catalogs).set(key, { catalog, number }))
    },
    async drop(name, signal) {
      const key = foldSqlName(name)
      if (!catalogs.has(key) && !storedKeys.has(key)) return false
      await forget(key, signal)
      const others = new Map(catalogs)
      others.delete(key)
      become(others)
      return true
    },
    async listAgain(number, meant, list) {
      if (![...catalogs.values()].some((each) => each.number === number)) return false
      const last = relisted.get(number)
      if (last === undefined || now() - last.askedAt >= LISTED_MS) {
        const { tables = null } = last ?? {}
        const entry: Relisted = { askedAt: now(), tables, listing: Promise.resolve() }
        entry.listing = list().then((listed) => {
          entry.tables = listed
        })
        relisted.set(number, entry)
      }
      // That it cannot be listed is said by the request for the table as well.
      await relisted.get(number)?.listing.catch(() => {})
      const table = listedTable(relisted.get(number)?.tables ?? [], meant)
      return table !== undefined && (table.schema !== meant.schema || table.name !== meant.name)
    },
    report(number, error) {
      const isThere = [...catalogs.values()].some((each) => each.number === number)
      if (!isThere) return
      const { lastError } = states.get(number) ?? NOT_ASKED
      if (error === null) states.set(number, Object.freeze({ state: 'answers', lastError }))
      else if (isServiceError(error) && FAULTS.has(error.code))
        states.set(number, Object.freeze({ state: 'fails', lastError: error.message }))
    },
  }
}

const NOT_ASKED: AttachedState = Object.freeze({ state: 'not_asked', lastError: null })
const ANSWERS: AttachedState = Object.freeze({ state: 'answers', lastError: null })

function readableOf({ store, formats, name, onUnreadable }: AttachedOptions): readonly AttachedCatalog[] {
  return store.stored.flatMap((stored: StoredAttached): readonly AttachedCatalog[] => {
    try {
      if (stored.key === name) throw new TypeError('the service has this name itself by now')
      return [attachedOf(stored, formats)]
    } catch (error) {
      onUnreadable(stored.name, error)
      return []
    }
  })
}

/** What was listed again of a catalog. */
interface Relisted {
  readonly askedAt: number
  /** Null: nothing has come. */
  tables: readonly RemoteTable[] | null
  listing: Promise<void>
}

type AllRelisted = ReadonlyMap<number, Pick<Relisted, 'tables'>>

/** A catalog with the tables that it has listed last. */
function withTables({ catalog, number }: Numbered, relisted: AllRelisted): AttachedCatalog {
  const tables = relisted.get(number)?.tables ?? null
  return tables === null ? catalog : Object.freeze({ ...catalog, tables })
}

function snapshotOf(catalogs: ReadonlyMap<string, Numbered>, relisted: AllRelisted): AttachedSnapshot {
  return {
    table(text) {
      const written = readAttachedName(text)
      const attached = written === null ? undefined : catalogs.get(foldSqlName(written.catalog))
      if (written === null || attached === undefined) return null
      const { number } = attached
      const catalog = withTables(attached, relisted)
      const meant = meantTable(catalog.address, written)
      const listed = listedTable(catalog.tables, meant)
      return tableOf(catalog, listed ?? meant, number, listed === undefined)
    },
  }
}

/** The table of a catalog as one of this service. Its columns are asked for by each query. */
function tableOf(
  catalog: AttachedCatalog,
  { schema, name }: WrittenRemoteTable,
  number: number,
  isUnlisted: boolean,
): CatalogTable {
  const { address, secret, ownSecrets, format } = catalog
  const table = Object.freeze({ schema, name })
  return Object.freeze({
    schema: PUBLIC,
    name: attachedName(catalog.name, schema, name),
    type: 'BASE TABLE',
    columns: null,
    source: Object.freeze({
      kind: 'remote',
      format,
      address,
      table,
      secret,
      ownSecrets,
      attachment: number,
      ...(isUnlisted && { isUnlisted }),
    }),
    query: null,
    definition: null,
    digest: hash('sha256', JSON.stringify(['attached', number, schema, name])),
  })
}

/** `name.table` is in `public`. MySQL has databases for schemas, and it is in the one of the address. */
function meantTable(
  { kind, database }: RemoteAddress,
  written: Pick<RemoteTable, 'schema' | 'name'>,
): Pick<RemoteTable, 'schema' | 'name'> {
  return kind === 'mysql' && written.schema === PUBLIC ? { ...written, schema: database } : written
}

/** The listed table of exactly this name, or the only one whose name differs in the case of A to Z alone. */
function listedTable(
  tables: readonly RemoteTable[],
  { schema, name }: Pick<RemoteTable, 'schema' | 'name'>,
): RemoteTable | undefined {
  const exact = tables.find((table) => table.schema === schema && table.name === name)
  if (exact !== undefined) return exact
  const [key, folded] = [foldSqlName(schema), foldSqlName(name)]
  const like = tables.filter(
    (table) => foldSqlName(table.schema) === key && foldSqlName(table.name) === folded,
  )
  return like.length === 1 ? like[0] : undefined
}
