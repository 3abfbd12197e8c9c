import { isDeepStrictEqual } from 'node:util'
import { answerOfStream } from '../../compare/arrow.ts'
import { type LinePeer, startLinePeer } from '../../input/line-peer.ts'
import { timed } from '../../report/statistics.ts'
import type { Service } from '../../service/service.ts'
import type { Figure } from '../figure.ts'
import { figuresOfTurns, type Turns, together } from '../peer-turns.ts'

/** What a group has: counts, and sums that are exact in any order. Sums of floats are made of no groups there. */
const GROUPED = `count(*) AS n, sum(id) AS ids, sum(depth) AS depths, min(value) AS least, max(other) AS most`

/** A table `obs` of a database, and who else reads it. */
export interface GroupedThere {
  readonly key: string
  /** The name of its kind. */
  readonly kind: string
  /** The table here. */
  readonly table: string
  /** A script of bench/input, and its arguments. */
  readonly peer: readonly [script: string, ...args: string[]]
}

/** Rows of a database that are grouped here, by turns with a driver of Python and DuckDB. */
export async function grouped(
  service: Service,
  there: GroupedThere,
  rows: number,
  rounds: number,
): Promise<Figure[]> {
  const [script, ...args] = there.peer
  const peer = await startLinePeer(script, args)
  try {
    const turns: Turns[] = []
    for (let round = -1; round < rounds; round++) turns.push(await turn(service, peer, there.table))
    const what = `${rows / 1e6} M rows × 6 columns of ${there.kind}, grouped by a text`
    return figuresOfTurns(there.key, what, peer, together(turns.slice(1)))
  } finally {
    peer?.close()
  }
}

async function turn(service: Service, peer: LinePeer | null, table: string): Promise<Turns> {
  const columns = 'platform, n, ids, depths, least, most, stations'
  const group = (from: string): string =>
    `SELECT ${columns} FROM (SELECT platform, ${GROUPED}, sum(station) AS stations FROM ${from} GROUP BY platform) ORDER BY platform`
  let answer: Buffer = Buffer.alloc(0)
  const ms = await timed(async () => {
    answer = await service.query({ sql: group(table) })
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
