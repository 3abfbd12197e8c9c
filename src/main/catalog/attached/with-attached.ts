import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { Caller } from '../../auth/caller.ts'
import { type Catalog, type CatalogSnapshot, PUBLIC } from '../catalog.ts'
import type { AttachedCatalogs } from './attached-catalogs.ts'

/** The catalog with the tables of attached ones, which the super-user alone finds, by the names that stand for them. */
export function withAttached(catalog: Catalog, attached: AttachedCatalogs): Catalog {
  const wrapped = new WeakMap<CatalogSnapshot, CatalogSnapshot>()

  function wrap(snapshot: CatalogSnapshot): CatalogSnapshot {
    const earlier = wrapped.get(snapshot)
    if (earlier !== undefined) return earlier
    const wider: CatalogSnapshot = {
      all: snapshot.all,
      find(caller, name, schema) {
        const table = caller.isSuperUser && foldSqlName(schema) === PUBLIC ? attached.table(name) : null
        return table ?? snapshot.find(caller, name, schema)
      },
    }
    wrapped.set(snapshot, wider)
    return wider
  }

  return {
    ...catalog,
    attached,
    snapshot: () => wrap(catalog.snapshot()),
    preview(changes) {
      const preview = catalog.preview(changes)
      return { ...preview, snapshot: wrap(preview.snapshot) }
    },
  }
}

/** Tells which catalogs are attached for a caller: for others than the super-user, none. */
export function attachedFor(
  { isSuperUser }: Caller,
  { attached }: Pick<Catalog, 'attached'>,
): (name: string) => boolean {
  return (name) => isSuperUser && attached?.find(name) != null
}
