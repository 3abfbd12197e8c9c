import { isDeepStrictEqual } from 'node:util'
import { type Postgres, startPostgres } from '../../../test/postgres/server.ts'
import { answerOfStream } from '../../compare/arrow.ts'
import { type LinePeer, startLinePeer } from '../../input/line-peer.ts'
import { timed } from '../../report/statistics.ts'
import type { Service } from '../../service/service.ts'
import type { Figure } from '../figure.ts'
import { figuresOfTurns, type Turns, together } from '../peer-turns.ts'

/** A server of PostgreSQL with rows of six columns in the table `obs`, and a thousand of them in `few`. */
export interface Database extends Pick<Postgres, 'url'> {
  stop(): Promise<void>
}

const FEW = 1000

/** What a group has: counts, and sums that are exact in any order. */
const GROUPED = `count(*) AS n, sum(id) AS ids, sum(depth) AS depths, min(value) AS least, max(other) AS most`

/** Starts the server, and makes the table. Floats are quarters, so that their sums are exact. */
export async function startDatabase(rows: number): Promise<Database> {
  const ends: (() => unknown)[] = []
  const postgres = await startPostgres({ teardown: (end: () => unknown) => void ends.push(end) }, [
    'max_wal_size = 4GB',
  ])
  const stop = async (): Promise<void> => {
    for (const end of ends) await end()
  }
  try {
    await postgres.run(`CREATE UNLOGGED TABLE obs AS SELECT i::bigint AS id, (i * 7919 % 1000)::int AS station,
        'platform ' || i * 31 % 48 AS platform, (i * 13 % 8000) / 4.0::float8 AS depth,
        CASE WHEN i % 100 > 0 THEN (i * 17 % 4000) / 4.0::float4 END::float4 AS value, (i * 23 % 9000) / 4.0::float8 AS other
      FROM generate_series(1, ${rows}::bigint) AS i;
      CREATE UNLOGGED TABLE few AS SELECT id, station, platform FROM obs WHERE id <= ${FEW}; ANALYZE`)
    return { url: postgres.url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Rows of a database that are grouped here, by turns with its driver of ADBC and DuckDB. The floor: `COPY` of them that nobody reads. */
export async function grouped(
  service: Service,
  { url }: Database,
  rows: number,
  rounds: number,
): Promise<Figure[]> {
  const peer = await startLinePeer('postgres_peer.py', [url])
  try {
    const turns: Turns[] = []
    for (let round = -1; round < rounds; round++) turns.push(await turn(service, peer))
    const what = `${rows / 1e6} M rows × 6 columns of PostgreSQL, grouped by a text`
    return figuresOfTurns('remotes_postgres', what, peer, together(turns.slice(1)))
  } finally {
    peer?.close()
  }
}

async function turn(service: Service, peer: LinePeer | null): Promise<Turns> {
  const columns = 'platform, n, ids, depths, least, most, stations'
  const group = (from: string): string =>
    `SELECT ${columns} FROM (SELECT platform, ${GROUPED}, sum(station) AS stations FROM ${from} GROUP BY platform) ORDER BY platform`
  let answer: Buffer = Buffer.alloc(0)
  const ms = await timed(async () => {
    answer = await service.query({ sql: group('obs') })
  })
  if (peer === null) return { service: [ms], peer: [] }
  const expected = (await peer.ask({
    fetch: 'SELECT id, station, platform, depth, value, other FROM obs',
    group: group('fetched').replaceAll(/sum\((\w+)\)/g, 'CAST(sum($1) AS DOUBLE)'),
  })) as { ms: number; rows: readonly (readonly unknown[])[] }
  const [batch = []] = answerOfStream(answer).batches
  const rows = expected.rows.map((_, row) =>
    batch.map((column) => {
      const value = column.get(row)
      return typeof value === 'bigint' ? Number(value) : value
    }),
  )
  if (!isDeepStrictEqual(rows, expected.rows))
    throw new Error(
      `the groups are not those of ${peer.name}: ${JSON.stringify([rows[0], expected.rows[0]])}`,
    )
  return { service: [ms], peer: [expected.ms] }
}
