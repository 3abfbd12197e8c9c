/** A whole number of 0 or more, given by JSON or SQL. Null: it is something else, or beyond the safe integers of a double. */
export function wholeNumber(given: unknown): number | null {
  const number = typeof given === 'bigint' || typeof given === 'number' ? Number(given) : Number.NaN
  return Number.isSafeInteger(number) && number >= 0 ? number : null
}
