import { join } from 'node:path'
import { answerOf, difference } from '../compare/answer.ts'
import { answerOfStream } from '../compare/arrow.ts'
import type { BenchData } from '../input/data.ts'
import type { Python } from '../input/python.ts'
import { inTurns, median, timed } from '../report/statistics.ts'
import type { Service } from '../service/service.ts'
import { type Figure, NO_PYTHON, type NoFigures } from './figure.ts'

/** The first instants of months, whose counts and means are asked for. Seconds since 1970 are in the column `time`. */
function byMonth(table: string): string {
  return `SELECT date_trunc('month', to_timestamp(time)) AS month, count(*) AS n, avg(temperature) AS mean
    FROM ${table} GROUP BY month ORDER BY month`
}

/** Months of seconds since 1970, with as many workers as the other side has threads. */
export async function months(
  services: Readonly<Record<'one' | 'two', Service>>,
  python: Python | null,
  data: BenchData,
  rounds: number,
): Promise<Figure[] | NoFigures> {
  if (python === null) return NO_PYTHON
  return [
    ...(await monthsWith(services.one, 1, python, data, rounds)),
    ...(await monthsWith(services.two, 2, python, data, rounds)),
  ]
}

async function monthsWith(
  service: Service,
  threads: 1 | 2,
  python: Python,
  { root, folder }: BenchData,
  rounds: number,
): Promise<Figure[]> {
  const sql = byMonth(`read_parquet(['${folder}/random/*.parquet'])`)
  const native = byMonth(`read_parquet('${join(root, folder, 'random')}/*.parquet')`)
  await agree(service, python, sql, native)
  const [ofService, ofPython]: [number[], number[]] = [[], []]
  // The first round is not timed.
  for (let round = -1; round < rounds; round++) {
    const ms = await timed(() => service.drain({ sql }))
    const peer = await python.run(threads, native)
    if (round < 0) continue
    ofService.push(ms)
    ofPython.push(peer.ms)
  }
  const rows = `${Number(folder) / 1e6} M rows`
  const what = `months of ${rows} by date_trunc('month', to_timestamp(time)), with counts and means, ${threads} worker${threads === 1 ? '' : 's'}`
  const peer = `DuckDB ${python.version} with icu, ${threads} thread${threads === 1 ? '' : 's'}`
  const key = `functions_month${threads === 1 ? '' : `_${threads}`}`
  return [
    { key: `${key}_service`, what, value: median(ofService), unit: 'ms' },
    { key: `${key}_peer`, what: `the same by ${peer}`, value: median(ofPython), unit: 'ms' },
    {
      key,
      what: `${what}, against ${peer}`,
      value: inTurns(ofService, ofPython),
      unit: '×',
    },
  ]
}

/** Throws when the answers differ. Months are compared as text, which has their zone; means are sums of floats in another order. */
async function agree(service: Service, python: Python, sql: string, native: string): Promise<void> {
  const asText = (query: string) => `SELECT month::VARCHAR AS month, n, mean FROM (${query})`
  const { names, batches } = answerOfStream(await service.query({ sql: asText(sql) }))
  const rows = batches.flatMap((columns) =>
    Array.from({ length: columns[0]?.length ?? 0 }, (_, row) => {
      const [month, n, mean] = columns.map((column) => column.get(row))
      return [month, Number(n), mean]
    }),
  )
  const expected = await python.rows(asText(native))
  const fault = difference({ ...answerOf(expected), names }, { ...answerOf(rows), names }, 'ordered')
  if (fault !== null) throw new Error(`months: ${fault}`)
}
