import { ServiceError } from '../../../plan/errors.ts'
import type { MacroOverload } from '../../../plan/functions/function-row.ts'
import { FUNCTIONS } from '../../../plan/functions/functions.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import { isFailure, queryTexts } from '../../../wasm/duckdb/statement.ts'
import { duckError } from '../duck-error.ts'
import { MACRO_TEXT_FROM } from '../duck-message.ts'

/** The functions of the table that are macros. An engine makes each when a statement first names it, for all connections. */
export interface Macros {
  /** Makes those that the text of a statement names, in time proportional to its length. Throws `memory_limit` and `internal`. */
  make(text: string): void
}

/** Blanks in front of what a macro computes. A place from there on in an error of DuckDB may be one in a macro. */
const BLANKS = ' '.repeat(MACRO_TEXT_FROM)

/**
 * Makes the macros without parameters: words of the grammar call some of them that they do not name. To make one of the others takes
 * DuckDB 0.2 to 1 ms, and all of them would be a tenth of its start. `connection` must have no result that is being read.
 */
export function createMacros(duck: Duck, connection: number): Macros {
  const missing = new Map<string, readonly MacroOverload[]>()
  for (const { name, form } of FUNCTIONS.values())
    if (form.kind === 'macro') missing.set(name, form.overloads)
  let pattern = patternOf(missing.keys())
  const makeOne = (name: string, overloads: readonly MacroOverload[]): void => {
    missing.delete(name)
    pattern = patternOf(missing.keys())
    // DuckDB binds a macro when it is made, so that the macros in it have to be there.
    for (const { body } of overloads) make(body)
    const sql = `CREATE MACRO memory.main."${name}"${BLANKS}${overloads.map(writeOverload).join(', ')}`
    const outcome = queryTexts(duck, connection, sql)
    if (!isFailure(outcome)) return
    missing.set(name, overloads)
    pattern = patternOf(missing.keys())
    const error = duckError(outcome.failure, { sql, functions: [], sources: [], definitions: [] })
    throw error.code === 'memory_limit' ? error : new ServiceError('internal', `${sql}: ${error.message}`)
  }
  const make = (text: string): void => {
    if (missing.size === 0) return
    for (const [word] of text.matchAll(pattern)) {
      const name = word.toLowerCase()
      const overloads = missing.get(name)
      if (overloads !== undefined) makeOne(name, overloads)
    }
  }
  for (const [name, overloads] of [...missing])
    if (overloads.every(({ parameters }) => parameters === '')) makeOne(name, overloads)
  return { make }
}

function patternOf(names: Iterable<string>): RegExp {
  return new RegExp(`\\b(?:${[...names].join('|')})\\b`, 'gi')
}

function writeOverload({ parameters, body }: MacroOverload): string {
  return `(${parameters}) AS (${body})`
}
