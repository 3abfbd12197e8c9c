import type { DatabaseQueries } from '../databases/begin-session.ts'
import type { Connecting } from '../databases/connecting.ts'
import { createDatabaseClient } from '../databases/database-client.ts'
import type { IdleConnections } from '../databases/idle-connections.ts'
import type { Lanes } from '../lanes.ts'
import type { RemoteClient } from '../remote-client.ts'
import { BEGIN, columnsOf, columnsQuery, TABLES, tablesOf } from './catalog-queries.ts'
import { fieldOf, isSameThere } from './column-type.ts'
import { connectMysql, type MysqlConnection } from './connect.ts'

export interface MysqlClientOptions extends Connecting {
  readonly lanes: Lanes
  readonly idle: IdleConnections<MysqlConnection>
}

/** Asks a database of MySQL or MariaDB. */
export function createMysqlClient(options: MysqlClientOptions): RemoteClient {
  async function begin(connection: MysqlConnection): Promise<DatabaseQueries> {
    for (const statement of BEGIN) await connection.query(statement)
    return {
      tables: async () => tablesOf(await connection.query(TABLES)),
      async columns(table) {
        const query = columnsQuery(table)
        return query === null ? [] : (columnsOf(await connection.query(query))?.map(fieldOf) ?? null)
      },
      rows: connection.rows,
    }
  }

  return createDatabaseClient({ ...options, form: 'mysql', connect: connectMysql, begin, isSameThere })
}
