import { createCatalog } from '../../src/main/catalog/create-catalog.ts'
import { createLookups, type LookedUp } from '../../src/main/catalog/lookups.ts'
import { createNamesIn } from '../../src/main/sql/gate/names-in.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'
import { ANYBODY } from '../support/callers.ts'

/** The product's catalog, in which there is the placeholder alone. */
export const CATALOG = createCatalog({
  name: 'service',
  defaultTable: 'default',
  formats: FORMATS,
  namesIn: createNamesIn(KNOWN_NAMES),
})

/** What a query has looked up that names nothing. */
export const NO_LOOKUPS: LookedUp = Object.freeze({ caller: ANYBODY, lookups: [] })

/** How sources are resolved for a query of a test that finds its files in its own way. */
export function resolution<T>(find: (paths: readonly string[]) => Promise<readonly T[]>) {
  const findFiles = async (paths: readonly string[]) => ({
    files: await find(paths),
    levels: [],
    testKey: null,
  })
  return {
    lookups: createLookups(CATALOG, ANYBODY),
    catalogName: CATALOG.name,
    defaultTable: 'default',
    findPaths: findFiles,
    findFiles,
  }
}
