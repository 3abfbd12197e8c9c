import t from 'tap'
import { startStatedService } from '../statements/asked-statements.ts'

const { answer, state } = await startStatedService(t)

/** Calls, and what their errors say. */
const BAD: readonly (readonly [call: string, message: RegExp])[] = [
  ["regexp_like(s, '(a')", /'\(a' is no regular expression: missing \)/],
  ['regexp_like(s, p)', /'\[b' is no regular expression: missing \]/],
  ["regexp_count(s, 'a**')", /'a\*\*' is no regular expression: bad repetition operator/],
  ["regexp_instr(s, '(?=a)')", /'\(\?=a\)' is no regular expression: invalid perl operator/],
  [
    "regexp_match(s, repeat('(a{999}){9}', 99))[1]",
    /^Invalid Input Error: '\(a\{999\}\).*…' is no regular expression/,
  ],
  ["regexp_like(s, 'a', 'iq')", /'iq' are no flags of a regular expression: they are i, m, s, U and x/],
  ["regexp_match(s, 'a', 'g')[1]", /'g' are no flags/],
  ["regexp_count(s, 'a', 0)", /regexp_count: the start is 0, but it must be 1 or more/],
  ["regexp_instr(s, 'a', -9223372036854775808)", /the start is -9223372036854775808/],
  ["regexp_instr(s, 'a', 1, 0)", /regexp_instr: the occurrence is 0/],
  ["regexp_instr(s, 'a', 1, 1, '', -1)", /regexp_instr: the group is -1, but it must be 0 or more/],
  ["encode(s, 'HEX')", /encode: there is no format 'HEX'\. They are base64, base64pad, hex/],
  ['decode(s, p)', /decode: there is no format '\[b'/],
  ["decode(s, 'hex')", /decode: 'abc' is no text of the format hex/],
  ["decode('zz', 'hex')", /decode: 'zz' is no text/],
  ["decode('a', 'base64')", /decode: 'a' is no text of the format base64/],
  ["decode('ab*=', 'base64')", /decode: 'ab\*=' is no text/],
  ["decode('ab=c', 'base64pad')", /decode: 'ab=c' is no text/],
  ["decode(repeat('x', 1000) || '!', 'base64')", /decode: 'x{80}…' is no text/],
  ['coalesce_label(s, p)', /coalesce_label: argument 2 is a label/],
  ["coalesce_label(s, 'a', p, NULL::VARCHAR)", /coalesce_label: argument 4 is a label/],
  ["coalesce_label(s, 'a', p)", /coalesce_label: the last value has no label/],
  ['coalesce_label(s, 5)', /It is coalesce_label\(value ANY, label VARCHAR\)/],
  ['cast_int8_as_char(n)', /value 500 can't be cast/],
  ['signum(s)', /It is signum\(x DOUBLE\)/],
  ['find_in_set(n, s)', /It is find_in_set\(text VARCHAR, list VARCHAR\)/],
  ["levenshtein(repeat('a', 20000), repeat('ü', 20000))", /texts of 20000 and 40000 bytes are too long/],
  [
    "overlay(s, 'x')",
    /^sql, line 1, column 8: .* It is overlay\(text VARCHAR, replacement VARCHAR, start BIGINT\)/,
  ],
  ["position(s, 'x', 1)", /^sql, line 1, column 8: /],
  ['octet_length(n)', /It is octet_length\(text VARCHAR\)/],
]

t.test('in SQL', async (t) => {
  t.equal(await state("CREATE VIEW texts AS SELECT 'abc' AS s, '[b' AS p, 500 AS n"), null)
  for (const [call, message] of BAD)
    t.match(await answer({ sql: `SELECT ${call} AS v FROM texts` }), message, call)
})

t.test('in JSON', async (t) => {
  const asked = (name: string, ...args: readonly unknown[]) =>
    answer({ from: 'texts', select: [{ function: name, args, alias: 'v' }] })
  t.match(await asked('regexp_like', 's', 'p'), /'\[b' is no regular expression/)
  t.match(await asked('encode', 's', { value: 'x' }), /there is no format 'x'/)
  t.match(await asked('regexp_count', 's', { value: 'a' }, { value: 0 }), /the start is 0/)
  t.match(await asked('coalesce_label', 's', 'p'), /argument 2 is a label/)
  t.same(await asked('coalesce_label', 's', { value: 'text' }), ['v', 'text'])
  t.same(await asked('overlay', 's', { value: 'xy' }, { value: 2 }, { value: 1 }), ['v', 'axyc'])
  t.same(await asked('regexp_instr', 's', { value: 'C' }, { value: 1 }, { value: 1 }, { value: 'i' }), [
    'v',
    '3',
  ])
})
