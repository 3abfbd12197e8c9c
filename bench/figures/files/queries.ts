import { join } from 'node:path'
import { FOLDER, source } from '../../input/files/sources.ts'
import { benchQueries, EIGHT } from '../../queries/queries.ts'
import { geometricMean, median, timed } from '../../report/statistics.ts'
import { save } from '../../service/save.ts'
import type { Figure } from '../figure.ts'
import { requestsFor, statement } from './asked.ts'
import { nativeFiles } from './native-files.ts'
import { PARQUET, withPlace } from './written.ts'

/** The eight queries of the benchmark over the service's Parquet file and over DuckDB's, rows in SQL, by turns. */
export function queries(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  return withPlace(scratch, root, 'queries', async ({ folder, service }) => {
    await save(service.port, (await requestsFor(root, 'parquet')).file, join(folder, 'ours.parquet'))
    const native = await nativeFiles(scratch)
    try {
      const from = `'${join(root, await source(root, 'observations'))}'`
      await native.copy(statement('parquet', from), join(folder, 'theirs.parquet'), PARQUET)
    } finally {
      native.close()
    }
    const table = (name: string) => `read_parquet(['${FOLDER}/written/${name}.parquet'])`
    const ratios: number[] = []
    for (const { key, sql } of benchQueries(0)) {
      if (!EIGHT.includes(key)) continue
      const times: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] }
      for (let round = -1; round < rounds; round++)
        for (const name of ['ours', 'theirs'] as const) {
          const text = sql({ t: table(name), part: () => table(name) })
          const ms = await timed(() => service.drain({ sql: text }))
          if (round >= 0) times[name].push(ms)
        }
      ratios.push(median(times.ours) / median(times.theirs))
    }
    const each = ratios.map((ratio) => ratio.toFixed(2)).join(', ')
    const what = `the eight queries over the Parquet file, against over that of DuckDB (${each})`
    return [{ key: 'files_queries', what, value: geometricMean(ratios), unit: '×' }]
  })
}
