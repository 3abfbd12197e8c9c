import { ServiceError } from '../../../plan/errors.ts'

/** Throws `invalid_sql` for a text that is empty, no Unicode or too long. The message has none of it: it may be a secret. */
export function requireText(what: string, text: string, mostBytes: number): void {
  const fault =
    text === ''
      ? 'is not empty'
      : !text.isWellFormed()
        ? 'has no half of a surrogate pair, which is no character'
        : Buffer.byteLength(text) > mostBytes
          ? `has at most ${mostBytes} bytes`
          : null
  if (fault !== null) throw new ServiceError('invalid_sql', `${what} ${fault}.`, { quotesNothing: true })
}
