const ESCAPES: Readonly<Record<string, string>> = Object.freeze({
  '\\t': '\t',
  '\\n': '\n',
  '\\r': '\r',
  '\\0': '\0',
  '\\\\': '\\',
})

/**
 * The delimiter that a request names: one ASCII character, or an escape of one (formats.md §5.3). `reject` throws what is
 * wrong with it.
 */
export function csvDelimiter(text: string, reject: (what: string) => never): string {
  if (text === '') reject('CSV delimiter must not be empty')
  const delimiter = ESCAPES[text] ?? text
  const got = `got ${JSON.stringify(text)}`
  if ([...delimiter].length !== 1)
    reject(`CSV delimiter must be a single character or an escape (\\t, \\n, \\r, \\0, \\\\), ${got}`)
  if (delimiter > '\x7f') reject(`CSV delimiter must be a single-byte (ASCII) character, ${got}`)
  if (delimiter === '"') reject('CSV delimiter must not be the quote')
  return delimiter
}
