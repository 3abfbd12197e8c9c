import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { isSign, wordOf } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'
import type { Literal } from '../../bind/expressions/literal.ts'
import { utcOf } from '../../bind/expressions/utc-of.ts'
import { parseIntervalWithUnit } from './parse-interval.ts'
import { CLOCK_DATE, CLOCK_INSTANT, CLOCK_TIMESTAMP } from './read-clock.ts'

type TimeForm = 'date' | 'time' | 'timestamp' | 'instant' | 'interval'

const TIME_FORMS: ReadonlyMap<string, TimeForm> = new Map([
  ['DATE', 'date'],
  ['TIME', 'time'],
  ['TIMESTAMP', 'timestamp'],
  ['DATETIME', 'timestamp'],
  ['TIMESTAMPTZ', 'instant'],
  ['INTERVAL', 'interval'],
  [CLOCK_DATE, 'date'],
  [CLOCK_TIMESTAMP, 'timestamp'],
  [CLOCK_INSTANT, 'instant'],
])

/**
 * Parses a literal: a number, a string in single quotes, `TRUE`, `FALSE`, `NULL`, or a date or time as `DATE '…'`, `'…'::DATE` or
 * `CAST('…' AS DATE)`. Null: something else comes next.
 */
export function parseLiteral(reader: TokenReader): Literal | null {
  const at = reader.at()
  const token = reader.peek()
  switch (token?.kind) {
    case 'number':
      return number(reader.next().text, at)
    case 'string': {
      const text = expectString(reader)
      const form = reader.isSign('::') ? timeFormOf(reader, 1) : null
      if (form === null) return literal('string', text, at)
      reader.next()
      reader.next()
      return timeLiteral(form, text, at)
    }
    case 'word':
      return parseWord(reader, at)
  }
  return null
}

/** The literal of the negative of a number. Null: the literal is no number. */
export function negativeOf(number: Literal, at: number): Literal | null {
  const { form, text } = number
  if (form !== 'integer' && form !== 'decimal' && form !== 'double') return null
  if (form === 'integer' && BigInt(text) === 0n) return { ...number, at }
  const isOdd = !/[1-9]/.test(text)
  return { ...number, ...(isOdd && { isOdd }), text: text.startsWith('-') ? text.slice(1) : `-${text}`, at }
}

function literal(form: Literal['form'], text: string, at: number): Literal {
  return { kind: 'literal', form, text, at }
}

/** A time as it is written. One with a zone is kept in UTC. */
function timeLiteral(form: TimeForm, text: string, at: number): Literal {
  if (form !== 'instant') return literal(form, text, at)
  return {
    ...literal(form, utcOf(text) ?? decline('a time with a zone in another form', at), at),
    isOdd: true,
  }
}

function parseWord(reader: TokenReader, at: number): Literal | null {
  if (reader.isWord('TRUE') || reader.isWord('FALSE'))
    return literal('boolean', reader.next().text.toLowerCase(), at)
  if (reader.takeWords('NULL')) return literal('null', 'NULL', at)
  if (reader.isWord('CAST') && isSign(reader.peek(1), '(') && reader.peek(2)?.kind === 'string') {
    const form = reader.isWord('CAST') && wordOf(reader.peek(3)) === 'AS' ? timeFormOf(reader, 4) : null
    if (form === null || !isSign(reader.peek(5), ')')) return null
    reader.next()
    reader.next()
    const text = expectString(reader)
    for (let tokens = 0; tokens < 3; tokens++) reader.next()
    return timeLiteral(form, text, at)
  }
  const interval = parseIntervalWithUnit(reader)
  if (interval !== null) return interval
  const form = timeFormOf(reader, 0)
  if (form === null || reader.peek(1)?.kind !== 'string') return null
  const isOfClock = reader.next().text.includes(' ')
  const text = expectString(reader)
  return isOfClock ? { ...literal(form, text, at), isOdd: true } : timeLiteral(form, text, at)
}

/** The form of literals that the word so many tokens ahead names. Null: it names none. */
function timeFormOf(reader: TokenReader, ahead: number): TimeForm | null {
  return TIME_FORMS.get(wordOf(reader.peek(ahead)) ?? '') ?? null
}

/** Takes a string in single quotes and returns its value. */
export function expectString(reader: TokenReader): string {
  const at = reader.at()
  const token = reader.peek()
  if (token?.kind !== 'string') return reader.unexpected()
  if (!token.text.startsWith("'")) decline(`a string of the form ${token.text.slice(0, 2)}…`, at)
  reader.next()
  return token.text.slice(1, -1).replaceAll("''", "'")
}

/** The literal of a number: an integer, a DECIMAL if it has a point, or a DOUBLE if it has an exponent. */
function number(text: string, at: number): Literal {
  if (text.includes('_')) decline('a number with underscores', at)
  if (/e/i.test(text)) return { ...literal('double', text, at), isOdd: true }
  // `.5` becomes `0.5` and `5.` becomes `5.0`: decimals are read with digits on both sides of the point.
  const decimal = text.replace(/^\./, '0.').replace(/\.$/, '.0')
  const isPlain = /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)
  return {
    ...literal(decimal.includes('.') ? 'decimal' : 'integer', decimal, at),
    ...(!isPlain && { isOdd: true }),
  }
}
