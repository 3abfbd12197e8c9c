/**
 * A row of the table of the contract: one statement of the specification that can be observed, as a request and what answers it.
 * Rows are data. `walk.ts` sends them.
 */
export interface Row {
  /** The section of the specification: that of the interface (`I`), of HTTP (`H`) or of SQL and administration (`S`). */
  readonly section: string
  /** What it says. */
  readonly says: string
  readonly request: Request
  /** Requests that come before it, of the super-user unless they say otherwise. Each is answered with 200 or 204. */
  readonly first: readonly Step[]
  readonly expected: Expected
  /** The service of `worlds.ts` to which it is sent. Null: to those over all of the settings that most rows share. */
  readonly world: string | null
  /** How a line of docs/decisions.md begins that says why we answer otherwise than the specification. */
  readonly differs: string | null
  /** What has to be built first: one of `LATER`. */
  readonly later: Later | null
  /** Whether the path, or the method at the path, is one that no route has. */
  readonly isNoRoute: boolean
}

/**
 * What later versions bring. Whoever builds one of them takes it out of this list: its rows are then sent as all others are.
 */
export const LATER = Object.freeze(['geometry', 'kept tables', 'lake tables', 'the page'] as const)

/** Everything that a row may wait for. */
type Later = (typeof LATER)[number]

export interface Request {
  readonly method: string
  /** From `/api` on, or whatever comes behind the base path. `%new%` is a word of its own for each time the row is sent. */
  readonly path: string
  /** Null: whoever it is, the answer is the same. */
  readonly caller: CallerName | null
  readonly headers: Readonly<Record<string, string>>
  /** A text is sent as it is, everything else as JSON. */
  readonly body: unknown
}

export interface Step {
  readonly request: Request
  /** The name under which later requests of the row find something of the answer: `%name%`. */
  readonly name: string | null
  /** The header or the member that has it. */
  readonly from: string | null
}

/** Users of each world: `reader` may read everything, `limited` the table and the files `obs`, `roleless` nothing. */
export type CallerName =
  | 'anonymous'
  | 'reader'
  | 'limited'
  | 'roleless'
  | 'super-user'
  | 'wrong password'
  | 'unknown user'

export interface Expected {
  readonly status: number
  /** The media type without parameters. Null: the answer has none. */
  readonly type: string | null
  readonly form: Form
  /** A shape of each header. Null: it is not there. */
  readonly headers: Readonly<Record<string, unknown>>
}

/** The form of a body. */
type Form =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly shape: unknown }
  | { readonly kind: 'json'; readonly shape: unknown }
  /** Bytes that begin like this, in Latin 1. */
  | { readonly kind: 'bytes'; readonly head: string }
  | { readonly kind: 'arrow'; readonly table: TableShape }

export interface TableShape {
  readonly columns: readonly string[]
  readonly rows?: number
  /** Types as Arrow for JavaScript prints them. */
  readonly types?: readonly string[]
}

interface More {
  readonly first?: readonly Step[]
  readonly world?: string
  readonly differs?: string
  readonly later?: Later
  readonly isNoRoute?: boolean
}

export function row(
  section: string,
  says: string,
  request: Request,
  expected: Expected,
  { first = [], world, differs, later, isNoRoute = false }: More = {},
): Row {
  return deepFrozen({
    section,
    says,
    request,
    first,
    expected,
    world: world ?? null,
    differs: differs ?? null,
    later: later ?? null,
    isNoRoute,
  })
}

/** Freezes plain data, through and through. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof RegExp || Object.isFrozen(value))
    return value
  for (const member of Object.values(value)) deepFrozen(member)
  return Object.freeze(value)
}
