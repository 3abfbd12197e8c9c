import { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { readTableUrl } from '../../remotes/remote-url.ts'
import type { CreateExternalTable } from '../../sql/grammar/node.ts'
import type { RemoteSource } from '../catalog.ts'
import { readRemoteOptions } from './remote-clauses.ts'

/** The name behind STORED AS of a table of another service. */
export const REMOTE = 'REMOTE'

/** The words of a truth in OPTIONS. */
const TRUTHS: Readonly<Record<string, boolean>> = Object.freeze({
  true: true,
  1: true,
  yes: true,
  on: true,
  false: false,
  0: false,
  no: false,
  off: false,
})

/**
 * The table of another service that a statement names. Throws `invalid_sql` for a location or an option that is wrong, and `not_supported`
 * for clauses that are about files.
 */
export function remoteSourceOf(statement: CreateExternalTable, formats: Formats): RemoteSource {
  const optionsByKey = readRemoteOptions(statement)
  const tls = optionsByKey.get('tls')
  const isEncrypted = tls === undefined ? null : TRUTHS[tls.toLowerCase()]
  if (isEncrypted === undefined) throw new ServiceError('invalid_sql', 'OPTIONS: "tls" is true or false.')
  // The scheme that services have in common: a stored definition does not depend on the name of this one.
  const { address, table } = readTableUrl(statement.location, 'service', isEncrypted)
  const row = formats.storedAs.get('ARROW')
  if (row === undefined)
    throw new ServiceError('not_supported', 'Arrow is not read here, in which services answer.')
  return Object.freeze({
    kind: 'remote',
    format: formats.withOptions(row),
    address,
    table,
    secret: optionsByKey.get('secret') ?? null,
    ownSecrets: null,
  })
}
