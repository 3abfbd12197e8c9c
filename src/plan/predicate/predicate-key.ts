import type { Predicate } from './predicate.ts'

/** A key that is equal for equal predicates, wherever they are written. JSON has neither integers of 64 bits nor floats that are not finite. */
export function predicateKey(predicate: Predicate): string {
  return JSON.stringify(predicate, (name, value: unknown) =>
    name === 'place'
      ? undefined
      : typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))
        ? `${value}`
        : value,
  )
}
