import type { AllowedHosts } from '../allowed-hosts.ts'
import type { RemoteErrors } from '../remote-errors.ts'
import type { RemoteTimes } from '../send-request.ts'
import type { DatabaseTarget } from './database-target.ts'

/** What connections to a database are made with. */
export interface Connecting {
  readonly target: DatabaseTarget
  readonly hosts: AllowedHosts
  readonly times: RemoteTimes
  readonly errors: RemoteErrors
}
