import { ServiceError } from '../../plan/errors.ts'

/** The longest key in bytes: that is as long as a path may be on Linux. */
const MAX_KEY_BYTES = 4096

/** An empty name, `.`, `..`, and a byte that ends a path for the system. */
const NO_NAME = /(?:^|\/)\.{0,2}(?:\/|$)|\0/

/**
 * Throws `unreadable_file` for a key that could name something outside of the store: keys come from the documents of a dataset, which are
 * untrusted. Its names are joined by `/`. No other character has a special meaning, a percent sign neither.
 */
export function requireKey(key: string, path: string): void {
  if (!NO_NAME.test(key) && key.isWellFormed() && Buffer.byteLength(key) <= MAX_KEY_BYTES) return
  throw new ServiceError(
    'unreadable_file',
    `"${path}" is damaged: it refers to ${JSON.stringify(key.slice(0, 200))}, which names no object of a store.`,
  )
}
