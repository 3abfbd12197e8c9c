import type { KeyObject } from 'node:crypto'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { type CreatedDirectory, createDirectory } from '../../auth/directory/create-directory.ts'
import { ANONYMOUS_USER, applyChanges, type Directory } from '../../auth/directory/directory.ts'
import { readDirectory, type StoredDirectory } from '../../auth/directory/stored-directory.ts'
import { type CreatedSecrets, createSecrets } from '../../secrets/create-secrets.ts'
import { openLogins } from '../../secrets/logins.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { type StoredSecretRow, secretOfRow } from '../../secrets/stored-secrets.ts'
import type { CheckQuery } from '../../sql/grammar/query-text.ts'
import type { Catalog, CatalogTable } from '../catalog.ts'
import { createCatalog } from '../create-catalog.ts'
import type { NamesIn } from '../digests/digested-tables.ts'
import { type AtStep, NOTHING_AT_STEPS, STATEMENT_STEPS } from '../steps.ts'
import { tableOf } from '../table-of.ts'
import type { StoredUploads, UploadStore } from './begun-uploads.ts'
import type { StorePaths } from './paths.ts'
import type { StoredRow } from './rows.ts'
import { type CatalogStore, openCatalogStore, type StoreLog } from './store.ts'
import type { AttachedStore, StoredAttached } from './stored-attached.ts'
import type { CrawlerStore, StoredCrawler } from './stored-crawlers.ts'
import { fromStoredForm } from './stored-form.ts'

/** A catalog whose changes are on the disk before they are seen. */
export interface StoredCatalog extends Catalog, Pick<CatalogStore, 'isOpen' | 'close'> {
  /** The users and roles, which are stored in the same database. */
  readonly directory: Directory
  /** The secrets, of which persistent ones are stored there. */
  readonly secrets: Secrets
  /** The logins in the options of tables, likewise. Definitions name them. */
  readonly logins: Secrets
  /** The begun uploads, likewise. */
  readonly uploads: UploadStore
  /** The crawlers, likewise. */
  readonly crawlers: CrawlerStore
  /** The attached catalogs, likewise. */
  readonly attachedStore: AttachedStore
}

export interface StoredCatalogOptions {
  readonly name: string
  readonly defaultTable: string
  readonly formats: Formats
  readonly namesIn: NamesIn
  /** Whether requests without credentials have the roles of the user `anonymous`, whom nobody has to create then. */
  readonly authAnonymousEnabled: boolean
  /** The keys of stored secrets: the first one encrypts. Empty: none is stored. */
  readonly secretsKey: readonly KeyObject[]
  /** Refuses the query of a view that may not run. */
  readonly checkQuery: CheckQuery
  readonly paths: StorePaths
  readonly log: StoreLog
  /** The module of the thread. Tests replace it. */
  readonly entry?: URL
  readonly atStep?: AtStep
}

/**
 * Opens the catalog with the tables that are stored. A definition that cannot be read is logged; it stays stored, and there is
 * no table of its name. Likewise with users and secrets, though these are listed. Rejects with `internal` if a role cannot be read, the database cannot be used, or another
 * service uses it.
 */
export async function openStoredCatalog(options: StoredCatalogOptions): Promise<StoredCatalog> {
  const { formats, checkQuery, log } = options
  const tables = new Map<string, CatalogTable>()
  const unreadable: string[] = []
  const usedLogins = new Set<string>()
  const add = (row: StoredRow): void => {
    if (row.login !== null) usedLogins.add(row.login)
    try {
      tables.set(row.key, tableOf(fromStoredForm(row, checkQuery), row.digest, formats))
    } catch (error) {
      unreadable.push(row.key)
      log.error({ err: error, table: row.key }, 'a stored definition cannot be read, and is left out')
    }
  }
  let accounts: StoredDirectory = { users: [], roles: [] }
  let secretRows: readonly StoredSecretRow[] = []
  let loginRows: readonly StoredSecretRow[] = []
  let uploads: StoredUploads = { owner: '', begun: [] }
  let crawlers: readonly StoredCrawler[] = []
  let attached: readonly StoredAttached[] = []
  const store = await openCatalogStore({
    ...options,
    onStored(stored) {
      if (stored.kind === 'rows') stored.rows.forEach(add)
      else if (stored.kind === 'directory') accounts = stored.directory
      else if (stored.kind === 'secrets') {
        secretRows = stored.secrets
        loginRows = stored.logins
      } else if (stored.kind === 'uploads') uploads = stored.uploads
      else if (stored.kind === 'crawlers') crawlers = stored.crawlers
      else attached = stored.attached
    },
  })
  const catalog = createCatalog({ ...options, tables, unreadable, commit: store.commit })
  const directory = await openDirectory(accounts, store, options).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const secrets = await openSecrets(secretRows, store, options)
  const logins = await openLogins(loginRows, usedLogins, store, options)
  return {
    ...catalog,
    directory,
    secrets,
    logins,
    uploads: { ...uploads, commit: store.commit },
    crawlers: { stored: crawlers, commit: store.commit },
    attachedStore: { stored: attached, commit: store.commit },
    get isOpen() {
      return store.isOpen
    },
    async close() {
      await Promise.all([catalog.settled(), directory.settled(), secrets.settled(), logins.settled()])
      await store.close()
    },
  }
}

/** Rejects with `internal` if a role cannot be read. */
async function openDirectory(
  stored: StoredDirectory,
  { commit }: Pick<CatalogStore, 'commit'>,
  { authAnonymousEnabled, log, atStep = NOTHING_AT_STEPS }: StoredCatalogOptions,
): Promise<CreatedDirectory> {
  const { snapshot, unreadable } = readDirectory(stored, (user, err) =>
    log.error({ err, user }, 'a stored user cannot be read, and is left out'),
  )
  // It is stored when it is given a role.
  const isMissing = authAnonymousEnabled && !snapshot.users.has(ANONYMOUS_USER.name)
  const first = isMissing ? applyChanges(snapshot, [{ kind: 'put_user', user: ANONYMOUS_USER }]) : snapshot
  return createDirectory(first, {
    commit(changes, signal) {
      atStep(STATEMENT_STEPS.prepared)
      return commit(changes, signal)
    },
    unreadable,
    onShown: () => atStep(STATEMENT_STEPS.shown),
  })
}

/** Secrets that no key decrypts are logged. Those that another key than the first one decrypts are encrypted anew. */
async function openSecrets(
  rows: readonly StoredSecretRow[],
  { commit }: Pick<CatalogStore, 'commit'>,
  { secretsKey, log, atStep = NOTHING_AT_STEPS }: StoredCatalogOptions,
): Promise<CreatedSecrets> {
  const secrets = createSecrets({
    keys: secretsKey,
    stored: rows.map(secretOfRow),
    commit(changes, signal) {
      atStep(STATEMENT_STEPS.prepared)
      return commit(changes, signal)
    },
    onShown: () => atStep(STATEMENT_STEPS.shown),
  })
  for (const secret of secrets.unreadable())
    log.error(
      { secret },
      'a stored secret cannot be decrypted: SERVICE_SECRETS_KEY lacks its key, or it was changed',
    )
  await secrets
    .rotate(new AbortController().signal)
    .catch((err: unknown) => log.error({ err }, 'secrets could not be encrypted under the first key'))
  return secrets
}
