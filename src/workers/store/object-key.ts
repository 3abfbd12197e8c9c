import { ServiceError } from '../../plan/errors.ts'

/** The longest key in bytes: that is as long as a path may be on Linux. */
const MAX_KEY_BYTES = 4096

/**
 * The names that `/` joins in a key. No character has a special meaning in them, a percent sign neither. Throws
 * `unreadable_file` for a key that could name something outside of the store: keys come from the documents of a dataset,
 * which are untrusted.
 */
export function namesOf(key: string, path: string): readonly string[] {
  const names = key.split('/')
  const isPlain = names.every((name) => name !== '' && name !== '.' && name !== '..')
  if (isPlain && !key.includes('\0') && key.isWellFormed() && Buffer.byteLength(key) <= MAX_KEY_BYTES)
    return names
  throw new ServiceError(
    'unreadable_file',
    `"${path}" is damaged: it refers to ${JSON.stringify(key.slice(0, 200))}, which names no object of a store.`,
  )
}
