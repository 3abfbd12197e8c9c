/**
 * Whether a text may have a statement with a password or a secret, or what was meant as one: errors about such a request quote nothing of it.
 * The text is a body or a URL, whatever it is otherwise. Takes time proportional to its length.
 */
export function mentionsPassword(text: string): boolean {
  const decoded = withoutEscapes(text)
  const uncommented = withoutComments(decoded)
  return SIGNS.some((sign) => sign.test(decoded) || sign.test(uncommented))
}

const SIGNS: readonly RegExp[] = [
  /** `CREATE USER`, `CREATE OR REPLACE PERSISTENT SECRET`, `ALTER USER` and the like. */
  /\b(?:create|alter)\s+(?:or\s+replace\s+)?(?:(?:persistent|temporary)\s+)?(?:user|secret)\b/i,
  /** `PASSWORD` before a quote. */
  /\bpassword[\s=:]+["'`$]/i,
  /** `SECRET name (TYPE …`, whatever stands before it. */
  /\bsecret\s[^;(]{0,300}\(\s*type\b/i,
  /** A key of a secret behind a bracket or a comma, before a quote: `(TOKEN '…'`. */
  /[(,]\s*(?:pass|token|secret|account_key|session_token|connection_string)\s+["'`$]/i,
  /** Such a key in quotes, as the options of statements and members of JSON have it: `('password' '…'`. That of `secret` is a name. */
  /["'](?:pass|password|token|account_key|session_token|connection_string)["'](?:\s+|\s*:\s*)["'`$](?!\*\*\*["'])/i,
]

/** The text with the characters that JSON's escapes stand for. */
function withoutEscapes(text: string): string {
  return text
    .replaceAll(/\\u([\da-f]{4})/gi, (_escape, digits: string) => String.fromCharCode(parseInt(digits, 16)))
    .replaceAll(/\\[nrtbf]/g, ' ')
    .replaceAll(/\\(["'/])/g, '$1')
}

/** The text with a space in place of each comment. One that is not closed ends with the text. */
function withoutComments(text: string): string {
  const parts: string[] = []
  let at = 0
  for (const begin = /--|\/\*/g; ; ) {
    begin.lastIndex = at
    const comment = begin.exec(text)
    if (comment === null) break
    parts.push(text.slice(at, comment.index))
    const end =
      comment[0] === '--' ? text.indexOf('\n', comment.index) : text.indexOf('*/', comment.index + 2)
    if (end === -1) return parts.join(' ')
    at = end + (comment[0] === '--' ? 1 : 2)
  }
  return [...parts, text.slice(at)].join(' ')
}
