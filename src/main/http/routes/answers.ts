import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MOST_SHARED_CHARACTERS } from '../../answers/answers.ts'
import { mayCache } from '../answers/cache-control.ts'
import { createAnswerSender } from '../answers/send-answer.ts'
import { clientSignal } from '../requests/client-signal.ts'
import { hopsOf } from '../requests/hops.ts'
import { jsonBody } from '../requests/json-body.ts'
import { parametersOf, requiredParameter } from '../requests/parameters.ts'
import { hasStatement, queryAlone, receivedQuery, runnable } from '../requests/received-query.ts'
import type { Services } from '../services.ts'
import { QUERY_BODY, QUERY_ROUTE, routeFor } from './route.ts'

/**
 * Routes that run queries, by POST and by URL. A client may keep the answer to a URL and revalidate it by its tag
 * (docs/guides/asking-again.md).
 */
export function addAnswerRoutes(
  app: FastifyInstance,
  { config, answers, formats, statements }: Services,
): void {
  const sender = createAnswerSender(config, answers)

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    text: string,
    holdMs?: number,
  ): Promise<FastifyReply> {
    const { caller } = request
    const hops = hopsOf(request)
    const caching = mayCache(request)
    const isShared = caching && config.cacheBytes > 0 && text.length <= MOST_SHARED_CHARACTERS
    // A request that comes back to this service must not wait for the run that has sent it.
    const key = `${caller.key} ${hops === 0 ? '' : `${hops} `}${text}`
    const cachedAnswer = isShared ? await answers.find(key) : null
    if (cachedAnswer !== null) return sender.whole(request, reply, key, cachedAnswer)
    const received = { ...runnable(receivedQuery(text, caching, formats), config), hops }
    const query = isConditional(request)
      ? { ...received, isKnown: (tag: string, type: string) => sender.isKnown(request, tag, type) }
      : received
    const signal = clientSignal(reply)
    if (hasStatement(query)) {
      if (request.method !== 'POST') queryAlone(query)
      const { body, ...head } = await statements.run(query, caller, signal)
      return sender.stream(request, reply, { ...head, stream: body.stream() })
    }
    const newAnswer = isShared
      ? await answers.run(key, query, caller, signal, holdMs)
      : await answers.runAlone(query, caller, signal, holdMs)
    return 'chunks' in newAnswer
      ? sender.whole(request, reply, key, newAnswer)
      : sender.stream(request, reply, newAnswer)
  }

  app.post(
    '/api/query',
    routeFor(QUERY_ROUTE, 'query', 'runQuery', 'Run a query', QUERY_BODY),
    (request, reply) => answer(request, reply, jsonBody(request)),
  )

  app.get(
    '/api/query',
    routeFor(QUERY_ROUTE, 'query', 'runQueryByUrl', 'Run a query that is part of the URL', {
      querystring: {
        type: 'object',
        properties: { q: { type: 'string', description: 'The query as JSON, URL-encoded' } },
        required: ['q'],
      },
    }),
    // The answer is held back however long it takes: only a whole one has a tag, which clients of GET want.
    (request, reply) =>
      answer(
        request,
        reply,
        requiredParameter(parametersOf(request), 'q', EXAMPLE),
        Number.POSITIVE_INFINITY,
      ),
  )
}

function isConditional({ method, headers }: FastifyRequest): boolean {
  return method !== 'POST' && headers['if-none-match'] !== undefined
}

const EXAMPLE =
  '/api/query?q={"sql":"SELECT 1"}, with the query as URL-encoded JSON; or send the query by POST'
