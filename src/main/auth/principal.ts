/** Who sends a request: a name, and the source that vouches for it. The same name from another source is another principal. */
export interface Principal {
  readonly source: PrincipalSource
  /** The issuer of a token. Absent: the source is the service itself. */
  readonly issuer?: string
  readonly name: string
}

/** `configuration`: the super-user. `stored`: a user of the directory with a password. */
type PrincipalSource = 'configuration' | 'anonymous' | 'stored' | 'token'

/** The source of a principal as one text, as metrics keep it: of a token it has the issuer. */
export function sourceOf({ source, issuer }: Principal): string {
  return issuer === undefined ? source : `${source} ${issuer}`
}

/** The name of the user whose roles requests without credentials have. */
export const ANONYMOUS_NAME = 'anonymous'

export const ANONYMOUS: Principal = Object.freeze({ source: 'anonymous', name: ANONYMOUS_NAME })
