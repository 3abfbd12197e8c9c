import { join } from 'node:path'
import {
  type DataType,
  Field,
  Float16,
  Float32,
  Int32,
  List,
  Struct,
  Table,
  TimestampMillisecond,
  TimestampNanosecond,
  vectorFromArray,
} from 'apache-arrow'
import t, { type Test } from 'tap'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const FILES = ['a.parquet', 'b.parquet']

const QUERY = { select: ['x'], from: { parquet: { paths: FILES } } }

/** Starts a service over two files that have one column `x` each. */
async function startOver(t: Test, columns: readonly (readonly [readonly unknown[], DataType])[]) {
  const service = await startTestService(t, { workers: 1 })
  for (const [i, [values, type]] of columns.entries()) {
    const table = new Table({ x: vectorFromArray([...values], type) })
    writeParquetFile(join(service.datasets, FILES[i] ?? ''), table, 1024)
  }
  return service
}

const list = (name: string, nullable: boolean) => new List(new Field(name, new Int32(), nullable))

t.test('their lists may call items what they like', async (t) => {
  const { rows } = await startOver(t, [
    [[[1, 2], []], list('item', false)],
    [[[3], null], list('element', true)],
  ])
  const table = await rows(QUERY)
  t.equal(String(table.schema.fields[0]?.type), 'List<Int32>')
  t.same(JSON.parse(JSON.stringify(table.toArray())), [{ x: [1, 2] }, { x: [] }, { x: [3] }, { x: null }])
})

t.test('their structs may say of a field that it is never null', async (t) => {
  const struct = (nullable: boolean) => new Struct([new Field('y', new Int32(), nullable)])
  const { rows } = await startOver(t, [
    [[{ y: 1 }], struct(false)],
    [[{ y: null }], struct(true)],
  ])
  const table = await rows(QUERY)
  t.same(JSON.parse(JSON.stringify(table.toArray())), [{ x: { y: 1 } }, { x: { y: null } }])
})

t.test('half floats and wider numbers', async (t) => {
  const { rows } = await startOver(t, [
    [[1.5, null, -0.25], new Float16()],
    [[3.25], new Float32()],
  ])
  const table = await rows({ ...QUERY, filter: { column: 'x', gt: 1 } })
  t.equal(String(table.schema.fields[0]?.type), 'Float32')
  t.same(
    table.toArray().map((row) => row?.x),
    [1.5, 3.25],
  )
})

t.test('a value that the finer unit cannot hold is an error that says where it is', async (t) => {
  const { query } = await startOver(t, [
    [[Date.UTC(4000, 0)], new TimestampMillisecond()],
    [[0], new TimestampNanosecond()],
  ])
  const response = await query(QUERY)
  t.equal(response.status, 400)
  const message = String(await response.json())
  for (const part of ['"x"', '"a.parquet"', 'Timestamp(ms)', 'Timestamp(ns)'])
    t.ok(message.includes(part), part)
})
