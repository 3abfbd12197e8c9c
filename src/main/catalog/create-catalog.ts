import type { Formats } from '../../plan/format/create-formats.ts'
import { foldSqlName } from '../../plan/statement/statement.ts'
import type { Catalog, CatalogTable } from './catalog.ts'
import type { Change } from './definition.ts'
import { digestedTables, type NamesIn, type TableChanges } from './digests/digested-tables.ts'
import { createSnapshot } from './snapshot.ts'
import { type AtStep, NOTHING_AT_STEPS, STATEMENT_STEPS } from './steps.ts'
import { type StoredChange, storedForm } from './store/stored-form.ts'
import { tableOf } from './table-of.ts'

export interface CatalogOptions {
  readonly name: string
  readonly defaultTable: string
  readonly formats: Formats
  readonly namesIn: NamesIn
  /** The tables at first, by their names with the letters A to Z in lower case. Absent: there are none. */
  readonly tables?: ReadonlyMap<string, CatalogTable>
  /** The names of stored definitions that cannot be read, in the same form. Absent: there are none. */
  readonly unreadable?: Iterable<string>
  /** Makes changes durable. Absent: they are gone when the process ends. */
  readonly commit?: Commit
  readonly atStep?: AtStep
}

/** A catalog, and when all changes that it was asked for have been made or have failed. */
export interface CreatedCatalog extends Catalog {
  settled(): Promise<void>
}

/**
 * Makes the changes of one statement durable, all of them or none. Resolves in the order of the calls. Rejects with the signal's
 * reason if it is aborted before the commit has begun.
 */
type Commit = (changes: readonly StoredChange[], signal: AbortSignal) => Promise<void>

export function createCatalog(options: CatalogOptions): CreatedCatalog {
  const { formats, namesIn, commit = inMemory, atStep = NOTHING_AT_STEPS } = options
  let digested = digestedTables(options.tables ?? new Map(), namesIn)
  let snapshot = createSnapshot(digested)
  const unreadable = new Set(options.unreadable)
  /** Settles when all changes so far have been made. */
  let last: Promise<unknown> = Promise.resolve()

  async function change(changes: readonly Change[], signal: AbortSignal): Promise<void> {
    if (changes.length === 0) return
    // Before anything is stored: what cannot become a table is an error of its statement.
    const prepared = changes.map((each) => prepare(each, formats))
    atStep(STATEMENT_STEPS.prepared)
    await commit(
      prepared.map(({ stored }) => stored),
      signal,
    )
    digested = digested.after(tableChanges(prepared))
    snapshot = createSnapshot(digested)
    for (const { stored } of prepared) unreadable.delete(stored.key)
    atStep(STATEMENT_STEPS.shown)
  }

  return {
    name: options.name,
    defaultTable: options.defaultTable,
    snapshot: () => snapshot,
    settled: () => last.then(() => undefined),
    isUnreadable: (name) => unreadable.has(foldSqlName(name)),
    preview(changes) {
      const prepared = changes.map((change) => prepare(change, formats))
      const after = digested.after(tableChanges(prepared))
      return { snapshot: createSnapshot(after), viewsAbove: after.viewsAbove }
    },
    change(changes, signal) {
      const nextChange = last.then(() => change(typeof changes === 'function' ? changes() : changes, signal))
      last = nextChange.catch(() => undefined)
      return nextChange
    },
  }
}

/** Of several changes of one name the last one counts. */
function tableChanges(changes: readonly PreparedChange[]): TableChanges {
  return new Map(changes.map(({ stored, table }) => [stored.key, table]))
}

/** A change in both forms. The table is null where one is dropped. */
interface PreparedChange {
  readonly stored: StoredChange
  readonly table: CatalogTable | null
}

function prepare(change: Change, formats: Formats): PreparedChange {
  if (change.kind === 'drop') return { stored: { kind: 'drop', key: foldSqlName(change.name) }, table: null }
  const { definition } = change
  const stored = storedForm(definition)
  return {
    stored: { kind: 'put', key: foldSqlName(definition.statement.name.name), stored },
    table: tableOf(definition, stored.digest, formats),
  }
}

async function inMemory(_changes: readonly StoredChange[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
}
