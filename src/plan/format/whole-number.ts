/** A whole number of 0 or more, as JSON or SQL gives it to an option; null: it is none, or more than a double counts. */
export function wholeNumber(given: unknown): number | null {
  const number = typeof given === 'bigint' || typeof given === 'number' ? Number(given) : Number.NaN
  return Number.isSafeInteger(number) && number >= 0 ? number : null
}
