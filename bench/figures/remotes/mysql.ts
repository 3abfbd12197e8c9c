import { startMysql } from '../../../test/mysql/server.ts'
import { PASSWORD } from '../../../test/postgres/server.ts'
import { startLinePeer } from '../../input/line-peer.ts'
import { median } from '../../report/statistics.ts'
import type { Service } from '../../service/service.ts'
import type { Figure } from '../figure.ts'
import { grouped } from './grouped.ts'

/** Has room for all rows in memory, so that no disk is measured. */
const SETTINGS = ['--innodb-buffer-pool-size=1G', '--innodb-log-file-size=512M']

/** Rows of MariaDB that are grouped here, by turns with connectorx and DuckDB, and the floor. */
export async function groupedOfMysql(service: Service, rows: number, rounds: number): Promise<Figure[]> {
  const ends: (() => unknown)[] = []
  const mysql = await startMysql({ teardown: (end: () => unknown) => void ends.push(end) }, SETTINGS)
  try {
    mysql.run(`CREATE TABLE obs (id bigint PRIMARY KEY, station int, platform varchar(20), depth double, value float, other double)
      CHARACTER SET utf8mb4;
      INSERT INTO obs SELECT seq, seq * 7919 % 1000, CONCAT('platform ', seq * 31 % 48), (seq * 13 % 8000) / 4e0,
        IF(seq % 100 > 0, (seq * 17 % 4000) / 4e0, NULL), (seq * 23 % 9000) / 4e0 FROM seq_1_to_${rows}; ANALYZE TABLE obs`)
    const place = `HOST '127.0.0.1', PORT '${mysql.port}', USER 'owner', PASSWORD '${PASSWORD}', DATABASE 'sea'`
    await service.command(`CREATE TEMPORARY SECRET of_mysql (TYPE mysql, ${place})`)
    await service.command(
      "CREATE EXTERNAL TABLE mysql_obs STORED AS MYSQL LOCATION 'obs' OPTIONS ('secret' 'of_mysql')",
    )
    const url = `mysql://owner:${PASSWORD}@127.0.0.1:${mysql.port}/sea`
    const figures = await grouped(
      service,
      { key: 'remotes_mysql', kind: 'MariaDB', table: 'mysql_obs', peer: ['mysql_peer.py', url] },
      rows,
      rounds,
    )
    return [...figures, ...(await floor(url, rows, rounds))]
  } finally {
    for (const end of ends) await end()
  }
}

/** The time in which the client library of MariaDB fetches the rows. */
async function floor(url: string, rows: number, rounds: number): Promise<Figure[]> {
  const library = await startLinePeer('mysql_floor.py', [url])
  if (library === null) return []
  try {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const answer = await library.ask({
        fetch: 'SELECT id, station, platform, depth, value, other FROM obs',
      })
      const { ms, rows: fetched } = answer as { ms: number; rows: number }
      if (fetched !== rows) throw new Error(`${fetched} rows of ${rows}`)
      times.push(ms)
    }
    const what = `${rows / 1e6} M rows × 6 columns of MariaDB, fetched by ${library.name} and not used`
    return [{ key: 'remotes_mysql_floor', what, value: median(times), unit: 'ms' }]
  } finally {
    library.close()
  }
}
