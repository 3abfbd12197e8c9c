import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { boundRows, enoughFor, MOST_BYTES, printRows } from '../../src/main/http/mcp/bounded-rows.ts'
import { firstRows } from '../../src/main/query/run/rows/first-rows.ts'
import type { Part } from '../../src/plan/task/part.ts'
import { startTestService } from '../e2e/service.ts'
import { fc } from '../support/generate.ts'
import { connect } from './mcp-client.ts'

interface Cut {
  readonly truncated: true
  readonly returned_rows: number
  readonly max_rows: number
  readonly max_bytes?: number
  readonly guidance: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

t.test('by the core, by DuckDB, in an order and from a file of its own', async (t) => {
  const service = await startTestService(t)
  const numbers = Array.from({ length: 200_000 }, (_, number) => number)
  writeFileSync(join(service.datasets, 'n.csv'), `n\n${numbers.join('\n')}\n`)
  const { call, json } = await connect(t, service.url)
  for (const [sql, first, last] of [
    ["SELECT n FROM read_csv('n.csv')", 0, 999],
    ["SELECT n FROM read_csv('n.csv') ORDER BY n DESC", 199_999, 199_000],
    ["SELECT n FROM read_csv('n.csv') WHERE n >= 150000", 150_000, 150_999],
    ["SELECT n FROM read_csv('n.csv') LIMIT 1001", 0, 999],
    ["SELECT n + 0 * row_number() OVER () AS n FROM read_csv('n.csv')", 0, 999],
    ['SELECT range AS n FROM range(5000)', 0, 999],
  ] as const) {
    const cut = (await json('run_sql', { sql })) as Cut
    t.match(cut, { truncated: true, returned_rows: 1000, max_rows: 1000, guidance: /export_query/ }, sql)
    t.equal(cut.rows.length, 1000)
    t.same([cut.rows[0]?.['n'], cut.rows.at(-1)?.['n']], [first, last], sql)
  }
  const whole = (await json('run_sql', { sql: "SELECT n FROM read_csv('n.csv') LIMIT 1000" })) as unknown[]
  t.equal(whole.length, 1000, 'as many as there may be are not cut')
  const parquet = await service.query({
    sql: 'SELECT range AS n FROM range(200000)',
    output: { format: 'parquet' },
  })
  writeFileSync(join(service.datasets, 'n.parquet'), Buffer.from(await parquet.arrayBuffer()))
  const { queryId } = await call('run_sql', { sql: "SELECT n FROM read_parquet('n.parquet')" })
  const metrics = await fetch(`${service.url}/api/query/metrics/${queryId}`)
  const { input_rows, result_num_rows } = (await metrics.json()) as Record<string, number>
  t.equal(result_num_rows, 1001, 'one row more tells that there are more')
  t.ok(input_rows !== undefined && input_rows < 2_000, `and few behind it are read: ${input_rows}`)
})

t.test('rows that are large', async (t) => {
  const service = await startTestService(t)
  const { json } = await connect(t, service.url)
  const some = (await json('run_sql', { sql: "SELECT repeat('x', 1000) AS x FROM range(900)" })) as Cut
  t.match(some, { truncated: true, max_bytes: MOST_BYTES })
  t.ok(some.rows.length > 200 && some.rows.length < 262)
  t.equal(some.rows.length, some.returned_rows)
  const sql = `SELECT repeat('x', ${MOST_BYTES}) AS x FROM range(3)`
  t.match(await json('run_sql', { sql }), { truncated: true, returned_rows: 0, rows: [] })
})

t.test('first rows are the first rows, whatever the parts and the limits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.string({ maxLength: 6 }), { maxLength: 6 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 60 }),
      async (texts, rows, bytes) => {
        let asked = 0
        async function* parts(): AsyncGenerator<Part, void, undefined> {
          for (const lines of texts) {
            asked++
            const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
            const buffer = new Uint8Array(Buffer.from(text)).buffer
            yield { rows: lines.length, from: 0, payload: { kind: 'text', bytes: buffer } }
          }
        }
        let text = ''
        let counted = 0
        for await (const part of firstRows(parts(), { rows, bytes })) {
          counted += part.rows
          if (part.payload.kind === 'text') text += Buffer.from(part.payload.bytes).toString()
        }
        const expected: string[] = []
        let needed = 0
        const isEnough = () => expected.length >= rows || Buffer.byteLength(expected.join('')) >= bytes
        for (const lines of texts) {
          if (isEnough()) break
          needed++
          for (const line of lines) if (!isEnough()) expected.push(`${JSON.stringify(line)}\n`)
        }
        return text === expected.join('') && counted === expected.length && asked === needed
      },
    ),
  )
})

t.test('a bounded answer is JSON, within its bounds, and says truly whether it is cut', async (t) => {
  // Rows whose bytes are just as many as there may be, and one more or less.
  const lengths = fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.constantFrom(65_525, 65_526, 65_527))
  await fc.assert(
    fc.asyncProperty(fc.array(lengths), fc.integer({ min: 1, max: 8 }), async (sizes, most) => {
      const rows = sizes.map((length) => JSON.stringify({ x: 'x'.repeat(length) }))
      const bounded = boundRows(await linesOf(firstRows(partsOf(rows), enoughFor(most))), most)
      const parsed = JSON.parse(printRows(bounded, most, 'guidance "in quotes"'))
      const shown: unknown[] = Array.isArray(parsed) ? parsed : parsed.rows
      const bytesOf = (some: readonly string[]) =>
        some.reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 0)
      t.same(
        shown,
        rows.slice(0, shown.length).map((row) => JSON.parse(row)),
      )
      t.ok(shown.length <= most && bytesOf(bounded.rows) <= MOST_BYTES)
      t.equal(Array.isArray(parsed), shown.length === rows.length)
      const isFull = shown.length === most || bytesOf(rows.slice(0, shown.length + 1)) > MOST_BYTES
      t.ok(shown.length === rows.length || isFull, 'and no row is left out that would fit')
    }),
  )
})

async function* partsOf(rows: readonly string[]): AsyncGenerator<Part, void, undefined> {
  for (const row of rows)
    yield {
      rows: 1,
      from: 0,
      payload: { kind: 'text', bytes: new Uint8Array(Buffer.from(`${row}\n`)).buffer },
    }
}

async function linesOf(parts: AsyncGenerator<Part, void, undefined>): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const { payload } of parts)
    if (payload.kind === 'text') lines.push(Buffer.from(payload.bytes).toString().trimEnd())
  return lines
}
