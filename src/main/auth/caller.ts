/** Who asks. Names are compared exactly; `anonymous` is one user, whoever it is. */
export interface Caller {
  readonly kind: 'super' | 'anonymous'
  readonly name: string
}

export const ANONYMOUS: Caller = Object.freeze({ kind: 'anonymous', name: 'anonymous' })
