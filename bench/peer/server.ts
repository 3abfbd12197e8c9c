/**
 * DuckDB behind fastify, with the options of the service's own server. `POST /arrow` and `POST /json` run the statement in the
 * body and send its rows. `POST /ready/SIZE` sends so many bytes from memory. The port is sent as a message.
 */
import { type DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api'
import fastify, { type FastifyReply } from 'fastify'
import { arrowOf, jsonOf } from './encode.ts'

/** Statements that run at once, each on its own connection: as many as libuv has threads. */
const CONNECTIONS = 4

const ARROW = 'application/vnd.apache.arrow.stream'

const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
const free = await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    const connection = await instance.connect()
    await connection.run('SET parquet_metadata_cache = true')
    return connection
  }),
)
const waiting: ((connection: DuckDBConnection) => void)[] = []

/** The rows of a statement, which runs when a connection is free. None if the client has left by then. */
async function run<T>(
  sql: string,
  { raw }: FastifyReply,
  encode: (result: DuckDBResult) => Promise<T>,
): Promise<T | null> {
  const connection = free.pop() ?? (await new Promise<DuckDBConnection>((resolve) => waiting.push(resolve)))
  try {
    return raw.destroyed ? null : await encode(await connection.run(sql))
  } finally {
    const next = waiting.shift()
    if (next === undefined) free.push(connection)
    else next(connection)
  }
}

const app = fastify({ logger: false, requestTimeout: 300_000 })
app.post<{ Body: { sql: string } }>('/arrow', async ({ body }, reply) =>
  reply.type(ARROW).send(await run(body.sql, reply, arrowOf)),
)
app.post<{ Body: { sql: string } }>('/json', async ({ body }, reply) =>
  reply.type('application/json').send(await run(body.sql, reply, jsonOf)),
)
const ready = new Map<string, Buffer>()
app.route<{ Params: { size: string } }>({
  method: ['GET', 'POST'],
  url: '/ready/:size',
  handler: ({ params: { size } }, reply) => {
    const bytes = ready.get(size) ?? Buffer.alloc(Number(size))
    ready.set(size, bytes)
    return reply.type(ARROW).send(bytes)
  },
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.(Number(new URL(address).port))
process.once('disconnect', () => process.exit())
