import { isDeepStrictEqual } from 'node:util'
import { isServiceError } from '../../plan/errors.ts'
import { type CatalogSnapshot, type CatalogTable, PUBLIC } from '../catalog/catalog.ts'
import type { Change, Definition } from '../catalog/definition.ts'
import { ANY_ATTACHED } from '../sql/gate/check-names.ts'
import { createNamesIn } from '../sql/gate/names-in.ts'
import type { DefiningContext } from './context.ts'
import { columnsOfView } from './view-columns.ts'

/** How often views are bound again because what is below them was changed meanwhile. The last ones are stored in any case. */
const MOST_ATTEMPTS = 8

/**
 * Stores a definition and, with it, the columns that the views above its name have then. `define` makes the definition, and `isWanted`
 * is asked when all earlier changes of the catalog have been made: if it is false or throws, nothing is stored. If those have changed
 * what is below a view, it all begins again.
 */
export async function storeDefinition(
  define: () => Promise<Definition>,
  isWanted: () => boolean,
  context: DefiningContext,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const since = context.catalog.snapshot()
    const isOld = (change: PutChange): boolean =>
      attempt < MOST_ATTEMPTS &&
      context.catalog.snapshot() !== since &&
      haveChanged(boundNames(change, context), since, context)
    if (await storeUnless(isOld, await define(), isWanted, context)) return
  }
}

type PutChange = Extract<Change, { readonly kind: 'put' }>

/** False: it was old, and nothing is stored. */
async function storeUnless(
  isOld: (change: PutChange) => boolean,
  definition: Definition,
  isWanted: () => boolean,
  context: DefiningContext,
): Promise<boolean> {
  const { catalog, caller, signal } = context
  const change: PutChange = { kind: 'put', definition }
  const bound = await bindViewsAbove(change, context)
  let isDone = true
  await catalog.change(() => {
    if (!isWanted()) return []
    isDone = !isOld(change)
    if (!isDone) return []
    const present = catalog.snapshot()
    // Another statement may have replaced or dropped a view while it was bound.
    const remainingViews = bound.filter(
      ({ view: { name, schema, definition } }) =>
        present.find(caller, name, schema)?.definition === definition,
    )
    return [change, ...remainingViews.map(({ bound }): Change => ({ kind: 'put', definition: bound }))]
  }, signal)
  return isDone
}

/** The names on which the columns that are found for a change depend: those that a view reads, and the views above. */
function boundNames(change: PutChange, { catalog, formats }: DefiningContext): readonly string[] {
  const { statement } = change.definition
  const namesIn = createNamesIn({ formats, catalog: catalog.name, isAttached: ANY_ATTACHED })
  const below = statement.kind === 'create_view' ? namesIn(statement.query) : []
  return [...below, ...catalog.preview([change]).viewsAbove].map(({ name }) => name)
}

function haveChanged(
  names: readonly string[],
  since: CatalogSnapshot,
  { catalog, caller }: DefiningContext,
): boolean {
  const present = catalog.snapshot()
  const digestIn = (snapshot: CatalogSnapshot, name: string): string | undefined =>
    snapshot.find(caller, name, PUBLIC)?.digest
  return names.some((name) => digestIn(present, name) !== digestIn(since, name))
}

/** A view whose columns have changed, and its definition with the new ones. */
interface BoundView {
  readonly view: CatalogTable
  readonly bound: Definition
}

/** Binds the views above a changed name again, each after those that it reads. One that cannot be bound keeps its columns. */
async function bindViewsAbove(change: Change, context: DefiningContext): Promise<readonly BoundView[]> {
  const { catalog, signal, log } = context
  const { snapshot, viewsAbove } = catalog.preview([change])
  const changed: BoundView[] = []
  for (const view of viewsAbove) {
    const statement = view.definition?.statement
    if (statement?.kind !== 'create_view') continue
    try {
      const columns = await columnsOfView(statement.query, context, snapshot)
      if (isDeepStrictEqual(columns, view.columns)) continue
      changed.push({ view, bound: Object.freeze({ ...view.definition, statement, columns }) })
    } catch (error) {
      signal.throwIfAborted()
      if (!isServiceError(error) || error.status !== 400) throw error
      log.info({ err: error, view: view.name }, 'a view cannot be bound after a change below it')
    }
  }
  return changed
}
