import type { FastifyReply } from 'fastify'

/** Adds names of request headers, by which the answer varies, to those that are told already. */
export function addVary(reply: FastifyReply, names: string): void {
  const known = reply.getHeader('vary')
  reply.header('vary', known === undefined ? names : `${known}, ${names}`)
}
