import type { RemoteAddress } from './remote-client.ts'

type Part = RemoteAddress[keyof RemoteAddress]

/** The kinds of values that each part of an address has. */
const PARTS: Readonly<Record<keyof RemoteAddress, readonly string[]>> = Object.freeze({
  kind: ['string'],
  host: ['string'],
  port: ['number'],
  tls: ['boolean'],
  database: ['string'],
  basePath: ['string'],
  user: ['string', 'undefined'],
  sslMode: ['string', 'undefined'],
})

/** Reads an address that this service has written as JSON. Throws a `TypeError` for what is none. */
export function readAddress(json: unknown): RemoteAddress {
  if (typeof json !== 'object' || json === null) throw new TypeError('an address is no object')
  const address = json as Readonly<Record<string, Part>>
  for (const [part, kinds] of Object.entries(PARTS))
    if (!kinds.includes(typeof address[part])) throw new TypeError(`an address has no right ${part}`)
  return Object.freeze({ ...address }) as RemoteAddress
}
