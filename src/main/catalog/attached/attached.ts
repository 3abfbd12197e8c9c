import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { RemoteAddress, RemoteTable } from '../../remotes/remote-client.ts'
import type { Secrets } from '../../secrets/secrets.ts'

/** Another service whose tables go by a name of their own here. */
export interface AttachedCatalog {
  readonly name: string
  readonly address: RemoteAddress
  /** The name of the secret by which it is asked. Null: it is asked without a login. */
  readonly secret: string | null
  /** Has the secret alone, if ATTACH was given a login. Null: it is a secret of the service. */
  readonly ownSecrets: Pick<Secrets, 'read'> | null
  /** The format of its answers. */
  readonly format: FileFormat
  /** The tables and views that it listed when it was attached, or last since. */
  readonly tables: readonly RemoteTable[]
  /** Whether it is stored. Otherwise it ends with the process. */
  readonly isPersistent: boolean
}

/** How the last request to an attached catalog went. */
export interface AttachedState {
  /** `not_asked`: not since the service has started. */
  readonly state: 'not_asked' | 'answers' | 'fails'
  /** What went wrong the last time that something did, since it was attached or the service has started. Null: nothing has. */
  readonly lastError: string | null
}

/** The catalogs that are attached to the service. */
export interface AttachedNames {
  /** By name, in UTF-8 byte order. */
  list(): readonly AttachedCatalog[]
  /** Whatever the case of the letters A to Z. */
  find(name: string): AttachedCatalog | null
  /** Of a catalog that is listed. */
  state(name: string): AttachedState
}
