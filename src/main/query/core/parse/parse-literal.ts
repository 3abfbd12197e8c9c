import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { isSign, wordOf } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'
import type { Literal } from './ast.ts'

type TimeForm = 'date' | 'time' | 'timestamp'

const TIME_FORMS: ReadonlyMap<string, TimeForm> = new Map([
  ['DATE', 'date'],
  ['TIME', 'time'],
  ['TIMESTAMP', 'timestamp'],
  ['DATETIME', 'timestamp'],
])

/**
 * Parses a literal: a number with or without a minus, a string in single quotes, `TRUE`, `FALSE`, or a date or time as
 * `DATE '…'`, `'…'::DATE` or `CAST('…' AS DATE)`. Null: something else comes next.
 */
export function parseLiteral(reader: TokenReader): Literal | null {
  const at = reader.at()
  const token = reader.peek()
  if (reader.isSign('-') && reader.peek(1)?.kind === 'number') {
    reader.next()
    return number(`-${reader.next().text}`, at)
  }
  switch (token?.kind) {
    case 'number':
      return number(reader.next().text, at)
    case 'string': {
      const text = expectString(reader)
      return reader.takeSign('::') ? { form: expectTimeForm(reader), text, at } : { form: 'string', text, at }
    }
    case 'word':
      return parseWord(reader, at)
  }
  return null
}

function parseWord(reader: TokenReader, at: number): Literal | null {
  if (reader.isWord('TRUE') || reader.isWord('FALSE'))
    return { form: 'boolean', text: reader.next().text.toLowerCase(), at }
  if (reader.isWord('CAST') && isSign(reader.peek(1), '(') && reader.peek(2)?.kind === 'string') {
    reader.next()
    reader.next()
    const text = expectString(reader)
    if (!reader.takeWords('AS')) reader.unexpected()
    const form = expectTimeForm(reader)
    reader.expectSign(')')
    return { form, text, at }
  }
  const form = TIME_FORMS.get(wordOf(reader.peek()) ?? '')
  if (form === undefined || reader.peek(1)?.kind !== 'string') return null
  reader.next()
  return { form, text: expectString(reader), at }
}

function expectTimeForm(reader: TokenReader): TimeForm {
  const form = TIME_FORMS.get(wordOf(reader.peek()) ?? '')
  if (form === undefined) return decline('a cast', reader.at())
  reader.next()
  return form
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
  if (/e/i.test(text)) return { form: 'double', text, at }
  // `.5` becomes `0.5` and `5.` becomes `5.0`: decimals are read with digits on both sides of the point.
  const decimal = text.replace(/^(-?)\./, '$10.').replace(/\.$/, '.0')
  return { form: decimal.includes('.') ? 'decimal' : 'integer', text: decimal, at }
}
