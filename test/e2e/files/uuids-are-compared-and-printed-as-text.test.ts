import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from 'apache-arrow'
import t from 'tap'
import { printUuid } from '../../../src/plan/types/uuid.ts'
import { fixture } from '../../formats/fixtures.ts'
import { post } from '../../http/test-server.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t)
const { query, rows } = service
copyFileSync(fixture('parquet', 'uuid'), join(service.datasets, 'uuid.parquet'))
copyFileSync(fixture('parquet', 'duckdb-uuid'), join(service.datasets, 'duckdb.parquet'))
copyFileSync(fixture('arrow', 'uuid'), join(service.datasets, 'uuid.arrow'))

const SOURCES = [
  { from: { parquet: { paths: ['uuid.parquet'] } }, table: "read_parquet('uuid.parquet')" },
  { from: { arrow: { paths: ['uuid.arrow'] } }, table: "read_arrow('uuid.arrow')" },
]

/** The number of each row, and the text of its UUID. */
async function written(from: object): Promise<readonly (readonly [n: number, id: string])[]> {
  const answer = await query({ select: ['n', 'id'], from, output: { format: 'csv' } })
  return (await answer.text())
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([n = '', id = '']) => [Number(n), id] as const)
}

function numbers(table: Table): number[] {
  return [...(table.getChild('n') ?? [])].map(Number)
}

function idOf(table: Table, row: number): string | null {
  const bytes: Uint8Array | null = table.getChild('id')?.get(row) ?? null
  return bytes === null ? null : printUuid(bytes)
}

for (const { from, table } of SOURCES)
  t.test(table, async (t) => {
    const all = await written(from)
    const ids = all.filter(([, id]) => id !== '')
    const [n, id] = ids[20] ?? [0, '']
    const [, other] = ids[7] ?? [0, '']

    await t.test('leave as 16 bytes that are marked, and as text in CSV', async (t) => {
      t.equal(all.length, 40)
      for (const [, text] of ids) t.match(text, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      for (const body of [
        { select: ['n', 'id'], from },
        { select: ['n', 'id'], from, sort_by: [{ Asc: 'n' }] },
        { select: ['n', { function: 'coalesce', args: ['id', 'id'], alias: 'id' }], from },
        { sql: `SELECT n, id FROM ${table}` },
        { sql: `SELECT n, id FROM ${table} WHERE n % 1 = 0` },
        { sql: `SELECT n, id::VARCHAR::UUID AS id FROM ${table} ORDER BY n` },
      ]) {
        const answer = await rows(body)
        const field = answer.schema.fields.find(({ name }) => name === 'id')
        t.equal(String(field?.type), 'FixedSizeBinary[16]')
        t.equal(field?.metadata.get('ARROW:extension:name'), 'arrow.uuid')
        t.same(
          numbers(answer).map((each, row) => [each, idOf(answer, row) ?? '']),
          all,
          JSON.stringify(body),
        )
      }
      const csv = await query({
        sql: `SELECT n, id FROM ${table} WHERE n % 1 = 0`,
        output: { format: 'csv' },
      })
      t.equal(await csv.text(), ['n,id', ...all.map((row) => row.join(','))].join('\n').concat('\n'))
    })

    await t.test('are text in JSON, in lists too', async (t) => {
      const answer = await query({ select: ['id', 'ids'], from, limit: 2, output: { format: 'json' } })
      const { rows } = (await answer.json()) as { rows: unknown }
      t.same(rows, [
        [all[0]?.[1], []],
        [all[1]?.[1], [all[1]?.[1], null]],
      ])
    })

    await t.test('compare with text', async (t) => {
      const later = ids.filter(([, text]) => text > id).map(([each]) => each)
      for (const [body, found] of [
        [{ filter: { column: 'id', eq: id } }, [n]],
        [{ filter: { column: 'id', eq: id.toUpperCase().replaceAll('-', '') } }, [n]],
        [{ filter: { column: 'id', gt: id } }, later],
        [
          { filter: { column: 'id', in: [id, other] } },
          ids.filter(([, each]) => each === id || each === other).map(([each]) => each),
        ],
        [{ filter: { column: 'id', eq: null } }, all.filter(([, each]) => each === '').map(([each]) => each)],
      ] as const)
        t.same(numbers(await rows({ select: ['n'], from, ...body })), found, JSON.stringify(body))
      for (const [where, found] of [
        [`id = '${id}'`, [n]],
        [`id = '${id.toUpperCase()}'`, [n]],
        [`id = '${id}'::UUID`, [n]],
        [`id = '${id}' AND n % 1 = 0`, [n]],
        [`id > '${id}'`, later],
        [`id > '${id}' AND n % 1 = 0`, later],
        [`id IN ('${id}', '${'0'.repeat(8)}-0000-0000-0000-000000000000')`, [n]],
        [`id::VARCHAR LIKE '${id.slice(0, 20)}%'`, [n]],
        [
          `list_contains(ids, '${id}'::UUID)`,
          ids.filter(([each, text]) => text === id && each % 3 !== 0).map(([each]) => each),
        ],
      ] as const)
        t.same(numbers(await rows({ sql: `SELECT n FROM ${table} WHERE ${where}` })), found, where)
      const wrong = await query({ select: ['n'], from, filter: { column: 'id', eq: 'f59283a4' } })
      t.equal(wrong.status, 400)
      t.match(
        await wrong.json(),
        /column "id" is UUID, which does not compare with the string "f59283a4"; a UUID is written as "/,
      )
      const inSql = await query({ sql: `SELECT n FROM ${table} WHERE id = 'f59283a4'` })
      t.equal(inSql.status, 400)
      t.match(await inSql.json(), /'f59283a4'.* A UUID, as in the column "id", is written '/)
    })

    await t.test('have an order, groups and a type in SQL', async (t) => {
      const answer = await rows({
        sql: `SELECT typeof(min(id)) AS type, min(id) AS id, max(id) AS last, count(DISTINCT id) AS n FROM ${table}`,
      })
      t.equal(answer.getChild('type')?.get(0), 'UUID')
      t.same([idOf(answer, 0), numbers(answer)], [ids[0]?.[1], [ids.length]])
      const last = ids.slice(-3).map(([each]) => each)
      for (const body of [
        { select: ['n', 'id'], from, sort_by: [{ Desc: 'id' }], limit: 3 },
        { sql: `SELECT n, id FROM ${table} ORDER BY id DESC NULLS LAST LIMIT 3` },
        { sql: `SELECT n, id FROM ${table} WHERE n % 1 = 0 ORDER BY id DESC NULLS LAST LIMIT 3` },
      ])
        t.same(numbers(await rows(body)), last.toReversed(), JSON.stringify(body))
      const grouped = await rows({
        sql: `SELECT id, count(*) AS n FROM ${table} GROUP BY id ORDER BY id DESC NULLS LAST`,
      })
      t.equal(idOf(grouped, 0), ids.at(-1)?.[1])
      t.equal(grouped.numRows, ids.length + 1)
      const inLists = await rows({ sql: `SELECT ids FROM ${table} WHERE n = 20` })
      assert(inLists.numRows === 1)
      t.equal([...(inLists.getChild('ids')?.get(0) ?? [])][0]?.length, 36, 'in a list they are text')
    })

    await t.test('statistics leave out what cannot have them', async (t) => {
      for (const body of [
        { select: ['n'], from, filter: { column: 'id', eq: id } },
        { sql: `SELECT n FROM ${table} WHERE id = '${id}'` },
        { sql: `SELECT n FROM ${table} WHERE id = '${id}' AND n % 1 = 0` },
      ]) {
        const explained = await post(`${service.url}/api/explain-analyze-query`, body)
        const pruned = Number(/"units_pruned":(\d+)/.exec(await explained.text())?.[1])
        t.equal(pruned > 0, 'parquet' in from, JSON.stringify(body))
      }
    })
  })

t.test('the schema of a dataset marks them', async (t) => {
  const response = await fetch(`${service.url}/api/dataset-schema?file=uuid.parquet`)
  t.match(JSON.stringify(await response.json()), /"FixedSizeBinary":16.*"ARROW:extension:name":"arrow.uuid"/)
})
