import type { Formats } from '../../../plan/format/create-formats.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import { parseJson } from '../../json/json.ts'
import { answerFormat } from '../../remotes/answer-form.ts'
import { readAddress } from '../../remotes/read-address.ts'
import type { RemoteTable } from '../../remotes/remote-client.ts'
import type { StoredAttached } from '../store/stored-attached.ts'
import type { AttachedCatalog } from './attached.ts'

/** An attached catalog in the form in which it is stored. Its login is a secret with a name, or none. */
export function storedAttached({ name, address, secret, tables }: AttachedCatalog): StoredAttached {
  return {
    key: foldSqlName(name),
    name,
    address: JSON.stringify(address),
    secret,
    tables: JSON.stringify(tables),
  }
}

/** The attached catalog that is stored. Throws an error if it cannot be read. */
export function attachedOf(
  { name, address, secret, tables }: StoredAttached,
  formats: Formats,
): AttachedCatalog {
  const readableAddress = readAddress(parseJson(address))
  return Object.freeze({
    name,
    address: readableAddress,
    secret,
    ownSecrets: null,
    format: answerFormat(readableAddress, formats),
    tables: tablesOf(parseJson(tables)),
    isPersistent: true,
  })
}

function tablesOf(json: unknown): readonly RemoteTable[] {
  if (!Array.isArray(json)) throw new TypeError('a list of tables is none')
  return Object.freeze(
    json.map((each: Partial<RemoteTable> | null): RemoteTable => {
      const { schema, name, isView } = each ?? {}
      if (typeof schema !== 'string' || typeof name !== 'string' || typeof isView !== 'boolean')
        throw new TypeError('a list of tables has what is none')
      return Object.freeze({ schema, name, isView })
    }),
  )
}
