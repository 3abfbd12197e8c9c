import t from 'tap'
import { parseJson } from '../../../src/main/json/json.ts'
import { jsonFault } from '../../../src/main/json/json-fault.ts'
import { fc } from '../../support/generate.ts'
import { errorOf } from '../bound.ts'

/** A text, and the end of its message, which begins with what it is. */
const FAULTS: readonly (readonly [string, string])[] = [
  ['', 'it is empty'],
  [' \n ', 'it is empty'],
  ['{"a": nope}', 'line 1, column 7: expected a value, found "nope"; names and texts are in double quotes'],
  [
    '{"a":\n  1,\n}',
    'line 3, column 1: expected a name in double quotes, found "}"; there is a comma too many',
  ],
  ['{"a": [1, 2,]}', 'line 1, column 13: expected a value, found "]"; there is a comma too many'],
  [
    "{'a': 1}",
    `line 1, column 2: expected a name in double quotes or "}", found "'"; names and texts are in double quotes`,
  ],
  [
    '{select: []}',
    'line 1, column 2: expected a name in double quotes or "}", found "select"; names and texts are in double quotes',
  ],
  ['{"a" "b"}', 'line 1, column 6: expected ":", found "\\""'],
  ['{"a" = 1}', 'line 1, column 6: expected ":", found "="; a name and its value are joined by ":"'],
  ['{"a": 1 "b": 2}', 'line 1, column 9: expected "," or "}", found "\\""; a comma is missing'],
  ['["a" "b"]', 'line 1, column 6: expected "," or "]", found "\\""; a comma is missing'],
  ['{"a": [1', 'line 1, column 9: expected "," or "]", found the end; "[" is not closed'],
  ['{"a":', 'line 1, column 6: expected a value, found the end; "{" is not closed'],
  ['{"a": 1]', 'line 1, column 8: expected "," or "}", found "]"'],
  ['{} {}', 'line 1, column 4: expected nothing more, found "{"'],
  ['{} x', 'line 1, column 4: expected nothing more, found "x"'],
  ['{"a": True}', 'line 1, column 7: expected a value, found "True"; write true, false or null'],
  [
    '{"a": NaN}',
    'line 1, column 7: expected a value, found "NaN"; JSON has no such number; write it as a text',
  ],
  ['{"a": .5}', 'line 1, column 7: expected a value, found ".5"; a number is written as 0.5 or 12'],
  ['{"a": 007}', 'line 1, column 7: expected a value, found "007"; a number is written as 0.5 or 12'],
  ['{"a": 1.}', 'line 1, column 7: expected a value, found "1."; a number is written as 0.5 or 12'],
  ['// x\n{}', 'line 1, column 1: expected a value, found "/"; JSON has no comments'],
  ['\ufeff{}', 'line 1, column 1: expected a value, found "\ufeff"; leave out the byte order mark'],
  ['{"a": "b}', 'line 1, column 7: the quote that begins here is not closed'],
  [
    '{"a": "SELECT\n1"}',
    'line 1, column 14: a text has a line break or another control character; write \\n, or close the quote before it',
  ],
  ['{"a": "\\d"}', 'line 1, column 8: "\\\\d" is no escape; a backslash in a text is written twice'],
]

for (const [text, message] of FAULTS)
  t.equal(
    errorOf(() => parseJson(text)),
    `invalid_query: The query is not valid JSON: ${message}.`,
  )

/** Pieces of JSON and of what looks like it. */
const PIECES = [
  ...'{}[],:"\\ \n',
  '"a"',
  '"\\n"',
  '"\\u00e9"',
  '1',
  '-0.5e3',
  '01',
  'true',
  'nul',
  'null',
  "'",
]

t.test('there is a fault in exactly what JSON.parse refuses', async () => {
  const texts = fc.oneof(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(...PIECES))
      .map(
        ([text, at, piece]) =>
          text.slice(0, at % (text.length + 1)) + piece + text.slice(at % (text.length + 1)),
      ),
  )
  const property = fc.property(texts, (text) => {
    const fault = jsonFault(text)
    let isJson = true
    try {
      JSON.parse(text)
    } catch {
      isJson = false
    }
    return (fault === null) === isJson && (fault === null || (fault.at >= 0 && fault.at <= text.length))
  })
  fc.assert(property, { numRuns: 1000 })
})

t.test('a long and deep text takes no more than its length', async (t) => {
  t.equal(jsonFault('['.repeat(1 << 20))?.at, 1 << 20)
  t.equal(jsonFault(`"${'a\\n'.repeat(1 << 20)}`)?.at, 0)
  t.equal(jsonFault(`"${'a\\n'.repeat(1 << 20)}"`), null)
})
