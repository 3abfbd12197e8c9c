/** Who sends a request: a name, and the source that vouches for it. The same name from another source is another principal. */
export interface Principal {
  readonly source: 'configuration' | 'anonymous'
  readonly name: string
}

/** A principal with its rights. */
export interface Caller {
  readonly principal: Principal
  readonly isSuperUser: boolean
  /** A digest of the rights. Equal digests mean equal rights. */
  readonly rights: string
  /** Principal and rights as one text: a part of cache keys, so that no caller gets what was cached for another. */
  readonly key: string
}

/** `rights` is a digest. It is empty for the super-user, who may do everything. */
export function createCaller(principal: Principal, isSuperUser: boolean, rights: string): Caller {
  const key = JSON.stringify([principal.source, principal.name, isSuperUser, rights])
  return Object.freeze({ principal: Object.freeze(principal), isSuperUser, rights, key })
}

/** The caller of all requests without credentials. */
export const ANONYMOUS: Caller = createCaller({ source: 'anonymous', name: 'anonymous' }, false, '')
