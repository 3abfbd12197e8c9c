import type { Data } from 'apache-arrow'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'

/** Statements that DuckDB runs, with nulls where its vectors have held other values. */
const TYPES = [
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'FLOAT',
  'DOUBLE',
  'TIMESTAMP',
  'DECIMAL(30,2)',
  'UUID',
] as const

const ROWS = 5000

function valueIn(type: (typeof TYPES)[number]): string {
  if (type === 'TIMESTAMP') return "TIMESTAMP '2024-01-01' + INTERVAL (i) SECOND"
  return type === 'UUID' ? 'md5(i::VARCHAR)::UUID' : `(i + 1)::${type}`
}

t.test('what lies under a null is zero, whatever DuckDB has held there', async (t) => {
  const service = await startTestService(t)
  const columns = TYPES.map((type, at) => `CASE WHEN i % 3 = 0 THEN ${valueIn(type)} END AS c${at}`)
  const sql = `SELECT ${columns.join(', ')}, NULL AS nothing FROM range(${ROWS}) r(i)`
  await service.rows({ sql: sql.replaceAll('i % 3 = 0', 'i % 3 = 1') })
  const table = await service.rows({ sql })
  t.equal(table.numRows, ROWS)
  for (const [index, { name }] of table.schema.fields.entries()) {
    const data: readonly Data[] = table.getChildAt(index)?.data ?? []
    const wrong = data.flatMap(({ values, length, nullBitmap, offset }) => {
      const bytes =
        values === undefined ? [] : new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
      const width = bytes.length / length
      return Array.from({ length }, (_, row) => row).filter((row) => {
        const isNull = (((nullBitmap?.[(offset + row) >> 3] ?? 0xff) >> ((offset + row) & 7)) & 1) === 0
        return isNull && bytes.slice(row * width, (row + 1) * width).some((byte) => byte !== 0)
      })
    })
    t.same(wrong, [], name)
  }
})
