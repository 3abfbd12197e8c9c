import { createLru } from '../../../plan/lru.ts'
import type { RemoteAddress } from '../remote-client.ts'
import { printEndpoint } from '../remote-errors.ts'

/** Which services have the version of this one. */
export interface RemoteVersions {
  /** That of this service. */
  readonly version: string
  /** Whether a service had the same version when it last answered. Undefined: it has not answered yet. */
  isSame(address: RemoteAddress): boolean | undefined
  /** A service has answered, and has the same version or not. */
  put(address: RemoteAddress, isSame: boolean): void
}

/** The most services that are remembered. */
const MOST = 1000

/**
 * Remembers which services have answered with the version of this one. Each of their answers tells it again.
 * @param onChange Is told of a service whose version was not known, or was another one.
 */
export function createRemoteVersions(
  version: string,
  onChange: RemoteVersions['put'] = () => {},
): RemoteVersions {
  const same = createLru<boolean>(MOST)
  const keyOf = ({ host, port, basePath }: RemoteAddress): string => `${printEndpoint(host, port)}${basePath}`
  return {
    version,
    isSame: (address) => same.get(keyOf(address)),
    put(address, isSame) {
      const key = keyOf(address)
      if (same.get(key) !== isSame) onChange(address, isSame)
      same.put(key, isSame)
    },
  }
}
