import { alternatives } from '../alternatives.ts'
import type { FunctionRow, Overload } from './function-row.ts'

/** The most ways to call a function that a message lists. */
const MOST_LISTED = 4

/** How a function is called: `round(x DOUBLE, digits INTEGER)`. */
function usageOf(name: string, { parameters, isVariadic }: Overload): string {
  const written = parameters.map((parameter) => `${parameter.name} ${parameter.type}`).join(', ')
  return `${name}(${written}${isVariadic ? ', ...' : ''})`
}

/** The ways to call a function as an error message lists them: `abs(x DOUBLE) or abs(x BIGINT)`. */
export function usagesOf({ name, overloads }: FunctionRow): string {
  return listUsages([...new Set(overloads.map((overload) => usageOf(name, overload)))])
}

/** Joins ways to call functions, of which a message lists the first ones. */
export function listUsages(usages: readonly string[]): string {
  const rest = usages.length - MOST_LISTED
  return rest > 0 ? `${usages.slice(0, MOST_LISTED).join(', ')} and ${rest} more` : alternatives(usages)
}
