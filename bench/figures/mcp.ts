import type { BenchData } from '../input/data.ts'
import { median, timed } from '../report/statistics.ts'
import { RefusedError } from '../service/client.ts'
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

/**
 * How much longer `run_sql` takes by MCP than the same query by POST as NDJSON: the median of the differences of turns. Both are asked
 * by `fetch`, so that the difference is that of the service.
 */
export async function mcp({ port }: Service, { small }: BenchData): Promise<Figure[]> {
  const table = `read_parquet('${small}')`
  let asked = 0
  const send = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new RefusedError(answer.status, text)
    return text
  }
  const figures: Figure[] = []
  for (const { key, what, sql } of QUERIES) {
    const call = (): Promise<string> => {
      const params = { name: 'run_sql', arguments: { sql: sql(table, asked++) } }
      return send('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    }
    const post = (): Promise<string> =>
      send('/api/query', { sql: sql(table, asked++), output: { format: 'ndjson' } })
    const [called, posted] = [rowsOfCall(await call()), (await post()).trimEnd().split('\n').length]
    if (called !== posted) throw new Error(`${key}: ${called} rows by MCP, ${posted} by POST`)
    const times: { readonly byMcp: number; readonly byPost: number }[] = []
    for (let run = -WARM_UPS; run < RUNS; run++) {
      const turn = { byMcp: await timed(call), byPost: await timed(post) }
      if (run >= 0) times.push(turn)
    }
    const alone = median(times.map(({ byPost }) => byPost)).toFixed(1)
    figures.push({
      key: `mcp_${key}`,
      what: `\`run_sql\` by MCP against the same by POST, which takes ${alone} ms: longer by; ${what}`,
      value: median(times.map(({ byMcp, byPost }) => byMcp - byPost)),
      unit: 'ms',
    })
  }
  return figures
}

/** The number of rows that a call has given. */
function rowsOfCall(text: string): number {
  const { result } = JSON.parse(text)
  if (result === undefined || result.isError === true) throw new Error(text.slice(0, 1000))
  return JSON.parse(result.content[0].text).length
}
