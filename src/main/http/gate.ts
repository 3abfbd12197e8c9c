import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import { isAliased } from './requests/admin-alias.ts'
import { clientSignal } from './requests/client-signal.ts'

/**
 * A hook that refuses requests whose caller may not use the route. Aliased paths, whether or not they exist, are for the
 * super-user only (docs/reference/http.md). 401, 403 and 503 have no body and no `WWW-Authenticate`, so that browsers show no dialog.
 */
export function createGate({ cachedCaller, check }: Authenticator) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const access = isAliased(request) ? 'admin' : (request.routeOptions.config?.access ?? 'open')
    if (access === 'open') return
    const { authorization = '' } = request.headers
    const caller =
      cachedCaller(request.headers.authorization) ?? (await check(authorization, clientSignal(reply)))
    if ('status' in caller) {
      if (caller.status === 503) reply.header('retry-after', caller.retrySecs)
      return reply.code(caller.status).send()
    }
    if (access === 'admin' && !caller.isSuperUser)
      return reply.code(caller.principal.source === 'anonymous' ? 401 : 403).send()
    request.caller = caller
  }
}

/** Who may call a route. `open`: everybody; `client`: everybody but those with wrong credentials; `admin`: the super-user. */
type Access = 'open' | 'client' | 'admin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: open. */
    access?: Access
    /** How the handler's own errors are written (docs/reference/http.md). Absent: plain text. */
    errors?: 'json-string' | 'json-rpc'
    /** Whether its handler asks for the body itself, and reads it while it arrives. Absent: no. */
    isStreamed?: true
  }
  interface FastifyRequest {
    /** Set by the gate before the handler of a route runs that is not open. */
    caller: Caller
  }
}
