import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromArrays, tableToIPC } from 'apache-arrow'
import { Compression, EnabledStatistics, Table, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm'
import t from 'tap'
import type { WorkerMetrics } from '../../src/plan/task/worker-metrics.ts'
import { PARQUET } from '../formats/product.ts'
import { ascending, descending, planOf } from './plan-of.ts'
import { type Answered, startPool } from './pool.ts'

const ROWS = 20_000
const UNIT_ROWS = 4000
const UNITS = ROWS / UNIT_ROWS

/** A text that cannot be compressed much. */
const textOf = (row: number) => createHash('md5').update(`${row}`).digest('hex')
const rows = Array.from({ length: ROWS }, (_, row) => row)
const columns = tableFromArrays({
  rising: Int32Array.from(rows),
  few: Int32Array.from(rows, (row) => (row * 31) % 53),
  many: Int32Array.from(rows, (row) => (row * 31) % 9001),
  // With a null the writer cuts pages at their size.
  text: rows.map((row) => (row === 5 ? null : textOf(row))),
  holes: rows.map((row) => (row >= ROWS - 53 ? null : textOf(row))),
})
const pool = startPool(t, 2)
const folder = t.testdir({})
const properties = new WriterPropertiesBuilder()
  .setCompression(Compression.SNAPPY)
  .setMaxRowGroupSize(UNIT_ROWS)
  .setDataPageSizeLimit(8 << 10)
  .setWriteBatchSize(64)
  .setDictionaryEnabled(false)
  .setStatisticsEnabled(EnabledStatistics.Page)
  .build()
writeFileSync(
  join(folder, 'a.parquet'),
  writeParquet(Table.fromIPCStream(tableToIPC(columns, 'stream')), properties),
)
const table = await pool.table(folder, PARQUET)

function sum({ metrics }: Answered, member: keyof WorkerMetrics): number {
  return metrics.reduce((total, each) => total + (each[member] ?? 0), 0)
}

/** How many groups the last task tells that knows it, as the figures of a query have it. */
function groupsOf({ metrics }: Answered): number | null {
  return metrics.reduce<number | null>((groups, each) => each.groups ?? groups, null)
}

/** The row of each group that comes last in the file. */
function lastRows(key: (row: number) => number): readonly number[] {
  return [...new Map(rows.map((row) => [key(row), row])).values()].toSorted((a, b) => a - b)
}

const FIRSTS = { keys: [0], order: [descending(1)], most: 1, isNumbered: false }

t.test('of first rows of groups, other columns are read for the rows of the answer', async (t) => {
  const plan = planOf(table, { columns: ['few', 'rising', 'text'], firsts: FIRSTS, output: [1, 2] })
  const answer = await pool.run(plan, table, { batchRows: UNIT_ROWS })
  t.same(
    answer.rows.map(([row, text]) => [Number(row), text]),
    lastRows((row) => (row * 31) % 53).map((row) => [row, textOf(row)]),
  )
  t.equal(sum(answer, 'rowsReadLate'), 53)
  t.same([sum(answer, 'rowsScanned'), sum(answer, 'unitsRead')], [ROWS, UNITS], 'rows and units count once')
  t.equal(groupsOf(answer), 53)
  const keys = await pool.run(
    planOf(table, { columns: ['few', 'rising'], firsts: FIRSTS, output: [1] }),
    table,
    { batchRows: UNIT_ROWS },
  )
  t.equal(sum(keys, 'rowsReadLate'), 0, 'nothing is left to read')
  // All rows of the answer are on the last page of the last unit.
  const late = sum(answer, 'bytesRead') - sum(keys, 'bytesRead')
  t.ok(late < (ROWS * 32) / UNITS, `${late} bytes`)
})

t.test('a limit is applied before other columns are read', async (t) => {
  const parts = { firsts: FIRSTS, order: [ascending(0)], output: [0, 2], offset: 3, limit: 7 }
  const plan = planOf(table, { columns: ['many', 'rising', 'text'], ...parts })
  const answer = await pool.run(plan, table, { batchRows: UNIT_ROWS })
  const last = new Map(rows.map((row) => [(row * 31) % 9001, row]))
  t.same(
    answer.rows.map(([many, text]) => [Number(many), text]),
    Array.from({ length: 7 }, (_, index) => [index + 3, textOf(last.get(index + 3) ?? 0)]),
  )
  t.equal(sum(answer, 'rowsReadLate'), 10)
  t.equal(groupsOf(answer), 9001, 'the first rows that there are')
})

t.test('an order by a column that is read late is that of all first rows', async (t) => {
  const parts = { firsts: { ...FIRSTS, most: 2, isNumbered: true }, order: [ascending(2)], limit: 5 }
  const plan = planOf(table, { columns: ['few', 'rising', 'text'], ...parts, output: [1, 2] })
  const answer = await pool.run(plan, table, { batchRows: UNIT_ROWS })
  t.equal(sum(answer, 'rowsReadLate'), 106)
  const firsts = rows.slice(-106).toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
  t.same(
    answer.rows.map(([row]) => Number(row)),
    firsts.slice(0, 5),
  )
})

t.test('of arg_max, texts are read for the rows that win in their unit', async (t) => {
  const grouping = {
    keys: [0],
    aggregates: [{ kind: 'arg_max', argument: 2, by: 1 }, { kind: 'count_rows' }],
    having: null,
  } as const
  const extremeOf = (column: string) =>
    pool.run(planOf(table, { columns: ['few', 'rising', column], grouping }), table, {
      batchRows: UNIT_ROWS,
    })
  const expected = (end: number) =>
    new Map(rows.slice(0, end).map((row) => [(row * 31) % 53, textOf(row)] as const))
  const texts = ({ rows }: Answered) => new Map(rows.map(([few, text]) => [Number(few), text]))
  const answer = await extremeOf('text')
  t.same(texts(answer), expected(ROWS))
  // Of some fifteen pages of each unit, the last one has all winners.
  t.ok(sum(answer, 'pagesSkipped') >= UNITS * 10, `${sum(answer, 'pagesSkipped')} pages are skipped`)
  t.same([sum(answer, 'rowsScanned'), sum(answer, 'unitsRead')], [ROWS, UNITS])

  const withNulls = await extremeOf('holes')
  t.same(texts(withNulls), expected(ROWS - 53), 'a row whose value is null does not count')
})
