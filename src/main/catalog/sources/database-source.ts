import { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import {
  DATABASE_KIND_NAMES,
  DATABASE_KINDS,
  type DatabaseKindName,
} from '../../remotes/databases/database-kinds.ts'
import { readDatabaseHost, readPort, readSslMode } from '../../remotes/databases/database-options.ts'
import { readTableName } from '../../remotes/remote-table-name.ts'
import type { CreateExternalTable } from '../../sql/grammar/node.ts'
import type { RemoteSource } from '../catalog.ts'
import { readRemoteOptions } from './remote-clauses.ts'

/** The names behind STORED AS of tables of databases, with their kinds. */
export const DATABASES: ReadonlyMap<string, DatabaseKindName> = new Map(
  DATABASE_KIND_NAMES.flatMap((kind) => DATABASE_KINDS[kind].storedAs.map((name) => [name, kind] as const)),
)

/**
 * The table of a database that a statement names. What its options leave out, its secret has. Throws `invalid_sql` for a location or an
 * option that is wrong, and `not_supported` for clauses that are about files.
 */
export function databaseSourceOf(
  statement: CreateExternalTable,
  kind: DatabaseKindName,
  formats: Formats,
): RemoteSource {
  const options = readRemoteOptions(statement)
  const table = readTableName(statement.location, DATABASE_KINDS[kind].defaultSchema)
  if (table === null)
    throw new ServiceError('invalid_sql', 'The location names no table; write it as table or schema.table.')
  const refuse = (what: string): never => {
    throw new ServiceError('invalid_sql', `OPTIONS: ${what}.`)
  }
  const user = options.get('user') ?? options.get('username')
  const sslMode = readSslMode(options.get('sslmode'), refuse)
  return Object.freeze({
    kind: 'remote',
    format: formats.withOptions(formats.row('copy')),
    address: Object.freeze({
      kind,
      host: readDatabaseHost(options.get('host'), refuse),
      port: readPort(options.get('port'), refuse),
      tls: sslMode !== undefined && sslMode !== 'disable',
      database: options.get('database') ?? options.get('dbname') ?? '',
      basePath: '',
      ...(user !== undefined && { user }),
      ...(sslMode !== undefined && { sslMode }),
    }),
    table,
    secret: options.get('secret') ?? null,
    ownSecrets: null,
  })
}
