import { beginSession } from '../databases/begin-session.ts'
import type { Connecting } from '../databases/connecting.ts'
import { createDatabaseClient, type DatabaseSession } from '../databases/database-client.ts'
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
  const { errors, lanes, idle } = options

  async function begin(connection: MysqlConnection): Promise<DatabaseSession> {
    for (const statement of BEGIN) await connection.query(statement)
    return {
      tables: async () => tablesOf(await connection.query(TABLES)),
      async columns(table) {
        const query = columnsQuery(table)
        return query === null ? [] : (columnsOf(await connection.query(query))?.map(fieldOf) ?? null)
      },
      rows: connection.rows,
      end: () => idle.keep(options, connection),
    }
  }

  return createDatabaseClient({
    form: 'mysql',
    errors,
    lanes,
    begin: (signal, logsIn) =>
      beginSession(options, (connecting) => connectMysql(options, connecting), begin, signal, logsIn),
    isSameThere,
  })
}
