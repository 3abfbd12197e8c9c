import { difference } from '../compare/answer.ts'
import { answerOfStream } from '../compare/arrow.ts'
import type { BenchData } from '../input/data.ts'
import { median, timed } from '../report/statistics.ts'
import type { Service } from '../service/service.ts'
import type { Figure } from './figure.ts'

/** Rounds, in each of which every query is timed once. */
const ROUNDS = 80

/** The same rows by path, by the name of a table, and through two nested views. */
const SOURCES = ['path', 'table', 'view'] as const

type Source = (typeof SOURCES)[number]

/** A query over one of the sources, with its name in SQL and its `from` in JSON. */
interface NamedQuery {
  readonly key: string
  readonly what: string
  body(sql: string, from: unknown): object
}

const QUERIES: readonly NamedQuery[] = [
  {
    key: 'rows',
    what: '4 columns of 10 000 rows, JSON, by the core',
    body: (_, from) => ({
      select: ['time', 'latitude', 'longitude', 'temperature'],
      from,
      filters: [{ column: 'latitude', min: -9, max: 9 }],
    }),
  },
  {
    key: 'groups',
    what: '48 groups of 83 000 rows, SQL, by the core',
    body: (sql) => ({
      sql: `SELECT platform_id, avg(temperature) AS mean, count(*) AS n FROM ${sql} WHERE latitude <= 60
        GROUP BY platform_id ORDER BY platform_id`,
    }),
  },
  {
    key: 'duckdb',
    what: '48 modes of 83 000 rows, SQL, by DuckDB',
    body: (sql) => ({
      sql: `SELECT platform_id, mode(temperature) AS middle FROM ${sql} WHERE latitude <= 60
        GROUP BY platform_id ORDER BY platform_id`,
    }),
  },
]

/**
 * How long queries take by the name of a table, and through two nested views that rename and choose columns, against the same by
 * path. All are asked by turns, and the ratios are the medians of those of each round.
 */
export async function names(service: Service, { small }: BenchData): Promise<Figure[]> {
  await service.command(`CREATE OR REPLACE EXTERNAL TABLE named STORED AS PARQUET LOCATION '${small}'`)
  await service.command(
    'CREATE OR REPLACE VIEW named_inner AS SELECT longitude, latitude AS y, temperature, platform_id AS id, time FROM named',
  )
  await service.command(
    'CREATE OR REPLACE VIEW named_outer AS SELECT time, y AS latitude, longitude, temperature, id AS platform_id FROM named_inner',
  )
  const ways = {
    path: { sql: `read_parquet('${small}')`, from: { parquet: { paths: [small] } } },
    table: { sql: 'named', from: 'named' },
    view: { sql: 'named_outer', from: 'named_outer' },
  } as const satisfies Record<Source, { readonly sql: string; readonly from: unknown }>
  const figures: Figure[] = []
  for (const { key, what, body } of QUERIES) {
    const ask = (source: Source) => service.query(body(ways[source].sql, ways[source].from))
    const expected = answerOfStream(await ask('path'))
    for (const source of SOURCES) {
      const fault = difference(expected, answerOfStream(await ask(source)), 'ordered')
      if (fault !== null) throw new Error(`${key} by ${source}: ${fault}`)
    }
    const ratios: Record<Source, number[]> = { path: [], table: [], view: [] }
    // The first rounds are not timed.
    for (let round = -8; round < ROUNDS; round++) {
      const times: Partial<Record<Source, number>> = {}
      // Each of them is the first one in a third of the rounds.
      for (const [place] of SOURCES.entries()) {
        const source = SOURCES[(place + round + 9) % SOURCES.length] ?? 'path'
        times[source] = await timed(() => ask(source))
      }
      const { path = Number.NaN } = times
      if (round >= 0) for (const source of SOURCES) ratios[source].push((times[source] ?? Number.NaN) / path)
    }
    figures.push(
      {
        key: `names_${key}`,
        what: `by name against by path: ${what}`,
        value: median(ratios.table),
        unit: '×',
      },
      {
        key: `names_${key}_views`,
        what: `through two nested views against by path: ${what}`,
        value: median(ratios.view),
        unit: '×',
      },
    )
  }
  return figures
}
