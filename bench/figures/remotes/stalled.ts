import { once } from 'node:events'
import { Agent, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type LoadResult, load, NUMBER } from '../../load/load.ts'
import { median } from '../../report/statistics.ts'
import { ask } from '../../service/client.ts'
import type { Service } from '../../service/service.ts'
import type { Figure } from '../figure.ts'

const CLIENTS = 64
const STALLED = 8
const SECONDS = 5
const ROUNDS = 3

/** Requests of small local queries in a second beside clients that wait for a remote that never sends its rows, against without, by turns. */
export async function stalled(service: Service, there: Service, small: string): Promise<Figure> {
  const server = await startStalling(there.port)
  try {
    const { port } = server.address() as AddressInfo
    await service.command(
      `CREATE OR REPLACE EXTERNAL TABLE stalls STORED AS REMOTE LOCATION 'service://127.0.0.1:${port}/far'`,
    )
    const measure = async (): Promise<number> => {
      const result: LoadResult = await load({
        port: service.port,
        method: 'POST',
        path: '/api/query',
        body: JSON.stringify({
          sql: `SELECT count(*) AS n FROM read_parquet('${small}') WHERE platform_id > 4${NUMBER}`,
        }),
        clients: CLIENTS,
        seconds: SECONDS,
        sampleEvery: null,
      })
      if (result.failures > 0) throw new Error('small queries have failed')
      return result.perSecond
    }
    await measure()
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await measure()
      const leaving = new AbortController()
      const waiting = Array.from({ length: STALLED }, (_, client) => wait(service, client, leaving.signal))
      ratios.push((await measure()) / alone)
      leaving.abort()
      await Promise.all(waiting)
    }
    return {
      key: 'remotes_stalled',
      what: `requests of ${CLIENTS} clients of local queries, beside ${STALLED} that wait for a remote, against without`,
      value: median(ratios),
      unit: '×',
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** A service that answers what columns a table has, and nothing else. */
async function startStalling(port: number): Promise<Server> {
  const server = createServer(async (request, reply) => {
    const body = await text(request)
    if (!body.includes('LIMIT 0')) return
    const answer = await fetch(`http://127.0.0.1:${port}/api/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: request.headers.accept ?? '' },
      body,
    })
    const type = answer.headers.get('content-type') ?? ''
    reply.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function wait({ port }: Service, client: number, signal: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const sql = `SELECT count(*) AS n FROM stalls WHERE "time" > ${client}`
  try {
    await ask({ agent, port, text: JSON.stringify({ sql }), signal }, () => {})
    throw new Error('a remote that stalls has answered')
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    agent.destroy()
  }
}
