import { ServiceError } from '../../../plan/errors.ts'
import { sameDecimal } from './decimal.ts'

/**
 * A JSON number that no 64-bit float holds, with its source text. It is the language's own raw JSON object: no
 * request can make one, and `JSON.stringify` prints it digit by digit.
 */
export type ExactNumber = { readonly rawJSON: string }

declare global {
  // ECMAScript's "JSON.parse source text access"; lib.es2024 has no types for it.
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
    rawJSON(text: string): ExactNumber
    isRawJSON(value: unknown): value is ExactNumber
  }
}

/** Digits of a number; keeps conversions to BigInt, which take quadratic time, short. */
const NUMBER_CHARS = 1_000

/**
 * JSON text as values. A number whose decimal value a double does not give back is an `ExactNumber`. Errors
 * (`invalid_query`) carry the position, or the text around it.
 */
export function parseJson(text: string): unknown {
  try {
    if (text.length <= SHORT_CHARS && !MAY_BE_INEXACT.test(text)) return JSON.parse(text)
    return JSON.parse(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined ? exactly(value, source) : value,
    )
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(error.message, error)
    // The reviver's walk is recursive in V8: a hostile body ends it here.
    if (error instanceof RangeError) throw invalid('nested too deeply', error)
    throw error
  }
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return JSON.isRawJSON(value)
}

/** Texts in which nothing can be nested too deeply. */
const SHORT_CHARS = 2048

/** Found in every text with a number that a double may not give back; of others no number is looked at, at half the time. */
const MAY_BE_INEXACT = /[\d.]{15}|\d[eE]/

/** The text of a JSON number, or null if the value is none. */
export function numberSource(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return isExactNumber(value) ? value.rawJSON : null
}

function exactly(value: number, source: string): number | ExactNumber {
  if (source.length > NUMBER_CHARS) throw invalid(`a number of more than ${NUMBER_CHARS} characters`)
  // A double gives back any fifteen digits: most numbers are done here, at a tenth of the time.
  if (source.length <= 15 && !/[eE]/.test(source)) return value
  return sameDecimal(source, String(value)) ? value : JSON.rawJSON(source)
}

function invalid(reason: string, cause?: Error): ServiceError {
  return new ServiceError('invalid_query', `The body is not valid JSON: ${reason}`, { cause })
}
