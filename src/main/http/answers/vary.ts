import type { FastifyReply } from 'fastify'

/** Adds names of request headers on which the answer depends to the `Vary` header. */
export function addVary(reply: FastifyReply, names: string): void {
  const varyHeader = reply.getHeader('vary')
  reply.header('vary', varyHeader === undefined ? names : `${varyHeader}, ${names}`)
}
