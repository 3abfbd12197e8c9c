import { join } from 'node:path'
import { fingerprintOfStream } from './arrow.ts'
import { type BenchData, layoutFiles } from './data.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Flags } from './flags.ts'
import { type Native, native } from './native.ts'
import { dropFromPageCache } from './page-cache.ts'
import { type BenchQuery, benchQueries, countSql } from './queries.ts'
import { RefusedError, type Service } from './service.ts'
import { median, timed } from './statistics.ts'

/** Service with 1 and 2 workers, over HTTP; native DuckDB with 1 thread and all, in this process. */
export type Engine = 'service1' | 'service2' | 'native1' | 'nativeAll'

export type Timings = Partial<Record<Engine, number>>

/** Medians, milliseconds. */
export interface Comparison {
  readonly layout: string
  readonly query: string
  readonly rows: number
  /** Rows form: the answer is delivered and read to its end. */
  readonly warm: Timings
  /** The same, each run after the files' pages were dropped from the page cache; null where that is not possible. */
  readonly cold: Timings | null
  /** Count form, native only: execution alone. */
  readonly count: Timings
  /** Why the service has no times. */
  readonly refused?: string
}

/** Runs every query by every engine, interleaved. Throws when two engines disagree about an answer. */
export async function compare(
  services: { readonly one: Service; readonly two: Service },
  data: BenchData,
  { only, rounds }: Flags,
): Promise<Comparison[]> {
  const queries = benchQueries(data.once).filter(({ key }) => only === null || only.has(key))
  const comparisons: Comparison[] = []
  for (const layout of data.layouts) {
    const glob = `${layout}/*.parquet`
    const natives = {
      one: await native(join(data.root, glob), 1),
      all: await native(join(data.root, glob), null),
    }
    const files = layoutFiles(data.root, layout)
    for (const query of queries) {
      const body = query.json && { ...query.json, from: { parquet: { paths: [glob] } } }
      const { rows, refused } = await agree(query, body, services, natives)
      const engines: Partial<Record<Engine, () => Promise<unknown>>> = {
        ...(body !== null &&
          refused === undefined && {
            service1: () => services.one.query(body),
            service2: () => services.two.query(body),
          }),
        native1: () => natives.one.rows(query.sql),
        nativeAll: () => natives.all.rows(query.sql),
      }
      const counting = {
        native1: () => natives.one.rows(countSql(query)),
        nativeAll: () => natives.all.rows(countSql(query)),
      }
      comparisons.push({
        layout,
        query: query.key,
        rows,
        warm: await interleaved(engines, rounds),
        cold: dropFromPageCache(files)
          ? await interleaved(engines, rounds, () => dropFromPageCache(files))
          : null,
        count: await interleaved(counting, rounds),
        ...(refused !== undefined && { refused }),
      })
    }
    natives.one.close()
    natives.all.close()
  }
  return comparisons
}

/** The number of rows, once all engines that can answer have given the same multiset of rows. */
async function agree(
  query: BenchQuery,
  body: object | null,
  services: { readonly one: Service; readonly two: Service },
  natives: { readonly one: Native; readonly all: Native },
): Promise<{ readonly rows: number; readonly refused?: string }> {
  const expected = await natives.one.fingerprint(query.sql)
  if (body === null) return { rows: expected.rows, refused: 'not in the JSON language' }
  try {
    for (const service of [services.one, services.two])
      check(query, expected, fingerprintOfStream((await service.query(body)).body))
  } catch (error) {
    if (error instanceof RefusedError && error.status === 400)
      return { rows: expected.rows, refused: error.message }
    throw error
  }
  check(query, expected, await natives.all.fingerprint(query.sql))
  return { rows: expected.rows }
}

function check({ key }: BenchQuery, expected: Fingerprint, actual: Fingerprint): void {
  if (expected.rows !== actual.rows || expected.hash !== actual.hash)
    throw new Error(
      `${key}: answers differ: ${expected.rows} rows (${expected.hash}) and ${actual.rows} (${actual.hash})`,
    )
}

/** Median time of each, run in turns, after one turn that does not count. */
async function interleaved(
  runs: Partial<Record<Engine, () => Promise<unknown>>>,
  rounds: number,
  before: () => void = () => {},
): Promise<Timings> {
  const times = new Map<Engine, number[]>()
  for (let round = -1; round < rounds; round++) {
    for (const [name, run] of Object.entries(runs)) {
      before()
      const ms = await timed(run)
      const engine = name as Engine
      if (round >= 0) times.set(engine, [...(times.get(engine) ?? []), ms])
    }
  }
  return Object.fromEntries([...times].map(([engine, ms]) => [engine, median(ms)]))
}
