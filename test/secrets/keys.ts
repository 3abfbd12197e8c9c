import { createHash } from 'node:crypto'

/** A key as `SERVICE_SECRETS_KEY` has it, always the same for the same word. */
export function keyFor(word: string): string {
  return createHash('sha256').update(word).digest('base64')
}
