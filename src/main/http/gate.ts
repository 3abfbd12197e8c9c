import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticate } from '../auth/authenticate.ts'
import { ANONYMOUS } from '../auth/caller.ts'
import { isAliased } from './requests/admin-alias.ts'

/**
 * A hook that refuses requests whose caller may not use the route. Aliased paths, whether or not they exist, are for the
 * super-user only (docs/reference/http.md). 401 and 403 have no body and no `WWW-Authenticate`, so that browsers show no dialog.
 */
export function createGate(authenticate: Authenticate) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const access = isAliased(request) ? 'admin' : (request.routeOptions.config?.access ?? 'open')
    if (access === 'open') {
      request.caller = ANONYMOUS
      return
    }
    const caller = await authenticate(request.headers.authorization)
    if (caller === null) return reply.code(401).send()
    if (access === 'admin' && !caller.isSuperUser)
      return reply.code(caller.principal.source === 'anonymous' ? 401 : 403).send()
    request.caller = caller
  }
}
