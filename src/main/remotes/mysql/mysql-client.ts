import type { Connecting } from '../databases/connecting.ts'
import { createDatabaseClient, type DatabaseSession } from '../databases/database-client.ts'
import type { Lanes } from '../lanes.ts'
import type { RemoteClient } from '../remote-client.ts'
import { BEGIN, columnsOf, columnsQuery, TABLES, tablesOf } from './catalog-queries.ts'
import { fieldOf, isSameThere } from './column-type.ts'
import { connectMysql } from './connect.ts'

export interface MysqlClientOptions extends Connecting {
  readonly lanes: Lanes
}

/** Asks a database of MySQL or MariaDB. */
export function createMysqlClient(options: MysqlClientOptions): RemoteClient {
  const { errors, lanes } = options

  async function begin(signal: AbortSignal): Promise<DatabaseSession> {
    const connection = await connectMysql(options, signal)
    for (const statement of BEGIN) await connection.query(statement)
    return {
      tables: async () => tablesOf(await connection.query(TABLES)),
      async columns(table) {
        const query = columnsQuery(table)
        return query === null ? [] : (columnsOf(await connection.query(query))?.map(fieldOf) ?? null)
      },
      rows: connection.rows,
      end: connection.end,
    }
  }

  return createDatabaseClient({ form: 'mysql', errors, lanes, begin, isSameThere })
}
