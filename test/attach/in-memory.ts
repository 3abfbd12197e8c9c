import {
  type AttachedCatalogs,
  createAttachedCatalogs,
} from '../../src/main/catalog/attached/attached-catalogs.ts'
import { FORMATS } from '../../src/plan/formats.ts'

/** Attached catalogs of which none is stored. */
export function attachedInMemory(now?: () => number): AttachedCatalogs {
  return createAttachedCatalogs({
    ...(now && { now }),
    formats: FORMATS,
    name: 'service',
    store: { stored: [], commit: async () => {} },
    onUnreadable() {},
  })
}
