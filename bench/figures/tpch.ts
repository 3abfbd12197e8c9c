import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerOf, difference } from '../compare/answer.ts'
import { answerOfStream } from '../compare/arrow.ts'
import { arrayData } from '../input/array-data.ts'
import type { Python } from '../input/python.ts'
import { median, timed } from '../report/statistics.ts'
import type { Services } from '../service/service.ts'
import { type Figure, NO_PYTHON, type NoFigures } from './figure.ts'

/** Queries of TPC-H over the table lineitem. Decimals are compared as floats. */
const QUERIES: Readonly<Record<'q1' | 'q6', (table: string) => string>> = {
  q1: (
    table,
  ) => `SELECT l_returnflag, l_linestatus, sum(l_quantity) AS sum_qty, sum(l_extendedprice) AS sum_base_price,
      sum(l_extendedprice * (1 - l_discount)) AS sum_disc_price,
      sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS sum_charge,
      avg(l_quantity) AS avg_qty, avg(l_extendedprice) AS avg_price, avg(l_discount) AS avg_disc, count(*) AS count_order
    FROM ${table} WHERE l_shipdate <= DATE '1998-09-02'
    GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus`,
  q6: (table) => `SELECT sum(l_extendedprice * l_discount) AS revenue FROM ${table}
    WHERE l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01'
      AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24`,
}

/** What differs between engines in the results that are floats. Relative. */
const NUMBERS: Readonly<Record<keyof typeof QUERIES, readonly string[]>> = {
  q1: [
    ...['sum_qty', 'sum_base_price', 'sum_disc_price', 'sum_charge', 'avg_qty', 'avg_price', 'avg_disc'],
    'count_order',
  ],
  q6: ['revenue'],
}

/**
 * Q1 and Q6 of TPC-H at scale factor 1, over Parquet by tpchgen-cli, in one worker and in two, against DuckDB for Python with as many threads.
 * Throws when answers differ. Without that Python, or without tpchgen-cli, there are no figures.
 */
export async function tpch(
  services: Services,
  python: Python | null,
  root: string,
  rounds: number,
): Promise<Figure[] | NoFigures> {
  if (python === null) return NO_PYTHON
  const name = lineitem(root)
  if (typeof name !== 'string') return name
  readFileSync(join(root, name))
  const figures: Figure[] = []
  for (const [key, query] of Object.entries(QUERIES)) {
    const sql = query(`read_parquet(['${name}'])`)
    const native = query(`read_parquet('${join(root, name)}')`)
    const asFloats = (statement: string) =>
      `SELECT * REPLACE (${NUMBERS[key as keyof typeof QUERIES].map((column) => `${column}::DOUBLE AS ${column}`).join()}) FROM (${statement})`
    for (const [workers, service] of [services.one, services.two].entries()) {
      const threads = workers + 1
      const answer = answerOfStream(await service.query({ sql: asFloats(sql) }))
      const expected = { ...answerOf(await python.rows(asFloats(native))), names: answer.names }
      const fault = difference(expected, answer, 'ordered')
      if (fault !== null) throw new Error(`${key}: ${fault}`)
      const [times, others]: [number[], number[]] = [[], []]
      // The first round is not timed.
      for (let round = -1; round < rounds; round++) {
        const ms = await timed(() => service.drain({ sql }))
        const peer = await python.run(threads, native)
        if (round < 0) continue
        times.push(ms)
        others.push(peer.ms)
      }
      const what = `TPC-H ${key.toUpperCase()}, scale factor 1, ${threads === 1 ? '1 worker' : '2 workers'}`
      const peer = `DuckDB ${python.version}, ${threads === 1 ? '1 thread' : '2 threads'}`
      figures.push(
        { key: `tpch_${key}_${threads}_service`, what, value: median(times), unit: 'ms' },
        {
          key: `tpch_${key}_${threads}_peer`,
          what: `the same by ${peer}`,
          value: median(others),
          unit: 'ms',
        },
        {
          key: `tpch_${key}_${threads}`,
          what: `${what}, against ${peer}`,
          value: median(times.map((ms, round) => ms / (others[round] ?? Number.NaN))),
          unit: '×',
        },
      )
    }
  }
  return figures
}

/** The name of the file of the table, which is made unless it is there. */
function lineitem(root: string): string | NoFigures {
  try {
    return arrayData(root, 'lineitem.parquet')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { missing: `${reason.trim()}: set HALOCLINE_ARRAY_PYTHON to a Python that has tpchgen-cli` }
  }
}
