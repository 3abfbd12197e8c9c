/** Who asks: where the name comes from, and the name. Equal names from different places are different principals. */
export interface Principal {
  readonly source: 'configuration' | 'anonymous'
  readonly name: string
}

/** A principal, and what it may do. */
export interface Caller {
  readonly principal: Principal
  readonly isSuperUser: boolean
  /** A digest of what the caller may do: where it is the same, so are the rights. */
  readonly rights: string
  /** Principal and rights as one text, to key caches: what one caller is given no other one gets. */
  readonly key: string
}

/** `rights` is a digest; the super-user may do everything, and needs none. */
export function createCaller(principal: Principal, isSuperUser: boolean, rights: string): Caller {
  const key = JSON.stringify([principal.source, principal.name, isSuperUser, rights])
  return Object.freeze({ principal: Object.freeze(principal), isSuperUser, rights, key })
}

/** Every caller without credentials. */
export const ANONYMOUS: Caller = createCaller({ source: 'anonymous', name: 'anonymous' }, false, '')
