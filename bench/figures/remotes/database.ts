import { type Postgres, startPostgres } from '../../../test/postgres/server.ts'

/** A server of PostgreSQL with rows of six columns in the table `obs`, and a thousand of them in `few`. */
export interface Database extends Pick<Postgres, 'url'> {
  stop(): Promise<void>
}

const FEW = 1000

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
