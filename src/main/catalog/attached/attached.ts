import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { RemoteAddress, RemoteTable } from '../../remotes/remote-client.ts'

/** The beginning of what secrets go by that were written in ATTACH. No other secret has such a name. */
export const UNNAMED = '\0'

/** Another service whose tables go by a name of their own here. */
export interface AttachedCatalog {
  readonly name: string
  readonly address: RemoteAddress
  /** The secret by which it is asked, which has no name if its name begins with `UNNAMED`. Null: without a login. */
  readonly secret: string | null
  /** The format of its answers. */
  readonly format: FileFormat
  /** The tables and views that it listed when it was attached. */
  readonly tables: readonly RemoteTable[]
}

/** The catalogs that are attached to the service until it ends. */
export interface AttachedNames {
  /** By name, in UTF-8 byte order. */
  list(): readonly AttachedCatalog[]
  /** Whatever the case of the letters A to Z. */
  find(name: string): AttachedCatalog | null
}
