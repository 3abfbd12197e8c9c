import { ServiceError } from '../../plan/errors.ts'
import { placeIn } from '../../plan/place.ts'
import { sameDecimal } from './decimal.ts'
import { jsonFault } from './json-fault.ts'

/**
 * A JSON number that a 64-bit float cannot hold exactly, as its source text. It is an object that only `JSON.rawJSON` makes,
 * so no request can forge one, and `JSON.stringify` prints it with every digit.
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

/** The most characters of a number. It bounds the conversion to BigInt, which takes quadratic time. */
const NUMBER_CHARS = 1_000

/**
 * Parses JSON. A number that would lose digits as a 64-bit float becomes an `ExactNumber`. Throws `invalid_query`, with the
 * line and column of what is wrong.
 */
export function parseJson(text: string): unknown {
  try {
    if (text.length <= SHORT_CHARS && !MAY_BE_INEXACT.test(text)) return JSON.parse(text)
    return JSON.parse(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined ? exactly(value, source) : value,
    )
  } catch (error) {
    if (error instanceof SyntaxError) throw misspelled(text, error)
    // V8 calls the reviver recursively: a body that is nested too deeply overflows the stack.
    if (error instanceof RangeError) throw invalid('nested too deeply', error)
    throw error
  }
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return JSON.isRawJSON(value)
}

/** The length of texts that are too short to be nested so deeply that the stack overflows. */
const SHORT_CHARS = 2048

/**
 * Matches every text that contains a number of 15 digits or more, or with an exponent. Other texts are parsed without a
 * reviver, in half the time, because a 64-bit float gives back all digits of their numbers.
 */
const MAY_BE_INEXACT = /[\d.]{15}|\d[eE]/

/** The text of a JSON number. Null: the value is not a number. */
export function numberSource(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return isExactNumber(value) ? value.rawJSON : null
}

function exactly(value: number, source: string): number | ExactNumber {
  if (source.length > NUMBER_CHARS) throw invalid(`a number of more than ${NUMBER_CHARS} characters`)
  // A 64-bit float gives back any 15 digits. Most numbers end here, in a tenth of the time of comparing the decimals.
  if (source.length <= 15 && !/[eE]/.test(source)) return value
  return sameDecimal(source, String(value)) ? value : JSON.rawJSON(source)
}

function misspelled(text: string, cause: SyntaxError): ServiceError {
  if (text.trim() === '') return invalid('it is empty', cause)
  const fault = jsonFault(text)
  return fault === null
    ? invalid(cause.message, cause)
    : invalid(`${placeIn(text, fault.at)}: ${fault.what}`, cause)
}

function invalid(reason: string, cause?: Error): ServiceError {
  return new ServiceError('invalid_query', `The query is not valid JSON: ${reason}.`, { cause })
}
