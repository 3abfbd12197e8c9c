import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { addJointFragment, type JointFragments, jointMemory } from '../../src/plan/task/joint.ts'
import type { Part } from '../../src/plan/task/part.ts'
import { writeParquetFile } from '../e2e/parquet-file.ts'
import { csvFormat, PARQUET } from '../formats/product.ts'
import { planOf } from './plan-of.ts'
import { startPool } from './pool.ts'

const ROWS = 60_000
const UNITS = 6

t.test('groups of few tasks are finished by one of these, and others by a task of their own', async (t) => {
  const pool = startPool(t, 2)
  const folder = t.testdir({ parquet: {}, csv: {} })
  const key = Int32Array.from({ length: ROWS }, (_, row) => row % 3)
  const many = Int32Array.from({ length: ROWS }, (_, row) => row % 5000)
  const value = Float64Array.from({ length: ROWS }, (_, row) => row)
  writeParquetFile(join(folder, 'parquet', 'a.parquet'), tableFromArrays({ key, many, value }), ROWS / UNITS)
  const table = await pool.table(join(folder, 'parquet'), PARQUET)
  const run = (columns: string[], keys: number[], more: object = {}) => {
    const grouping = {
      keys,
      aggregates: [{ kind: 'avg', argument: columns.length - 1 } as const],
      having: null,
    }
    return pool.run(planOf(table, { columns, grouping, ...more }), table, { batchRows: 1 })
  }

  const all = await run(['value'], [])
  t.same([all.rows, all.metrics.length], [[[(ROWS - 1) / 2]], UNITS])
  const few = await run(['key', 'value'], [0])
  const means = [0, 1, 2].map((each) => [each, (ROWS - 3) / 2 + each])
  t.same([few.rows, few.metrics.length], [means, UNITS])
  const limited = await run(['key', 'value'], [0], { offset: 1, limit: 1 })
  t.same([limited.rows, limited.metrics.length], [means.slice(1, 2), UNITS])
  const large = await run(['many', 'value'], [0])
  t.same([large.rows.length, large.metrics.length], [5000, UNITS + 1])

  writeFileSync(join(folder, 'csv', 'a.csv'), `key,value\n${'1,2\n'.repeat(3_000_000)}`)
  const text = await pool.table(join(folder, 'csv'), csvFormat())
  const grouping = { keys: [0], aggregates: [{ kind: 'count_rows' } as const], having: null }
  const ofText = await pool.run(planOf(text, { columns: ['key'], grouping }), text, { batchRows: 1 })
  t.same(ofText.rows, [[1n, 3_000_000n]])
  const blocks = ofText.metrics.filter(({ unitsRead }) => unitsRead > 0).length
  t.ok(blocks > 1, 'of text several units are read')
  t.equal(ofText.metrics.length, blocks + 1, 'whose fragments are finished when all are in place')
})

t.test('of fragments written in any order one task gets all, in theirs', (t) => {
  const fragment = (bytes: number): Part[] => [
    { rows: 1, from: 0, payload: { kind: 'groups', bytes: Uint8Array.of(bytes).buffer } },
  ]
  const ending = {
    finish: { grouping: null, order: [], output: [], isCounted: false },
    offset: 0,
    limit: 1,
    types: [],
  }
  const bytesOf = (parts: readonly Part[] | null) =>
    parts?.map(({ payload }) => (payload.kind === 'groups' ? [...new Uint8Array(payload.bytes)] : []))
  const memory = jointMemory(3)
  const joint = (index: number): JointFragments => ({ memory, tasks: 3, index, ending, fields: [] })
  t.equal(addJointFragment(joint(2), fragment(7)), null)
  t.equal(addJointFragment(joint(2), fragment(7)), null, 'a task that is run again')
  t.equal(addJointFragment(joint(0), fragment(5)), null)
  t.same(bytesOf(addJointFragment(joint(1), [])), [[5], [7]], 'one has no rows')
  t.equal(addJointFragment(joint(1), []), null, 'once')

  const others = jointMemory(2)
  const large: Part = { rows: 1, from: 0, payload: { kind: 'groups', bytes: new ArrayBuffer(1 << 20) } }
  t.equal(addJointFragment({ ...joint(0), memory: others, tasks: 2 }, [large]), null)
  t.equal(addJointFragment({ ...joint(1), memory: others, tasks: 2 }, []), null, 'one is too large')
  t.end()
})
