import type { NamedDefinition } from '../../plan/statement/definition.ts'

/** The functions that DuckDB has, by their names in lower case. */
export interface KnownFunctions {
  /** Scalar functions, aggregates and macros. */
  readonly names: readonly string[]
  /** The bodies of macros in SQL, all overloads of one in a text. */
  readonly macros: ReadonlyMap<string, string>
}

export const NO_FUNCTIONS: KnownFunctions = Object.freeze({ names: [], macros: new Map<string, string>() })

/** A name in front of a bracket. */
const CALL = /\b(\w+)"?\s*\(/g

/** A macro that a statement calls, or a view that it reads. */
export interface CalledMacro {
  readonly name: string
  /** Where the statement calls it, in UTF-16 units. Undefined: more than once, or in a view. */
  readonly at: number | undefined
}

/** The macros that a statement and the views that it reads call. */
export function macrosCalled(
  sql: string,
  definitions: readonly NamedDefinition[],
  { macros }: KnownFunctions,
): readonly CalledMacro[] {
  const places = new Map<string, number | undefined>()
  for (const match of sql.matchAll(CALL)) {
    const name = (match[1] ?? '').toLowerCase()
    if (macros.has(name)) places.set(name, places.has(name) ? undefined : match.index)
  }
  for (const { query } of definitions)
    for (const [, name = ''] of (query ?? '').matchAll(CALL))
      if (macros.has(name.toLowerCase())) places.set(name.toLowerCase(), undefined)
  return [...places].map(([name, at]) => ({ name, at }))
}

/** Those of the macros that have this name, or whose bodies, or the macros in them, name such a function or operator. */
export function callersOf(
  inner: string,
  called: readonly CalledMacro[],
  { macros }: KnownFunctions,
): readonly CalledMacro[] {
  const wanted = inner.toLowerCase()
  const names = (name: string, above: readonly string[]): boolean => {
    const body = macros.get(name)
    if (body === undefined || above.includes(name)) return false
    const words: readonly string[] = body.toLowerCase().match(WORDS) ?? []
    return words.includes(wanted) || words.some((word) => names(word, [...above, name]))
  }
  return called.filter(({ name }) => name === wanted || names(name, []))
}

/** Names and operators. */
const WORDS = /\w+|[^\w\s()',"]+/g
