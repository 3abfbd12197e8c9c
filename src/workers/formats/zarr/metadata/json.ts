import { fault } from '../../fault.ts'

/** A value of JSON. An integer that a 64-bit float may not hold exactly is a bigint. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject

/** It inherits nothing, so each member is one of the document. */
export interface JsonObject {
  readonly [name: string]: Json
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The prototype of objects. Those without any prototype are slow, and take several times the memory. */
const NOTHING: object = Object.freeze(Object.create(null))

/** How deeply arrays and objects may lie in each other. */
const MAX_DEPTH = 128

/** The most values of a document: some 120 MB of memory, or 40 000 arrays. */
const MAX_VALUES = 1 << 21

/** The most digits of an integer that is read exactly. Longer ones are no 64-bit integers. */
const MAX_DIGITS = 20

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
/** Codes of characters. */
const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x5c]
const ESCAPES: Readonly<Record<string, string>> = Object.freeze({
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
})
const LITERALS: readonly (readonly [word: string, value: Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]

/**
 * Parses JSON as the Python module `json` writes it: NaN, Infinity and -Infinity are numbers too. Throws `unreadable_file` with the
 * line and the column of what is wrong.
 */
export function parseJson(text: string): Json {
  let at = 0
  let values = 0

  function fail(what: string): never {
    throw fault(`its JSON is damaged at ${locationIn(text, at)}: ${what}`)
  }

  /** The next character after white space. Empty at the end. */
  function next(): string {
    for (; ; at++) {
      const code = text.charCodeAt(at)
      if (code !== SPACE && code !== LINE_FEED && code !== RETURN && code !== TAB) return text.charAt(at)
    }
  }

  /** Moves over the characters of a string up to its end, an escape, or what must be escaped. */
  function plain(): string {
    const from = at
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE || code === BACKSLASH || code < SPACE) break
    }
    return text.slice(from, at)
  }

  function value(depth: number): Json {
    if (depth > MAX_DEPTH) fail(`more than ${MAX_DEPTH} arrays and objects in each other`)
    if (++values > MAX_VALUES) fail(`more than ${MAX_VALUES} values`)
    switch (next()) {
      case '{':
        return object(depth)
      case '[':
        return array(depth)
      case '"':
        return string()
      default:
        return word()
    }
  }

  function object(depth: number): JsonObject {
    const members: Record<string, Json> = Object.create(NOTHING)
    at++
    if (next() === '}') at++
    else
      do {
        if (next() !== '"') fail('the name of a member is expected')
        const name = string()
        if (next() !== ':') fail('":" is expected')
        at++
        members[name] = value(depth + 1)
      } while (hasMore('}'))
    return members
  }

  function array(depth: number): readonly Json[] {
    const items: Json[] = []
    at++
    if (next() === ']') at++
    else
      do {
        items.push(value(depth + 1))
      } while (hasMore(']'))
    return items
  }

  /** Moves over a comma or the end of an array or object. */
  function hasMore(end: string): boolean {
    const separator = next()
    if (separator !== ',' && separator !== end) fail(`"," or "${end}" is expected`)
    at++
    return separator === ','
  }

  function string(): string {
    at++
    let all = plain()
    for (;;) {
      const character = text.charAt(at)
      if (character === '"') {
        at++
        return all
      }
      if (character !== '\\')
        fail(character === '' ? 'a string without its end' : 'a control character in a string')
      all += readEscape() + plain()
    }
  }

  function readEscape(): string {
    const code = text.charAt(at + 1)
    const hex = text.slice(at + 2, at + 6)
    if (code === 'u' && /^[0-9a-fA-F]{4}$/.test(hex)) {
      at += 6
      return String.fromCharCode(Number.parseInt(hex, 16))
    }
    const meant = Object.hasOwn(ESCAPES, code) ? ESCAPES[code] : undefined
    at += 2
    return meant ?? fail('an unknown escape in a string')
  }

  function word(): Json {
    const literal = LITERALS.find(([word]) => text.startsWith(word, at))
    if (literal === undefined) return number()
    at += literal[0].length
    return literal[1]
  }

  function number(): number | bigint {
    NUMBER.lastIndex = at
    const match = NUMBER.exec(text)
    if (match === null) return fail('a value is expected')
    const [digits, fraction, exponent] = match
    at += digits.length
    const float = Number(digits)
    const isFloat = fraction !== undefined || exponent !== undefined
    return isFloat || Number.isSafeInteger(float) || digits.length > MAX_DIGITS ? float : BigInt(digits)
  }

  const document = value(0)
  if (next() !== '') fail('nothing is expected after the value')
  return document
}

/** Where in a text a position is: `line 3, column 14`. Both are counted from 1. */
function locationIn(text: string, at: number): string {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return `line ${line}, column ${at - before.lastIndexOf('\n')}`
}
