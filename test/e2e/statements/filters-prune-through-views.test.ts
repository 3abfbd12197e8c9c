import { join } from 'node:path'
import t from 'tap'
import type { TableSource } from '../../../src/main/catalog/catalog.ts'
import { changingCatalog } from '../../catalog/two-tables.ts'
import { PARQUET } from '../../formats/product.ts'
import { post } from '../../http/test-server.ts'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const GROUPS = 10
const ROWS = 2048

const catalog = changingCatalog()
const service = await startTestService(t, { workers: 1, catalog })
writeParquetFile(join(service.datasets, 't.parquet'), numberedRows(GROUPS * ROWS), ROWS)
const source: TableSource = {
  kind: 'parts',
  format: PARQUET,
  parts: [{ paths: ['t.parquet'], constants: {} }],
}
catalog.define('t', source)
catalog.view('renamed', 'SELECT name AS id, id AS "the id", noise FROM t', 't')
// A window keeps the core from running what reads it.
catalog.view(
  'nested',
  'SELECT "the id" AS k, id AS word FROM public.renamed WHERE "the id" >= 2048',
  'renamed',
)

interface Analyzed {
  readonly unitsPruned: number
  readonly sum: number
}

/** A statement for DuckDB that sums up an expression of some rows. */
async function analyze(sum: string, from: string): Promise<Analyzed> {
  const sql = `SELECT coalesce(sum(${sum} | 0), 0)::BIGINT AS n FROM ${from}`
  const analyzed = await post(`${service.url}/api/explain-analyze-query`, { sql })
  const text = await analyzed.text()
  t.match(text, /"engine":"duckdb"|DuckDB/i, sql)
  const rows = await service.query({ sql, output: { format: 'csv' } })
  return {
    unitsPruned: Number(/"units_pruned":(\d+)/.exec(text)?.[1]),
    sum: Number((await rows.text()).split('\n')[1]),
  }
}

const sumOf = (from: number, to: number): number => ((from + to - 1) * (to - from)) / 2

t.test('as they do over the file', async (t) => {
  for (const [where, from, to] of [
    ['= 5000', 5000, 5001],
    ['BETWEEN 3000 AND 4999', 3000, 5000],
    ['> 20000', 20_001, GROUPS * ROWS],
    ['IN (2048, 9000)', null, null],
  ] as const) {
    const byPath = await analyze('id', `read_parquet('t.parquet') WHERE id ${where}`)
    t.ok(byPath.unitsPruned > 0, where)
    if (from !== null) t.equal(byPath.sum, sumOf(from, to), where)
    t.same(await analyze('id', `t WHERE id ${where}`), byPath, `${where}, by name`)
    t.same(await analyze('k', `nested WHERE k ${where}`), byPath, `${where}, through two views`)
    t.same(await analyze('"the id"', `renamed WHERE "the id" ${where}`), byPath, `${where}, through one`)
  }
  t.same(await analyze('k', 'nested'), { unitsPruned: 1, sum: sumOf(2048, GROUPS * ROWS) }, "a view's own")
})

t.test('as the view is now', async (t) => {
  const bounds = [
    [0, 100],
    [5000, 9000],
    [20_000, 20_480],
    [2048, 2049],
    [0, 100],
  ] as const
  catalog.view('over', 'SELECT k | 0 AS k FROM cut WHERE k % 1 = 0', 'cut')
  for (const [from, to] of bounds) {
    catalog.view('cut', `SELECT id AS k FROM t WHERE id >= ${from} AND id < ${to}`, 't')
    for (const name of ['cut', 'over']) {
      const { sum, unitsPruned } = await analyze('k', name)
      t.equal(sum, sumOf(from, to), `${name} from ${from} to ${to}`)
      t.equal(unitsPruned, GROUPS - 1 - Math.floor((to - 1) / ROWS) + Math.floor(from / ROWS), name)
    }
  }
  catalog.view('cut', 'SELECT -id AS k FROM t WHERE id < 3', 't')
  t.same(await analyze('k', 'cut'), { unitsPruned: GROUPS - 1, sum: -3 })
})
