import type { FastifyReply, FastifyRequest } from 'fastify'

const NO_STORE = /(?:^|,)\s*no-store\s*(?:,|$)/i

/** Whether the caches may be read and filled for a request: not with `Cache-Control: no-store`. */
export function mayCache({ headers }: FastifyRequest): boolean {
  const directives = headers['cache-control']
  return directives === undefined || !NO_STORE.test(directives)
}

/** Adds names of request headers on which the answer depends to the `Vary` header. */
export function addVary(reply: FastifyReply, names: string): void {
  const varyHeader = reply.getHeader('vary')
  reply.header('vary', varyHeader === undefined ? names : `${varyHeader}, ${names}`)
}
