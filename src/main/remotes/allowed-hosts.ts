import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { ServiceError } from '../../plan/errors.ts'

/** Which hosts may be asked (`SERVICE_REMOTE_HOSTS`). */
export interface AllowedHosts {
  /** Throws `permission_denied` for a host that may not be asked, as far as its name or its address tells. */
  require(host: string, port: number): void
  /** Finds the addresses of a host that may be asked. Fails with `permission_denied` if one of them may not. */
  readonly lookup: LookupFunction
}

/** Addresses of the link itself. Machines in clouds have their credentials at one of them. */
const LINK_LOCAL = new BlockList()
LINK_LOCAL.addSubnet('169.254.0.0', 16, 'ipv4')
LINK_LOCAL.addSubnet('fe80::', 10, 'ipv6')

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether an address is this machine by its name or number, so that nobody else can answer. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || isIn(LOOPBACK, host)
}

/**
 * @param listed Hosts, or `host:port`. None: all hosts may be asked, but for addresses of the link itself, which have to be listed.
 */
export function createAllowedHosts(listed: readonly string[]): AllowedHosts {
  const all = new Set(listed.map((entry) => entry.toLowerCase()))
  const isListed = (host: string, port: number): boolean =>
    all.has(host) || all.has(`${host.includes(':') ? `[${host}]` : host}:${port}`) || all.has(`[${host}]`)
  const linkLocalNames = new Set(
    [...all].map((entry) => entry.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([^:]*):\d+$/, '$1')),
  )

  return {
    require(host, port) {
      if (isListed(host, port)) return
      if (all.size > 0)
        throw new ServiceError(
          'permission_denied',
          `${host}:${port} is not one of the hosts that may be asked (SERVICE_REMOTE_HOSTS).`,
        )
      if (isIn(LINK_LOCAL, host)) throw linkLocal(host)
    },
    lookup(hostname, options, callback) {
      const answer = callback as (
        error: NodeJS.ErrnoException | null,
        address?: string | LookupAddress[],
        family?: number,
      ) => void
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return answer(error)
        const isNamed = linkLocalNames.has(hostname.toLowerCase())
        const refused = isNamed ? undefined : addresses.find(({ address }) => isIn(LINK_LOCAL, address))
        if (refused !== undefined) return answer(linkLocal(hostname))
        if (options.all === true) return answer(null, addresses)
        const [first] = addresses
        return answer(null, first?.address, first?.family)
      })
    },
  }
}

function isIn(list: BlockList, host: string): boolean {
  const version = isIP(host)
  if (version === 0) return false
  // BlockList knows IPv4 addresses that are written in IPv6.
  return list.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

function linkLocal(host: string): ServiceError {
  return new ServiceError(
    'permission_denied',
    `${host} is an address of the link itself, which is asked only if SERVICE_REMOTE_HOSTS lists it.`,
  )
}
