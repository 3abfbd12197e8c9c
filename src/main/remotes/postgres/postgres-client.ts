import type { Field } from '../../../plan/types/schema.ts'
import type { DatabaseQueries } from '../databases/begin-session.ts'
import type { Connecting } from '../databases/connecting.ts'
import { createDatabaseClient } from '../databases/database-client.ts'
import type { IdleConnections } from '../databases/idle-connections.ts'
import type { Lanes } from '../lanes.ts'
import type { RemoteClient } from '../remote-client.ts'
import { BEGIN, COLUMNS, columnsOf, TABLES, tablesOf } from './catalog-queries.ts'
import { fieldOf, postgresType } from './column-type.ts'
import { connectPostgres, type PostgresConnection } from './connect.ts'
import { createCopyWalk } from './copy-walk.ts'

export interface PostgresClientOptions extends Connecting {
  readonly lanes: Lanes
  readonly idle: IdleConnections<PostgresConnection>
}

/** Encodings whose text comes as UTF-8. That of a database without an encoding is checked where it is read. */
const ENCODINGS: ReadonlySet<string | null | undefined> = new Set(['UTF8', 'SQL_ASCII'])

/** Asks a database of PostgreSQL. */
export function createPostgresClient(options: PostgresClientOptions): RemoteClient {
  const { errors } = options

  async function begin(connection: PostgresConnection): Promise<DatabaseQueries> {
    const [row] = await connection.query(BEGIN)
    const [encoding] = row ?? []
    if (!ENCODINGS.has(encoding))
      throw errors.refused(`has a database whose encoding is ${encoding}; those in UTF8 are read`)
    return {
      tables: async () => tablesOf(await connection.query(TABLES)),
      async columns({ schema, name }) {
        const columns = columnsOf(await connection.query(COLUMNS, [schema, name]))
        return columns?.map(fieldOf) ?? null
      },
      async *rows(statement, fields) {
        const walk = createCopyWalk(fields, (what) => {
          throw errors.refused(what)
        })
        for await (const chunk of connection.copy(`COPY (${statement}) TO STDOUT (FORMAT binary)`)) {
          walk.feed(chunk)
          yield chunk
        }
        return walk.finish()
      },
    }
  }

  const isSameThere = (asked: Field, now: Field): boolean => postgresType(asked) === postgresType(now)
  return createDatabaseClient({ ...options, form: 'postgres', connect: connectPostgres, begin, isSameThere })
}
