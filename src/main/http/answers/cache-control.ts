import type { FastifyRequest } from 'fastify'

const NO_STORE = /(?:^|,)\s*no-store\s*(?:,|$)/i

/** Whether a request may be answered from what is kept, and something of it be kept: not with `Cache-Control: no-store`. */
export function mayCache({ headers }: FastifyRequest): boolean {
  const directives = headers['cache-control']
  return directives === undefined || !NO_STORE.test(directives)
}
