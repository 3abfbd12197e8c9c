/** A question for the service and for a peer. Both answer with a number of values and their mean. */
export interface Question {
  /** A statement that returns the number of values and their mean, or their sum if `isSum`. */
  readonly sql: string
  readonly isSum?: boolean
  readonly request: object
}
