import type { Caller } from '../auth/caller.ts'

/** Who may call a route. `open`: everybody; `client`: everybody but those with wrong credentials; `admin`: the super-user. */
type Access = 'open' | 'client' | 'admin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: open. */
    access?: Access
    /** How the handler's own errors are written (docs/reference/http.md). Absent: plain text. */
    errors?: 'json-string'
  }
  interface FastifyRequest {
    /** Set by the gate before the handler of a route runs that is not open. */
    caller: Caller
  }
}
