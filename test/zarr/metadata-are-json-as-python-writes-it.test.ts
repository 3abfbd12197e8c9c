import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { type Json, parseJson } from '../../src/workers/formats/zarr/metadata/json.ts'
import { fc } from '../support/generate.ts'

function errorOf(text: string): string {
  try {
    parseJson(text)
    return 'no error'
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'unreadable_file') throw error
    return error.message
  }
}

/** Integers that a float does not hold as the nearest float, as JSON.parse has them. */
function inFloats(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

t.test('what JSON.parse reads is read the same', (t) => {
  fc.assert(
    fc.property(fc.json(), fc.nat({ max: 3 }), (text, indent) => {
      const value = JSON.parse(text) as unknown
      const read = parseJson(JSON.stringify(value, null, indent))
      t.same(JSON.parse(JSON.stringify(read, inFloats)), value)
    }),
  )
  t.same(parseJson('"\\ud83d\\ude00 \\n\\/ é"'), '😀 \n/ é')
  t.end()
})

t.test('numbers that only Python writes, and integers that a float does not hold', (t) => {
  const numbers = parseJson('[NaN, Infinity, -Infinity, 1e400, 9007199254740993, -9223372036854775808]')
  t.same(numbers, [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    9007199254740993n,
    -(2n ** 63n),
  ])
  t.equal(parseJson(`1${'0'.repeat(30)}`), 1e30)
  t.end()
})

t.test('a name that means something in JavaScript is a name', (t) => {
  const read = parseJson('{"__proto__": 1, "constructor": 2}') as Record<string, Json>
  t.same(Object.entries(read), [
    ['__proto__', 1],
    ['constructor', 2],
  ])
  t.equal((parseJson('{}') as Record<string, Json>)['toString'], undefined)
  t.end()
})

t.test('what is no JSON is an error that says where', (t) => {
  t.match(errorOf('{"a": 1,\n "b" 2}'), /at line 2, column 6: ":" is expected/)
  t.match(errorOf('{"a": 1'), /at line 1, column 8: "," or "}" is expected/)
  t.match(errorOf('[1, 2] x'), /at line 1, column 8: nothing is expected/)
  t.match(errorOf(''), /at line 1, column 1: a value is expected/)
  t.match(errorOf('"\u0001"'), /a control character/)
  t.match(errorOf('"abc'), /a string without its end/)
  t.match(errorOf('"\\x"'), /an unknown escape/)
  t.match(errorOf('[01]'), /"," or "]" is expected/)
  t.match(errorOf('-'), /a value is expected/)
  t.match(errorOf('['.repeat(100_000)), /more than 128 arrays and objects/)
  t.match(errorOf(`[${'0,'.repeat(2 ** 21)}0]`), /more than 2097152 values/)
  t.end()
})
