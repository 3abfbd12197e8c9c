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

/** What connections of one kind of databases fail with. */
export interface ConnectionFaults {
  /** Whether a connection was refused or reset before anything came of it. */
  readonly isConnectionFault: (error: unknown) => boolean
  /** What goes wrong on a connection as an error for the caller. */
  readonly faultOf: (error: unknown, errors: RemoteErrors, signal: AbortSignal) => unknown
}

/** Logs in. A connection that is refused or reset is tried once more. Nobody may use it once the signal is aborted. */
export async function connectTwice<C>(
  options: Connecting,
  connectOnce: (options: Connecting, signal: AbortSignal) => Promise<C>,
  { isConnectionFault, faultOf }: ConnectionFaults,
  signal: AbortSignal,
): Promise<C> {
  const { target, hosts, errors } = options
  hosts.require(target.host, target.port)
  try {
    return await connectOnce(options, signal)
  } catch (error) {
    if (signal.aborted || !isConnectionFault(error)) throw faultOf(error, errors, signal)
  }
  try {
    return await connectOnce(options, signal)
  } catch (error) {
    throw faultOf(error, errors, signal)
  }
}
