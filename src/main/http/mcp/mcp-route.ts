import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'
import { mayCache } from '../answers/cache-control.ts'
import { createOriginTest } from '../cors.ts'
import { shownError } from '../errors.ts'
import { clientSignal } from '../requests/client-signal.ts'
import { jsonBody } from '../requests/json-body.ts'
import type { Services } from '../services.ts'
import type { MessageHandler } from './message-handler.ts'
import { createRunningCalls, newSession } from './running-calls.ts'

const MCP_ROUTE: FastifyContextConfig = { access: 'client', errors: 'json-rpc' }

/** The headers that decide how a message is answered. */
const READ_HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const

/** A name or an address with or without a port, as a Host header has it. */
const HOST = /^(?:[A-Za-z0-9.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/**
 * The route of the Model Context Protocol (docs/guides/mcp.md), if it is on. The service has no streams of its own and keeps nothing of
 * sessions, so that it takes POST alone.
 */
export function addMcpRoute(app: FastifyInstance, services: Services): void {
  const { config, logger } = services
  if (!config.mcpEnabled) return
  const isAllowed = createOriginTest(config)
  const calls = createRunningCalls()
  let handler: Promise<MessageHandler> | null = null
  const load = async (): Promise<MessageHandler> => {
    const { createMessageHandler } = await import('./message-handler.ts')
    return createMessageHandler(services)
  }

  /** A page may be led to the service by a name that means another address (DNS rebinding), where CORS does not hold it back. */
  async function requireOrigin({ headers: { origin } }: FastifyRequest): Promise<void> {
    if (origin === undefined || isAllowed(origin)) return
    throw new ServiceError(
      'origin_refused',
      'Pages of this origin may not call /mcp; SERVICE_CORS_ALLOWED_ORIGINS lists those that may.',
    )
  }

  app.post(
    '/mcp',
    { config: MCP_ROUTE, schema: { hide: true }, onRequest: requireOrigin },
    async (request, reply): Promise<FastifyReply> => {
      const message = messageIn(jsonBody(request))
      handler ??= load()
      const answer = await handler
      const { caller, headers, host } = request
      const call = {
        caller,
        caching: mayCache(request),
        host: HOST.test(host) ? host : 'localhost:5001',
      }
      const sent = new Headers()
      for (const name of READ_HEADERS) {
        const value = headers[name]
        if (typeof value === 'string') sent.set(name, value)
      }
      const sender = { caller, session: headers['mcp-session-id'] }
      const response = await calls.run(sender, message, clientSignal(reply), (signal) =>
        answer({ message, headers: sent }, { ...call, signal }, (error) =>
          shownError(error, request, logger),
        ),
      )
      reply.code(response.status)
      if ('method' in message && message.method === 'initialize' && response.ok)
        reply.header('mcp-session-id', newSession())
      const type = response.headers.get('content-type')
      return type === null ? reply.send() : reply.type(type).send(await response.text())
    },
  )
}

/** The message in a body. Throws `malformed_body`, and `wrong_shape` for anything but one object. */
function messageIn(text: string): object {
  const value = parse(text)
  if (Array.isArray(value))
    throw new ServiceError(
      'wrong_shape',
      'Each message is sent in a request of its own, and not several in an array.',
    )
  if (typeof value !== 'object' || value === null)
    throw new ServiceError(
      'wrong_shape',
      'A message is a JSON object, such as {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}.',
    )
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ServiceError('malformed_body', `The message is not valid JSON: ${(cause as Error).message}`, {
      cause,
    })
  }
}
