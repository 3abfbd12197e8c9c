import { ServiceError } from '../../plan/errors.ts'

/** As long as Linux lets a path be, bytes. */
const KEY_BYTES = 4096

/**
 * The names of a key, which are joined by `/`. Everything in them is a plain character, a percent sign too. Throws
 * `unreadable_file` for a key that could name something outside of the store: keys are made from what documents say.
 */
export function namesOf(key: string, path: string): readonly string[] {
  const names = key.split('/')
  const isPlain = names.every((name) => name !== '' && name !== '.' && name !== '..')
  if (isPlain && !key.includes('\0') && key.isWellFormed() && Buffer.byteLength(key) <= KEY_BYTES)
    return names
  throw new ServiceError(
    'unreadable_file',
    `"${path}" is damaged: it refers to ${JSON.stringify(key.slice(0, 200))}, which names no object of a store.`,
  )
}
