import { nearestName } from '../../plan/nearest-name.ts'

/** What is wrong with a text that is not JSON (RFC 8259), and where: a position in UTF-16 units. */
export interface JsonFault {
  readonly at: number
  readonly what: string
}

/** What may come next in the text. */
type Expected = 'value' | 'first_value' | 'name' | 'first_name' | 'colon' | 'separator'

const EXPECTED: Readonly<Record<Exclude<Expected, 'separator'>, string>> = Object.freeze({
  value: 'a value',
  first_value: 'a value or "]"',
  name: 'a name in double quotes',
  first_name: 'a name in double quotes or "}"',
  colon: '":"',
})

const BLANKS = /[ \t\n\r]*/y
const STRING = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\uffff]*)*"/y
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y

/**
 * Finds the first fault of a text that `JSON.parse` has refused: its own message often has no position. Null: the text is JSON.
 * It goes through the text once, without recursion.
 */
export function jsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = []
  let expected: Expected | 'end' = 'value'
  let at = 0

  const after = (): Expected | 'end' => (open.length === 0 ? 'end' : 'separator')
  const endOf = (pattern: RegExp): number | null => {
    pattern.lastIndex = at
    return pattern.test(text) ? pattern.lastIndex : null
  }

  for (;;) {
    at = endOf(BLANKS) ?? at
    const sign = text.charAt(at)
    if (expected === 'end')
      return sign === '' ? null : { at, what: `expected nothing more, found ${wordAt(text, at)}` }
    const isName: boolean = expected === 'name' || expected === 'first_name'
    const isValue: boolean = expected === 'value' || expected === 'first_value'
    if (sign === '"' && (isName || isValue)) {
      const end = endOf(STRING)
      if (end === null) return stringFault(text, at)
      at = end
      expected = isName ? 'colon' : after()
    } else if (isValue && (sign === '{' || sign === '[')) {
      open.push(sign)
      at++
      expected = sign === '{' ? 'first_name' : 'first_value'
    } else if (sign === signToClose(open, expected)) {
      open.pop()
      at++
      expected = after()
    } else if (sign === ',' && expected === 'separator') {
      at++
      expected = open.at(-1) === '{' ? 'name' : 'value'
    } else if (sign === ':' && expected === 'colon') {
      at++
      expected = 'value'
    } else {
      const end = isValue ? endOf(SCALAR) : null
      if (end === null) return { at, what: faultAt(text, at, expected, open) }
      at = end
      expected = after()
    }
  }
}

/** The sign that may close what is open. Null: none may come here. */
function signToClose(open: readonly ('{' | '[')[], expected: Expected): string | null {
  const innermost = open.at(-1)
  if (innermost === '{') return expected === 'first_name' || expected === 'separator' ? '}' : null
  return innermost === '[' && (expected === 'first_value' || expected === 'separator') ? ']' : null
}

function faultAt(text: string, at: number, expected: Expected, open: readonly ('{' | '[')[]): string {
  const wanted = expected === 'separator' ? `"," or "${signToClose(open, expected)}"` : EXPECTED[expected]
  const what = `expected ${wanted}, found ${wordAt(text, at)}`
  if (at === text.length && open.length > 0) return `${what}; "${open.at(-1)}" is not closed`
  const advice = adviceOn(text.slice(at, at + SHOWN), expected)
  return advice === null ? what : `${what}; ${advice}`
}

/** What to write instead of a text that is not JSON at its beginning. Null: nothing follows from it. */
function adviceOn(text: string, expected: Expected): string | null {
  if (/^['‘’“”`]/.test(text)) return 'names and texts are in double quotes'
  if (/^(?:\/\/|\/\*|#)/.test(text)) return 'JSON has no comments'
  if (/^[}\]]/.test(text) && (expected === 'name' || expected === 'value')) return 'there is a comma too many'
  const word = /^[A-Za-z_]\w*/.exec(text)?.[0] ?? ''
  if (/^(?:SELECT|WITH|FROM|EXPLAIN)$/i.test(word) && expected === 'value')
    return 'a statement is a text in an object: {"sql": "SELECT 1"}'
  if (nearestName(word, ['true', 'false', 'null']) !== null || word === 'None')
    return 'write true, false or null'
  if (/^(?:[+-]?(?:NaN|Infinity|inf))\b/i.test(text)) return 'JSON has no such number; write it as a text'
  if (/^(?:[+.]|-\.|-?0)\d|^-?\d+\.(?!\d)/.test(text)) return 'a number is written as 0.5 or 12'
  if (/^\ufeff/.test(text)) return 'leave out the byte order mark'
  if (expected === 'colon' && text.startsWith('=')) return 'a name and its value are joined by ":"'
  if (expected === 'separator' && /^["\w{[-]/.test(text)) return 'a comma is missing'
  return word === '' ? null : 'names and texts are in double quotes'
}

/** Why a string that begins at `start` does not end. */
function stringFault(text: string, start: number): JsonFault {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) {
      if (!/^\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/.test(text.slice(at, at + 6)))
        return {
          at,
          what: `${JSON.stringify(text.slice(at, at + 2))} is no escape; a backslash in a text is written twice`,
        }
      at++
    } else if (code < SPACE) {
      return {
        at,
        what: `a text has a line break or another control character; write \\n, or close the quote before it`,
      }
    }
  }
  return { at: start, what: 'the quote that begins here is not closed' }
}

const BACKSLASH = 92
const SPACE = 32

/** The most characters of the text that a message quotes. */
const SHOWN = 20

function wordAt(text: string, at: number): string {
  if (at === text.length) return 'the end'
  const [word = ''] = /^[\w$.+-]+|^./su.exec(text.slice(at, at + SHOWN)) ?? []
  return JSON.stringify(word)
}
