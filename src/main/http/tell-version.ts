import type { FastifyReply, FastifyRequest } from 'fastify'
import { VERSION_HEADER } from '../remotes/services/headers.ts'
import { VERSION } from '../settings/version.ts'

/** A hook that tells a service which asks for it whether this one has its version. `/api/info` tells clients the version too. */
export async function tellVersion({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (headers[VERSION_HEADER] !== undefined) reply.header(VERSION_HEADER, VERSION)
}
