import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { answersOf } from '../e2e/answers.ts'
import { startTestService } from '../e2e/service.ts'
import { post } from '../http/test-server.ts'
import { CODES, writeBbf } from './writer.ts'

const ENTRIES = 3000
const EACH = 100
const FLOAT = CODES.indexOf('Float64')

/** A file with one run of entries, each of `EACH` rows that are numbered through. The first `empty` ones have no rows. */
function fileOf(empty: number): Buffer {
  return writeBbf({
    columns: [{ name: 'x', code: FLOAT }],
    entries: Array.from({ length: ENTRIES }, (_, entry) => ({ name: `${entry}` })),
    array(_, entry) {
      const length = entry < empty ? 0 : EACH
      const first = (entry - empty) * EACH
      const values = Float64Array.from({ length }, (_, row) => first + row)
      return {
        code: FLOAT,
        dimensions: [{ name: 'row', size: length }],
        length,
        values: new Uint8Array(values.buffer),
      }
    },
    groups: () => [ENTRIES],
    compression: () => 'zstd',
  })
}

const service = await startTestService(t)
const { rowsOf } = answersOf(service)

for (const empty of [0, 1, 1024, 1100, ENTRIES - 1])
  t.test(`${empty} entries without rows`, async (t) => {
    const name = `empty-${empty}.bbf`
    writeFileSync(join(service.datasets, name), fileOf(empty))
    const rows = (ENTRIES - empty) * EACH

    await t.test('streams have each row once, in order', async (t) => {
      for (const where of ['', ' WHERE x >= 0']) {
        const table = await service.rows({ sql: `SELECT x FROM read_bbf('${name}')${where}` })
        t.equal(table.numRows, rows)
        let next = 0
        for (const value of table.getChild('x') ?? []) {
          if (value !== next) t.fail(`${value} in the place of ${next}`)
          next++
        }
      }
      const offset = Math.min(70_000, rows - 2)
      t.same(await rowsOf({ sql: `SELECT x FROM read_bbf('${name}') LIMIT 2 OFFSET ${offset}` }), [
        { x: offset },
        { x: offset + 1 },
      ])
    })

    await t.test('a limit decodes the first of them', async (t) => {
      const body = { select: ['x'], from: { bbf: { paths: [name] } }, limit: 3 }
      t.same(await rowsOf(body), [{ x: 0 }, { x: 1 }, { x: 2 }])
      const response = await post(`${service.url}/api/explain-analyze-query`, body)
      const [{ Plan }] = (await response.json()) as [{ Plan: { Extras: { rows_scanned: number } } }]
      const most = empty <= 1 ? 65_536 : rows
      t.ok(Plan.Extras.rows_scanned <= most, `${Plan.Extras.rows_scanned} rows`)
    })
  })
