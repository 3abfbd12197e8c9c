import { request as sendTo } from 'node:http'
import { tableFromIPC } from 'apache-arrow'
import type { Test } from 'tap'
import type { startTables } from '../external/tables.ts'
import { startHttp } from './remote.ts'

type Service = Awaited<ReturnType<typeof startTables>>

/** A service before another one, which hands requests on to it. */
export interface InBetween {
  readonly port: number
  /** The statements for rows that the other service was asked for. */
  readonly asked: string[]
  /** Whether it hides that both have one version. */
  isOther: boolean
  /** Requests for statements like this one are broken off. Null: none are. */
  broken: RegExp | null
}

export async function startInBetween(t: Test, there: Service): Promise<InBetween> {
  const asked: string[] = []
  const { port } = await startHttp(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const { sql = '' } = body.length === 0 ? {} : (JSON.parse(body.toString()) as { sql?: string })
      if (sql !== '' && !sql.endsWith(' LIMIT 0')) asked.push(sql)
      if (between.broken?.test(sql)) return void response.destroy()
      const { method, url, headers } = request
      const options = { method: method ?? 'GET', headers }
      const onward = sendTo(new URL(url ?? '/', there.url), options, (answer) => {
        const { 'x-service-version': version, ...others } = answer.headers
        const isTold = version !== undefined && !between.isOther
        response.writeHead(
          answer.statusCode ?? 500,
          isTold ? { ...others, 'x-service-version': version } : others,
        )
        answer.pipe(response)
      })
      onward.on('error', () => response.destroy())
      onward.end(body)
    })
  })
  const between: InBetween = { port, asked, isOther: false, broken: null }
  return between
}

/** The columns and the rows of an answer, as text. */
export function shownRows(bytes: Uint8Array): readonly [schema: string, rows: readonly string[]] {
  const table = tableFromIPC(bytes)
  return [String(table.schema), table.toArray().map(String)]
}
