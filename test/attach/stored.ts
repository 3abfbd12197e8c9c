import type { AttachedCatalog } from '../../src/main/catalog/attached/attached.ts'
import {
  type AttachedCatalogs,
  createAttachedCatalogs,
} from '../../src/main/catalog/attached/attached-catalogs.ts'
import type { StoredCatalog, StoredCatalogOptions } from '../../src/main/catalog/store/open-stored-catalog.ts'
import { answerFormat } from '../../src/main/remotes/answer-form.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { openInFolder } from '../catalog/store.ts'

/** The attached catalogs of a folder, as a service opens them. */
export async function openAttached(
  folder: string,
  options: Partial<StoredCatalogOptions> = {},
): Promise<
  Pick<StoredCatalog, 'close'> & {
    readonly attached: AttachedCatalogs
    /** The names of those that cannot be read. */
    readonly unreadable: readonly string[]
  }
> {
  const { attachedStore, close } = await openInFolder(folder, options)
  const unreadable: string[] = []
  const attached = createAttachedCatalogs({
    formats: FORMATS,
    name: 'service',
    store: attachedStore,
    onUnreadable: (name) => unreadable.push(name),
    ...options,
  })
  return { attached, unreadable, close }
}

/** A catalog that goes by a name, at a host. */
export function catalogAt(name: string, host: string, isPersistent = true): AttachedCatalog {
  const address = { kind: 'service', host, port: 1, tls: false, database: '', basePath: '' } as const
  return {
    name,
    address,
    secret: null,
    ownSecrets: null,
    format: answerFormat(address, FORMATS),
    tables: [{ schema: 'public', name: 'obs', isView: false }],
    isPersistent,
  }
}

/** The host of each attached catalog, by its name. */
export function hostsOf(attached: AttachedCatalogs): Readonly<Record<string, string>> {
  return Object.fromEntries(attached.list().map(({ name, address }) => [name, address.host]))
}
