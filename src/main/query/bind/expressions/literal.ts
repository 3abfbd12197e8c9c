/** A constant and the form in which it is written, by which DuckDB chooses its type. */
export interface Literal {
  readonly kind: 'literal'
  readonly form:
    | 'integer'
    | 'decimal'
    | 'double'
    | 'string'
    | 'boolean'
    | 'null'
    | 'date'
    | 'time'
    | 'timestamp'
    /** A time with a zone, in UTC. */
    | 'instant'
    /** Such as `1 day`. */
    | 'interval'
  /** Its text: without quotes, and with the sign of a number. A decimal has digits on both sides of the point. */
  readonly text: string
  /** Whether it is written otherwise than DuckDB prints it, such as `.5`, `007`, `1e3` or `now()`. Absent: it is not. */
  readonly isOdd?: true
  /** The call that DuckDB makes of an interval with a unit behind its number, by which it names columns. Absent: it is a text that is cast. */
  readonly call?: string
  readonly at: number
}

export function isNumber({ form }: Literal): boolean {
  return form === 'integer' || form === 'decimal' || form === 'double'
}
