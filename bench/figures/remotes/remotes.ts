import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchData } from '../../input/data.ts'
import { seeded } from '../../input/data.ts'
import { readIntoPageCache } from '../../service/page-cache.ts'
import { withService } from '../../service/service.ts'
import type { Figure } from '../figure.ts'
import { startDatabase } from './database.ts'
import { grouped } from './grouped.ts'
import { joined } from './joined.ts'
import { groupedOfMysql } from './mysql.ts'
import { relayed } from './relay.ts'
import { stalled } from './stalled.ts'

/** The rows of the database, and those that are relayed. */
const ROWS = 5_000_000

const FEW = 'remotes-few.parquet'

/**
 * Tables elsewhere: rows of PostgreSQL and MariaDB grouped here, rows of another service relayed, a join with local rows, and local queries beside a
 * remote that stalls. Servers, services and clients share the machine.
 */
export async function remotes(scratch: string, data: BenchData, rounds: number): Promise<Figure[]> {
  const dataDir = (name: string): string => {
    const folder = join(scratch, `remotes-${name}`)
    mkdirSync(folder, { recursive: true })
    return folder
  }
  readIntoPageCache([join(data.root, data.groups), join(data.root, data.small)])
  await writeFew(join(data.root, FEW))
  const database = await startDatabase(ROWS)
  const options = { datasetsDir: data.root, workers: 2, asksAnew: true }
  try {
    return await withService({ ...options, dataDir: dataDir('there') }, (there) =>
      withService({ ...options, dataDir: dataDir('here'), env: ENV }, async (here) => {
        await Promise.all([there.ready(), here.ready()])
        await there.command(`CREATE EXTERNAL TABLE far STORED AS PARQUET LOCATION '${data.groups}'`)
        await here.command(
          `CREATE EXTERNAL TABLE far STORED AS REMOTE LOCATION 'service://127.0.0.1:${there.port}/far'`,
        )
        for (const name of ['obs', 'few'])
          await here.command(
            `CREATE EXTERNAL TABLE ${name} STORED AS POSTGRES LOCATION '${name}' OPTIONS ('connection_string' '${database.url}')`,
          )
        return [
          ...(await grouped(
            here,
            {
              key: 'remotes_postgres',
              kind: 'PostgreSQL',
              table: 'obs',
              peer: ['postgres_peer.py', database.url],
            },
            ROWS,
            rounds,
          )),
          ...(await groupedOfMysql(here, ROWS, rounds)),
          ...(await relayed(here, there, ROWS, rounds)),
          await joined(here, data.small, FEW, rounds),
          await stalled(here, there, data.small),
        ]
      }),
    )
  } finally {
    await database.stop()
    rmSync(join(data.root, FEW), { force: true })
  }
}

/** Logins in options are stored under it. It is for this bench alone. */
const ENV = { SERVICE_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }

/** The thousand rows of the database's table `few`, as Parquet. */
async function writeFew(path: string): Promise<void> {
  const { instance, connection } = await seeded()
  try {
    await connection.run(
      `COPY (SELECT i AS id, (i * 7919 % 1000)::INT AS station, 'platform ' || i * 31 % 48 AS platform
        FROM range(1, 1001) t(i)) TO '${path}' (FORMAT parquet)`,
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
