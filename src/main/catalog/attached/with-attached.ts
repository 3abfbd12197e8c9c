import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { Caller } from '../../auth/caller.ts'
import { type Catalog, type CatalogSnapshot, PUBLIC } from '../catalog.ts'
import type { AttachedCatalogs, AttachedSnapshot } from './attached-catalogs.ts'

/** The catalog with the tables of attached ones, which the super-user alone finds, by the names that stand for them. */
export function withAttached(catalog: Catalog, attached: AttachedCatalogs): Catalog {
  /** For what is attached: each snapshot of the catalog with that. */
  const wider = new WeakMap<AttachedSnapshot, WeakMap<CatalogSnapshot, CatalogSnapshot>>()

  function widen(snapshot: CatalogSnapshot): CatalogSnapshot {
    const now = attached.snapshot()
    const ofNow = wider.get(now) ?? new WeakMap<CatalogSnapshot, CatalogSnapshot>()
    wider.set(now, ofNow)
    const earlier = ofNow.get(snapshot)
    if (earlier !== undefined) return earlier
    const widened: CatalogSnapshot = {
      all: snapshot.all,
      find(caller, name, schema) {
        const table = caller.isSuperUser && foldSqlName(schema) === PUBLIC ? now.table(name) : null
        return table ?? snapshot.find(caller, name, schema)
      },
    }
    ofNow.set(snapshot, widened)
    return widened
  }

  return {
    ...catalog,
    attached,
    snapshot: () => widen(catalog.snapshot()),
    preview(changes) {
      const preview = catalog.preview(changes)
      return { ...preview, snapshot: widen(preview.snapshot) }
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
