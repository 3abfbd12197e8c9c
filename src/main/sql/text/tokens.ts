import { ServiceError, type ServiceErrorOptions } from '../../../plan/errors.ts'
import { placeIn } from '../../../plan/place.ts'

/**
 * A token of DuckDB's SQL: a bare word (a keyword or a name), a name in double quotes, a string in any of its forms, a number,
 * or a sign. A sign is one character, except `::`, `:=` and `..`.
 */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'sign'
  /** The text of the token. A name in quotes is without its quotes, and a doubled quote in it is one. */
  readonly text: string
  /** A bare word in upper case, to be compared with keywords. Null: the token is not a bare word. */
  readonly word: string | null
  /** Position of the first character, in UTF-16 units. */
  readonly start: number
  /** Position after the last character. */
  readonly end: number
}

/**
 * Splits a statement into tokens, without comments, as DuckDB 1.4 does (by its `scan.l`, which comes from PostgreSQL). The
 * checks of the gate hold only if both agree on where each quote and comment ends. Text whose tokens depend on what precedes
 * them is refused. Takes time proportional to the length of the text. Throws `invalid_sql`.
 */
export function tokenize(sql: string): readonly Token[] {
  // DuckDB is given a C string, which a NUL character would end.
  const nul = sql.indexOf('\0')
  if (nul !== -1) throw invalidSql(sql, nul, 'a statement cannot hold U+0000')
  const tokens: Token[] = []
  let previous: Token | null = null
  for (let at = blankEnd(sql, 0); at < sql.length; ) {
    const token = tokenAt(sql, at)
    if (previous !== null) requireApart(sql, previous, token)
    tokens.push(token)
    previous = token
    at = blankEnd(sql, token.end)
  }
  return tokens
}

/** Whether the token is this sign. A name in quotes with the same text is not. */
export function isSign(token: Token | undefined, sign: string): boolean {
  return token?.kind === 'sign' && token.text === sign
}

/** A bare word in upper case. Null: the token is something else, or there is no token. */
export function wordOf(token: Token | undefined): string | null {
  return token?.word ?? null
}

/**
 * The bare words with which a text begins, in upper case, and at most so many. What follows them is not read. Throws `invalid_sql`
 * if a comment before them is not closed.
 */
export function firstWords(sql: string, most: number): readonly string[] {
  const words: string[] = []
  for (let at = 0; words.length < most; ) {
    const start = blankEnd(sql, at)
    if (!isLetter(sql, start)) break
    at = wordEnd(sql, start)
    words.push(sql.slice(start, at).toUpperCase())
  }
  return words
}

/** The error `invalid_sql` with its position in the text: `sql, line 2, column 7: …`. */
export function invalidSql(
  sql: string,
  at: number,
  reason: string,
  options: ServiceErrorOptions = {},
): ServiceError {
  return new ServiceError('invalid_sql', `sql, ${placeIn(sql, at)}: ${reason}`, options)
}

function tokenAt(sql: string, start: number): Token {
  switch (sql.charAt(start)) {
    case "'":
      return written(sql, 'string', start, quotedEnd(sql, start))
    case '"':
      return quotedName(sql, start)
    case '$':
      return written(sql, 'string', start, dollarEnd(sql, start))
    case '`':
      throw backquote(sql, start)
    case '?':
      throw noParameters(sql, start)
    case ':':
      return written(sql, 'sign', start, start + (':='.includes(sql.charAt(start + 1) || ' ') ? 2 : 1))
    case '.':
      if (isDigit(sql, start + 1)) return written(sql, 'number', start, numberEnd(sql, start))
      return written(sql, 'sign', start, start + (sql.charAt(start + 1) === '.' ? 2 : 1))
  }
  if (isDigit(sql, start)) return written(sql, 'number', start, numberEnd(sql, start))
  if (!isLetter(sql, start)) return written(sql, 'sign', start, start + 1)
  const end = asciiWordEnd(sql, start)
  if (isLetter(sql, end)) return otherWord(sql, start)
  const prefixed = prefixedStringEnd(sql, start, end)
  if (prefixed !== null) return written(sql, 'string', start, prefixed)
  return written(sql, 'word', start, end)
}

/** A word with letters beyond ASCII, some of which are quotes or spaces elsewhere. */
function otherWord(sql: string, start: number): Token {
  if (TYPOGRAPHIC_QUOTES.includes(sql.charAt(start))) throw typographicQuote(sql, start)
  const end = wordEnd(sql, start)
  requireNoSpaceInside(sql, start, end)
  return written(sql, 'word', start, end)
}

/** A token whose text is as it is written. */
function written(sql: string, kind: Token['kind'], start: number, end: number): Token {
  const text = sql.slice(start, end)
  return { kind, text, word: kind === 'word' ? text.toUpperCase() : null, start, end }
}

/** The end of a string E'…', B'…' or X'…'. Null: the word is not the prefix of a string. */
function prefixedStringEnd(sql: string, start: number, end: number): number | null {
  if (end - start > 1) return null
  const next = sql.charAt(end)
  switch (sql.charAt(start).toLowerCase()) {
    case 'e':
      return next === "'" ? escapedEnd(sql, end) : null
    case 'b':
    case 'x':
      return next === "'" ? quotedEnd(sql, end) : null
    case 'u':
      if (sql.startsWith(`&'`, end) || sql.startsWith('&"', end)) {
        throw invalidSql(sql, start, 'U& before a quote is not supported; write the characters themselves')
      }
  }
  return null
}

/** The position after blanks and comments. Block comments may be nested. */
function blankEnd(sql: string, from: number): number {
  let at = from
  for (;;) {
    if (isBlank(sql, at)) at++
    else if (isPair(sql, at, '--')) at = lineEnd(sql, at)
    else if (isPair(sql, at, '/*')) at = blockCommentEnd(sql, at)
    else return at
  }
}

/** As `startsWith`, in less time where the first of the two characters is another one. */
function isPair(sql: string, at: number, pair: string): boolean {
  return sql.charCodeAt(at) === pair.charCodeAt(0) && sql.charCodeAt(at + 1) === pair.charCodeAt(1)
}

function lineEnd(sql: string, from: number): number {
  let at = from
  while (at < sql.length && sql.charAt(at) !== '\n' && sql.charAt(at) !== '\r') at++
  return at
}

function blockCommentEnd(sql: string, start: number): number {
  let depth = 0
  for (let at = start; at < sql.length; ) {
    if (sql.startsWith('/*', at)) {
      depth++
      at += 2
    } else if (sql.startsWith('*/', at)) {
      depth--
      at += 2
      if (depth === 0) return at
    } else at++
  }
  throw invalidSql(sql, start, 'a comment is not closed')
}

/** The end of the quoted text that begins at `start`. A doubled quote does not end it. */
function quotedEnd(sql: string, start: number): number {
  const quote = sql.charAt(start)
  for (let at = sql.indexOf(quote, start + 1); at !== -1; at = sql.indexOf(quote, at + 2)) {
    if (sql.charAt(at + 1) !== quote) return at + 1
  }
  const doubled = quote === "'" ? "; a quote inside of a text is doubled: 'it''s'" : ''
  throw invalidSql(sql, start, `a quote is not closed${doubled}`)
}

/** As `quotedEnd`, for a string in which a backslash escapes the next character. */
function escapedEnd(sql: string, start: number): number {
  for (let at = start + 1; at < sql.length; at++) {
    const character = sql.charAt(at)
    if (character === '\\') at++
    else if (character === "'") {
      if (sql.charAt(at + 1) !== "'") return at + 1
      at++
    }
  }
  throw invalidSql(sql, start, 'a quote is not closed')
}

function quotedName(sql: string, start: number): Token {
  const end = quotedEnd(sql, start)
  const text = sql.slice(start + 1, end - 1).replaceAll('""', '"')
  if (text === '') throw invalidSql(sql, start, 'a name in quotes is empty')
  return { kind: 'quoted', text, word: null, start, end }
}

/** The end of a string `$$…$$` or `$tag$…$tag$`. Throws `invalid_sql` for a parameter, such as `$1` or `$name`. */
function dollarEnd(sql: string, start: number): number {
  let at = start + 1
  if (isLetter(sql, at)) while (isLetter(sql, at) || isDigit(sql, at)) at++
  if (sql.charAt(at) !== '$') throw noParameters(sql, start)
  requireNoSpaceInside(sql, start, at)
  const mark = sql.slice(start, at + 1)
  const end = sql.indexOf(mark, at + 1)
  if (end === -1) throw invalidSql(sql, start, `a ${mark} quote is not closed`)
  return end + mark.length
}

/** The end of a number: digits, a fraction, an exponent. In `1..2` the dots are not part of the first number. */
function numberEnd(sql: string, start: number): number {
  let at = digitsEnd(sql, start)
  if (sql.charAt(at) === '.' && sql.charAt(at + 1) !== '.') at = digitsEnd(sql, at + 1)
  if (sql.charAt(at).toLowerCase() !== 'e') return at
  const isSigned = sql.charAt(at + 1) === '+' || sql.charAt(at + 1) === '-'
  const exponent = at + (isSigned ? 2 : 1)
  return isDigit(sql, exponent) ? digitsEnd(sql, exponent) : at
}

/** The end of digits, between which there may be single underscores. */
function digitsEnd(sql: string, from: number): number {
  let at = from
  while (isDigit(sql, at)) at += sql.charAt(at + 1) === '_' && isDigit(sql, at + 2) ? 2 : 1
  return at
}

/** The end of the characters of a word up to the first one beyond ASCII. */
function asciiWordEnd(sql: string, start: number): number {
  let at = start
  while (sql.charCodeAt(at) < 128 && isWordPart(sql, at)) at++
  return at
}

function wordEnd(sql: string, start: number): number {
  let at = start
  while (isWordPart(sql, at)) at++
  return at
}

function isWordPart(sql: string, at: number): boolean {
  return isLetter(sql, at) || isDigit(sql, at) || sql.charAt(at) === '$'
}

/** Refuses two tokens in a row of which the first changes how DuckDB reads the second. */
function requireApart(sql: string, previous: Token, token: Token): void {
  if (previous.kind === 'number' && token.start === previous.end && isLetter(sql, token.start)) {
    throw invalidSql(
      sql,
      token.start,
      'a number runs into a name; put a space between them, or quotes around a text',
    )
  }
  // For DuckDB, strings on two lines are one string, and the second part has the escapes of the first.
  if (previous.kind === 'string' && token.kind === 'string' && previous.text.toLowerCase().startsWith('e')) {
    throw invalidSql(sql, token.start, `a string follows an E'…' string; join the two with ||`)
  }
}

/** Backquotes are no part of DuckDB's SQL. The message has the name as it is written there, if it is short. */
function backquote(sql: string, start: number): ServiceError {
  const [, name] = /^`([^`"\n]{1,100})`/.exec(sql.slice(start, start + 102)) ?? []
  const instead = name === undefined ? '' : `: write "${name}"`
  return invalidSql(sql, start, `names are quoted with double quotes, not with backquotes${instead}`)
}

/** Quotes as word processors write them. For DuckDB they are letters. */
const TYPOGRAPHIC_QUOTES = '“”„‟‘’‚‛´'

function typographicQuote(sql: string, start: number): ServiceError {
  const what = `${sql.charAt(start)} is a letter in SQL; text is in straight single quotes, and a name in straight double ones`
  return invalidSql(sql, start, what)
}

function noParameters(sql: string, at: number): ServiceError {
  return invalidSql(sql, at, 'a statement has no parameters; write the values themselves')
}

/**
 * Characters that DuckDB replaces by spaces before it splits the text. It does not replace them in quotes, and it mistakes a
 * quote in a comment for one that begins a string, so that the tokens depend on the comments.
 */
const LIKE_SPACES = /[\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff]/

function requireNoSpaceInside(sql: string, start: number, end: number): void {
  const offset = sql.slice(start, end).search(LIKE_SPACES)
  if (offset === -1) return
  const code = sql
    .charCodeAt(start + offset)
    .toString(16)
    .toUpperCase()
    .padStart(4, '0')
  throw invalidSql(sql, start + offset, `U+${code} looks like a space; write a space, or quote the name`)
}

/** Whether a character is a space for DuckDB: blank, tab, line feed, form feed or carriage return. */
function isBlank(sql: string, at: number): boolean {
  const code = sql.charCodeAt(at)
  return code === 32 || code === 9 || code === 10 || code === 12 || code === 13
}

/** Whether a character may be part of a name: A to Z, a to z, the underscore, and all that is not ASCII. */
function isLetter(sql: string, at: number): boolean {
  const code = sql.charCodeAt(at)
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code >= 128
}

function isDigit(sql: string, at: number): boolean {
  const code = sql.charCodeAt(at)
  return code >= 48 && code <= 57
}
