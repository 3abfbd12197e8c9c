import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { GridDocument } from '../../formats/toy-grid/document.ts'
import { FORMATS_WITH_GRID } from '../../formats/toy-grid/formats.ts'
import { writeGrid } from '../../formats/toy-grid/write.ts'
import { untilSettled } from '../../support/settled.ts'
import { startTestService } from '../service.ts'

const WORKER = new URL('../../formats/toy-grid/worker.ts', import.meta.url)

const DOCUMENT: GridDocument = {
  dimensions: [
    { name: 'time', size: 6, chunk: 4, start: 0, step: 1 },
    { name: 'lat', size: 5, chunk: 2, start: -20, step: 10 },
    { name: 'lon', size: 3, chunk: 3, start: 0, step: 1 },
  ],
  variables: [{ name: 'v', dimensions: [0, 1, 2] }],
  isDeflated: true,
}

/** Statements, and the one number that each returns: how many rows its columns have. */
const COUNTED: readonly (readonly [string, number])[] = [
  ['SELECT count(*) FROM t', 90],
  ['SELECT count(lat) FROM t', 5],
  ['SELECT count(*) FROM t WHERE lat > 0', 2],
  ['SELECT count(*) FROM t WHERE lat > 0 AND time < 3', 6],
  ['SELECT count(*) FROM (SELECT lat FROM t)', 5],
  ['SELECT count(lat) FROM (SELECT lat, v FROM t)', 90],
  ['SELECT count(a.lat) FROM t AS a', 5],
  ['SELECT count(*) FROM t AS a JOIN t AS b ON a.lat = b.time', 1],
  ['WITH c AS (SELECT * FROM t) SELECT count(lon) FROM c', 90],
  ['SELECT count(*) FROM (SELECT lat FROM t UNION ALL SELECT lon FROM t)', 8],
  ['SELECT (SELECT count(lat) FROM t) + (SELECT count(time) FROM t)', 11],
  ['SELECT count(*) FROM (SELECT DISTINCT lat FROM t)', 5],
  ['SELECT count(lat) FROM t WHERE false', 0],
  ['SELECT count(*) FROM (SELECT lat FROM t LIMIT 1000)', 5],
  ['SELECT count(*) FROM (SELECT lat FROM t ORDER BY lon)', 15],
  ['SELECT count(*) FROM (SELECT lat, count(*) FROM t GROUP BY lat)', 5],
  ['SELECT max(n) FROM (SELECT lat, count(*) AS n FROM t GROUP BY lat)', 1],
]

t.test('rows follow the columns, in each engine', async (t) => {
  const service = await startTestService(t, { formats: FORMATS_WITH_GRID, worker: WORKER })
  const folder = join(service.datasets, 'a.toygrid')
  mkdirSync(folder)
  writeGrid(folder, DOCUMENT, (_, [i = 0, j = 0, k = 0]) => BigInt(i * 100 + j * 10 + k))
  await untilSettled(join(folder, 'grid.json'))
  for (const [sql, rows] of COUNTED) {
    const source = "read_toygrid('a.toygrid')"
    const named = sql
      .replaceAll(/\bt\b(?! AS)/g, `${source} AS t`)
      .replaceAll(/\bt\b AS (a|b)/g, `${source} AS $1`)
    const byDuckDb = named.startsWith('WITH') ? [] : [`WITH unused AS (SELECT 1) ${named}`]
    for (const each of [named, ...byDuckDb]) {
      const response = await service.query({ sql: each, output: { format: 'csv' } })
      const text = await response.text()
      t.equal(text.trim().split('\n').at(-1), String(rows), `${each}: ${text}`)
    }
  }
})
