import { alternatives } from '../alternatives.ts'
import type { FormatOption } from './format-row.ts'

const ESCAPES: Readonly<Record<string, string>> = Object.freeze({
  '\\t': '\t',
  '\\n': '\n',
  '\\r': '\r',
  '\\0': '\0',
  '\\\\': '\\',
})

/** The first records of a file decide its delimiter. */
export const AUTO = 'auto'

/** The delimiter of columns that are aligned: runs of spaces and tabs. */
export const WHITESPACE = 'whitespace'

/** What is written where runs of blanks are meant, as in other tools. */
const BLANKS = /^(?:[ \t]+|\\s[+*]?)$/

/** The value of `quote` with which no field is quoted. */
const NO_QUOTE = ''

/** One ASCII character, an escape of one, `whitespace` or `auto`. */
export const DELIMITER: FormatOption = Object.freeze({
  name: 'delimiter',
  schema: {
    type: 'string',
    default: ',',
    description:
      'One ASCII character, or `\\t`, `\\n`, `\\r`, `\\0`, `\\\\`; `whitespace`: runs of spaces and tabs; `auto`: comma, semicolon, tab or bar, told by the first records of each file',
  },
  default: ',',
  sqlDefault: "','",
  read(given: unknown, reject: (what: string) => never): string {
    if (typeof given !== 'string') return reject('CSV delimiter must be a string')
    if (given === '') reject('CSV delimiter must not be empty')
    if (given === AUTO || given === WHITESPACE) return given
    const delimiter = ESCAPES[given] ?? given
    const got = `got ${shorten(given)}`
    if ([...delimiter].length !== 1)
      reject(
        `CSV delimiter must be a single character or an escape (\\t, \\n, \\r, \\0, \\\\), ${got}${BLANKS.test(given) ? `; '${WHITESPACE}' is any number of spaces and tabs` : ''}`,
      )
    if (delimiter > '\x7f') reject(`CSV delimiter must be a single-byte (ASCII) character, ${got}`)
    return delimiter
  },
})

/** A sign that no number and no date begins with. */
const QUOTE_CHARACTER = /^[!-*/:-@[-`{-~]$/

export const QUOTE: FormatOption = Object.freeze({
  name: 'quote',
  schema: {
    type: 'string',
    default: '"',
    description: 'The ASCII sign around fields that hold delimiters or line ends; empty: no field is quoted',
  },
  default: null,
  sqlDefault: `'"'`,
  read(given: unknown, reject: (what: string) => never): string | null {
    if (typeof given !== 'string' || (given !== NO_QUOTE && !QUOTE_CHARACTER.test(given)))
      reject(`quote must be one ASCII sign, such as " or ', or empty if no field is quoted${got(given)}`)
    return given === '"' ? null : given
  },
})

export const DECIMAL: FormatOption = Object.freeze({
  name: 'decimal',
  schema: {
    type: 'string',
    enum: ['.', ','],
    default: '.',
    description: 'What stands before the fraction of a number',
  },
  default: null,
  sqlDefault: "'.'",
  read(given: unknown, reject: (what: string) => never): string | null {
    if (given !== '.' && given !== ',') reject(`decimal must be "." or ","${got(given)}`)
    return given === '.' ? null : given
  },
})

/** 1 to 16 ASCII characters, of which the first is no space. */
const COMMENT_TEXT = /^[!-~][ -~]{0,15}$/

export const COMMENT: FormatOption = Object.freeze({
  name: 'comment',
  schema: {
    type: 'string',
    maxLength: 16,
    examples: ['#', '//'],
    description: 'Lines that begin with this text are left out',
  },
  default: null,
  sqlDefault: "''",
  read(given: unknown, reject: (what: string) => never): string | null {
    if (given === '') return null
    if (typeof given !== 'string' || !COMMENT_TEXT.test(given))
      reject(
        `comment must be what such lines begin with: 1 to 16 ASCII characters, the first of them no space${got(given)}`,
      )
    return given
  },
})

const ENCODINGS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  'utf-8': ['utf-8', 'utf8', 'ascii', 'us-ascii'],
  'latin-1': ['latin-1', 'latin1', 'iso-8859-1', 'iso8859-1', 'iso_8859-1'],
  'windows-1252': ['windows-1252', 'cp1252', 'cp-1252', 'win-1252'],
})

export const ENCODING: FormatOption = Object.freeze({
  name: 'encoding',
  schema: {
    type: 'string',
    enum: Object.keys(ENCODINGS),
    default: 'utf-8',
    description: 'The characters of the text',
  },
  default: null,
  sqlDefault: "'utf-8'",
  read(given: unknown, reject: (what: string) => never): string | null {
    const name = typeof given === 'string' ? given.toLowerCase() : ''
    if (/^utf-?(16|32)/.test(name))
      reject(
        `encoding: ${name.toUpperCase()} is not read; convert the file, for example with iconv -f ${name.toUpperCase()} -t UTF-8`,
      )
    const encoding = Object.keys(ENCODINGS).find((each) => ENCODINGS[each]?.includes(name))
    if (encoding === undefined)
      return reject(`encoding must be ${alternatives(Object.keys(ENCODINGS))}${got(given)}`)
    return encoding === 'utf-8' ? null : encoding
  },
})

/** The most texts that are null, and the most bytes of one of them. Every field that begins like one is compared with it. */
const MOST_NA = 100
const MOST_NA_BYTES = 256

export const NA: FormatOption = Object.freeze({
  name: 'na',
  schema: {
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: MOST_NA }],
    examples: [['NA', '-999']],
    description: 'Fields of these texts are null, in columns of every type',
  },
  default: null,
  sqlDefault: '[]',
  read(given: unknown, reject: (what: string) => never): readonly string[] | null {
    const texts: readonly unknown[] = Array.isArray(given) ? given : [given]
    if (texts.length > MOST_NA) reject(`na must be at most ${MOST_NA} texts, got ${texts.length}`)
    const checkedTexts = texts.map((text) => {
      if (typeof text !== 'string')
        return reject("na must be a text or a list of texts, such as ['NA', '-999']")
      if (Buffer.byteLength(text) > MOST_NA_BYTES)
        return reject(`na: a text has at most ${MOST_NA_BYTES} bytes, got ${shorten(text)}`)
      return text
    })
    const distinct = [...new Set(checkedTexts)].filter((text) => text !== '').toSorted()
    return distinct.length === 0 ? null : distinct
  },
})

/** The end of a message about a value: what was given, if it is text. */
function got(given: unknown): string {
  return typeof given === 'string' ? `, got ${shorten(given)}` : ''
}

/** A text in quotes, shortened, for a message. */
function shorten(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}
