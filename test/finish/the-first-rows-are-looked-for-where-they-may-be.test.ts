import { join } from 'node:path'
import { Float64, Int32, Table, tableFromArrays, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { compare } from '../../src/plan/condition/condition.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { PARQUET } from '../formats/product.ts'
import { ascending, descending, planOf } from './plan-of.ts'
import { type Answered, startPool } from './pool.ts'

const ROWS = 20_000

function unitsRead({ metrics }: Answered): number {
  return metrics.reduce((sum, each) => sum + each.unitsRead, 0)
}

t.test('units come in the order of the first key, and end when nothing better can come', async (t) => {
  const pool = startPool(t, 1)
  const folder = t.testdir({})
  writeParquetFile(join(folder, 'a.parquet'), numberedRows(ROWS), 1000)
  const table = await pool.table(folder, PARQUET)
  const ids = ({ rows }: Answered) => rows.map(([id]) => Number(id))

  const newest = await pool.run(
    planOf(table, { columns: ['id', 'name'], order: [descending(0)], limit: 3 }),
    table,
  )
  t.same(ids(newest), [ROWS - 1, ROWS - 2, ROWS - 3])
  t.same([unitsRead(newest), newest.pruned], [1, 19], 'one row group of twenty')

  const oldest = await pool.run(
    planOf(table, { columns: ['name', 'id'], order: [ascending(1)], output: [1], offset: 1500, limit: 2 }),
    table,
  )
  t.same(ids(oldest), [1500, 1501])
  t.equal(unitsRead(oldest), 2)

  const id = columnExpression('id', table.schema.fields[0]?.type ?? { kind: 'null' })
  const filtered = await pool.run(
    planOf(table, {
      columns: ['id'],
      filter: compare(id, 'lt', { kind: 'int', value: 7500n }),
      order: [descending(0)],
      limit: 2,
    }),
    table,
  )
  t.same(ids(filtered), [7499, 7498])
  t.equal(unitsRead(filtered), 1)

  const scattered = await pool.run(
    planOf(table, { columns: ['noise', 'id'], order: [ascending(0)], limit: 5 }),
    table,
  )
  const noise = [...(numberedRows(ROWS).getChild('noise')?.toArray() ?? [])].toSorted((a, b) => a - b)
  t.same(
    scattered.rows.map(([value]) => Number(value)),
    noise.slice(0, 5),
  )
})

t.test('of equal keys the first rows of the files win, whatever is read first', async (t) => {
  const pool = startPool(t, 2)
  const folder = t.testdir({})
  const id = Int32Array.from({ length: 4000 }, (_, row) => row)
  // The least value of every row group is 0, and the greatest rises from group to group.
  const key = Int32Array.from(id, (row) => (row % 2 === 0 ? 0 : Math.floor(row / 100)))
  writeParquetFile(join(folder, 'a.parquet'), tableFromArrays({ id, key }), 100)
  const table = await pool.table(folder, PARQUET)
  const order = [ascending(1)]
  const { rows } = await pool.run(planOf(table, { columns: ['id', 'key'], order, limit: 120 }), table, {
    mergeBytes: 1,
  })
  const expected = [...id].toSorted((a, b) => (key[a] ?? 0) - (key[b] ?? 0)).slice(0, 120)
  t.same(
    rows.map(([value]) => Number(value)),
    expected,
  )
})

t.test('nulls and NaN come where they belong, though statistics do not tell of them', async (t) => {
  const pool = startPool(t, 2)
  const folder = t.testdir({})
  const rows = 3000
  const float = Array.from({ length: rows }, (_, row) =>
    row === 77 ? Number.NaN : row % 1000 === 5 ? null : row,
  )
  const whole = float.map((value) => (Number.isNaN(value) ? 77 : value))
  writeParquetFile(
    join(folder, 'a.parquet'),
    new Table({
      float: vectorFromArray(float, new Float64()),
      whole: vectorFromArray(whole, new Int32()),
    }),
    500,
  )
  const table = await pool.table(folder, PARQUET)
  const first = async (place: 0 | 1, key: ReturnType<typeof ascending>) => {
    const columns = [['float', 'whole'][place] ?? '']
    const answer = await pool.run(planOf(table, { columns, order: [key], limit: 3 }), table)
    return answer.rows.map(([value]) => (value === null ? null : Number(value)))
  }
  t.same(await first(0, descending(0)), [Number.NaN, 2999, 2998])
  t.same(await first(0, { ...descending(0), areNullsFirst: true }), [null, null, null])
  t.same(await first(1, descending(0)), [2999, 2998, 2997])
  t.same(await first(1, { ...ascending(0), areNullsFirst: true }), [null, null, null])
  t.same(await first(1, ascending(0)), [0, 1, 2])
})
