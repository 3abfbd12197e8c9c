import {
  type AttachedCatalogs,
  createAttachedCatalogs,
} from '../../src/main/catalog/attached/attached-catalogs.ts'
import { FORMATS } from '../../src/plan/formats.ts'

/** Attached catalogs of which none is stored. */
export function attachedInMemory(): AttachedCatalogs {
  return createAttachedCatalogs({
    formats: FORMATS,
    name: 'service',
    store: { stored: [], commit: async () => {} },
    onUnreadable() {},
  })
}
