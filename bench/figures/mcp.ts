import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { BenchData } from '../input/data.ts'
import { median, timed } from '../report/statistics.ts'
import type { Service } from '../service/service.ts'
import type { Figure } from './figure.ts'

/** Timed calls of each query, after as many that are not timed as warm it up. */
const RUNS = 100
const WARM_UPS = 10

interface AskedQuery {
  readonly key: string
  readonly what: string
  /** A text that is another one for each number, so that no kept answer is found. */
  sql(table: string, number: number): string
}

const QUERIES: readonly AskedQuery[] = [
  {
    key: 'groups',
    what: '48 groups, by the core',
    sql: (table, number) =>
      `SELECT platform_id, count(*) AS n FROM ${table} WHERE latitude < 60 GROUP BY platform_id ORDER BY platform_id -- ${number}`,
  },
  {
    key: 'rows',
    what: '1000 rows of 4 columns, by the core',
    sql: (table, number) =>
      `SELECT time, latitude, longitude, temperature FROM ${table} WHERE depth > ${number / 1000} LIMIT 1000`,
  },
  {
    key: 'duckdb',
    what: 'a row number, by DuckDB',
    sql: (_, number) => `SELECT row_number() OVER () + ${number} AS n`,
  },
]

/** How much longer `run_sql` takes by MCP, with the client of the SDK, than the same query by POST as NDJSON. They are asked by turns. */
export async function mcp(service: Service, { small }: BenchData): Promise<Figure[]> {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${service.port}/mcp`))
  await client.connect(transport as Parameters<Client['connect']>[0])
  const table = `read_parquet('${small}')`
  let asked = 0
  try {
    const figures: Figure[] = []
    for (const { key, what, sql } of QUERIES) {
      const call = async (): Promise<readonly unknown[]> => {
        const result = await client.callTool({ name: 'run_sql', arguments: { sql: sql(table, asked++) } })
        const [text] = result.content as { readonly text: string }[]
        if (result.isError === true) throw new Error(`${key}: ${text?.text}`)
        return JSON.parse(text?.text ?? '')
      }
      const post = async (): Promise<readonly unknown[]> => {
        const bytes = await service.query({ sql: sql(table, asked++), output: { format: 'ndjson' } })
        return bytes
          .toString()
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      }
      const [called, posted] = [await call(), await post()]
      if (called.length !== posted.length)
        throw new Error(`${key}: ${called.length} rows by MCP, ${posted.length} by POST`)
      const times: { readonly mcp: number; readonly post: number }[] = []
      for (let run = -WARM_UPS; run < RUNS; run++) {
        const each = { mcp: await timed(call), post: await timed(post) }
        if (run >= 0) times.push(each)
      }
      const [byMcp, byPost] = [median(times.map((each) => each.mcp)), median(times.map((each) => each.post))]
      figures.push({
        key: `mcp_${key}`,
        what: `\`run_sql\` by MCP (${byMcp.toFixed(1)} ms), against the same by POST (${byPost.toFixed(1)} ms): longer by; ${what}`,
        value: byMcp - byPost,
        unit: 'ms',
      })
    }
    return figures
  } finally {
    await client.close()
  }
}
