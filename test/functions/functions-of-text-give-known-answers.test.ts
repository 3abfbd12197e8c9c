import t from 'tap'
import { readStatement } from '../../src/main/sql/gate/gate.ts'
import { FUNCTIONS } from '../../src/plan/functions/functions.ts'
import { queryTexts } from '../../src/wasm/duckdb/statement.ts'
import { editDistance } from '../../src/workers/sql/functions/registered/text.ts'
import { openDuck } from '../sql/duck.ts'
import { testEngine } from '../sql/engine.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'
import { fc } from '../support/generate.ts'
import { callOf } from './calls.ts'
import { KNOWN_ANSWERS } from './known-answers.ts'

const { run } = await testEngine()

/** What DataFusion answers otherwise, or not at all. */
const OWN_ANSWERS: readonly (readonly [call: string, answer: string | null])[] = [
  // It drops groups that took no part, so that the others move.
  ["regexp_match('abcd', '(b)(x)?(c)')", "[b, '', c]"],
  // It counts none.
  ["regexp_count(NULL, 'a')", null],
  ["regexp_count('a', 'a', 1, NULL)", null],
  // It reads the first match whatever the number is.
  ["regexp_instr('abab', '(a)(b)', 1, 2, '', 2)", '4'],
  ["regexp_instr('aaa', '(a)', 1, 1, '', 9223372036854775807)", '0'],
  ["regexp_instr('aaa', 'a', 9223372036854775807, 1)", '0'],
  ["regexp_like('AB', 'a # letters' || chr(10) || ' b', 'xi')", 'true'],
  ["regexp_like('a#', '^[ # a]+$', 'x')", 'true'],
  ["regexp_like('a b', 'a\\ b', 'x')", 'true'],
  // It loses the text, or fails.
  ["overlay('abc', 'X', 10)", 'abcX'],
  ["overlay('abc', 'X', -1)", 'Xabc'],
  ["overlay('äöü', 'XY', 2, 1)", 'äXYü'],
  ["overlay('abc', 'X', 9223372036854775807, 9223372036854775807)", 'abcX'],
  ["overlay('abc', 'X', -9223372036854775808)", 'Xabc'],
  ["substr_index('a.b', '.', 9223372036854775807)", 'a.b'],
  ["substr_index('a.b', '.', -9223372036854775808)", 'a.b'],
  ["encode('abc'::BLOB, 'hex')", '616263'],
  ["encode('é')", '\\xC3\\xA9'],
  ["decode('\\xC3\\xA9'::BLOB)", 'é'],
  ["decode('68656C6c6F', 'hex')", 'hello'],
  ["decode('', 'hex')", ''],
  ["decode('aGVsbG8', 'base64')", 'hello'],
  ["decode('aGVsbG8=', 'base64pad')", 'hello'],
  ["decode('aGVsbG8', 'base64pad')", 'hello'],
  ['decode(NULL, NULL)', null],
  ["coalesce_label(1, 'a', 2, 'b')", 'a'],
  ["coalesce_label(NULL, 'a', 2, 'b')", 'b'],
  ["coalesce_label(NULL, 'a', [NULL], 'b')", 'b'],
  ["coalesce_label(NULL, 'a', NULL::DATE, 'b')", null],
  ["coalesce_label('', concat('a', 'b'))", 'ab'],
  ['cast_int8_as_char(65)', 'A'],
  ['cast_int8_as_char(127)', '\x7f'],
  ['cast_int8_as_char(-128)', '\x80'],
  ['cast_int8_as_char(-1)', 'ÿ'],
  ['cast_int8_as_char(NULL)', null],
  ['to_hex(18446744073709551615::UBIGINT)', 'ffffffffffffffff'],
  ["octet_length('\\xC3'::BLOB)", '1'],
  ["octet_length('10101'::BIT)", '1'],
  ['nvl2(NULL, NULL, NULL)', null],
  ["position('Köln', 'ln')", '3'],
  ["position('ln' IN 'Köln')", '3'],
]

const ANSWERS = [...KNOWN_ANSWERS, ...OWN_ANSWERS]

t.test('of constants', async (t) => {
  for (const [call, answer] of ANSWERS) t.equal(answerTo(call), answer, call)
})

t.test(
  'of columns, though these have the names of parameters of the function in another order',
  async (t) => {
    for (const [call, answer] of ANSWERS) {
      const read = callOf(call)
      // A label is no column.
      if (read === null || read.name === 'coalesce_label') continue
      const { name, args } = read
      const longest = (FUNCTIONS.get(name)?.overloads ?? []).map(({ parameters }) => parameters)
      const names = (longest.toSorted((a, b) => b.length - a.length)[0] ?? []).map(
        (parameter) => parameter.name,
      )
      const columns = [...names.slice(1), ...names.slice(0, 1)]
        .slice(0, args.length)
        .map((each) => `"${each}"`)
      // In three rows, one of nulls between them.
      const nulls = args.map((_, index) => `CASE WHEN i <> 1 THEN c${index} END AS ${columns[index]}`)
      const values = args.map((arg, index) => `${arg} AS c${index}`)
      const rows = `(SELECT i, ${nulls} FROM (SELECT ${values}), range(3) AS r(i))`
      const table = run(textOf(`SELECT (${name}(${columns}))::VARCHAR AS v FROM ${rows} ORDER BY i`))
      const found = [...(table.getChild('v') ?? [])]
      t.same([found[0], found[2]], [answer, answer], `${call} of ${columns}`)
    }
  },
)

t.test('of what lambdas and macros call by the names that are used inside', async (t) => {
  for (const [query, answer] of [
    ["SELECT nanvl(_args, x) AS v FROM (SELECT 'NaN'::DOUBLE AS _args, 7 AS x)", '7.0'],
    [
      "SELECT nanvl(x, nanvl(y, _args)) AS v FROM (SELECT 'NaN'::DOUBLE x, 'NaN'::DOUBLE y, 7 AS _args)",
      '7.0',
    ],
    ['SELECT list_transform([-2, 3], lambda _args: signum(_args)) AS v', '[-1.0, 1.0]'],
    ["SELECT list_transform(['ab'], lambda _word: initcap(_word)) AS v", '[Ab]'],
    ['SELECT signum(_args.x) AS v FROM (SELECT -5 AS x) AS _args', '-1.0'],
    ["SELECT initcap(t.text) AS v FROM (SELECT 'ab' AS text) AS t WHERE initcap(text) > 'A'", 'Ab'],
    ["SELECT find_in_set(list, text) AS v FROM (SELECT 'b' AS list, 'a,b' AS text)", '2'],
    ['SELECT nvl(other, value) AS v FROM (SELECT 1 AS value, 2 AS other)', '2'],
  ] as const)
    t.equal(String(run(`SELECT v::VARCHAR AS v FROM (${query})`).getChild('v')?.get(0)), answer, query)
})

t.test('in conditions, groups, orders, windows and aggregates', async (t) => {
  const of = "(SELECT i - 2 AS x, substr('abcab', i + 1, 1) AS s FROM range(5) AS r(i))"
  for (const [query, answer] of [
    [`SELECT sum(x) AS v FROM ${of} WHERE signum(x) > 0 AND regexp_like(s, '[AB]', 'i')`, '3'],
    [
      `SELECT signum(x) AS v FROM ${of} GROUP BY signum(x) HAVING count(*) = 2 ORDER BY signum(x)`,
      '-1.0, 1.0',
    ],
    [`SELECT initcap(s) AS v FROM ${of} ORDER BY find_in_set(s, 'c,b,a'), x LIMIT 2`, 'C, B'],
    [
      `SELECT string_agg(DISTINCT encode(s, 'hex'), '+' ORDER BY encode(s, 'hex')) AS v FROM ${of}`,
      '61+62+63',
    ],
    [`SELECT max(regexp_instr(s, 'b')) OVER (ORDER BY x) AS v FROM ${of} ORDER BY x`, '0, 1, 1, 1, 1'],
    [`SELECT count(*) FILTER (regexp_count(s, 'a') = 1) AS v FROM ${of}`, '2'],
  ] as const) {
    const found = run(`SELECT v::VARCHAR AS v FROM (${query})`).getChild('v')
    t.equal([...(found ?? [])].join(', '), answer, query)
  }
})

t.test('an argument is evaluated once', async (t) => {
  const query = (call: string) => `SELECT count(*) FILTER (NOT (${call})) AS v FROM range(5000)`
  for (const call of ['signum(random() - 0.5) <> 0', 'nanvl(random(), 2) < 1'])
    t.equal(String(run(query(call)).getChild('v')?.get(0)), '0', call)
})

t.test('calls in calls take time in proportion to their number', async (t) => {
  const calls = ['nvl(#, 1)', 'nanvl(#, 1)', 'signum(#)', 'nvl2(#, 1.5, 2.5)']
  const texts = [
    'initcap(#)',
    "btrim(#, 'x')",
    "overlay(#, '', 1)",
    "substr_index(#, '.', 1)",
    "encode(#, 'hex')",
  ]
  // With a power of two for each level it would not end.
  for (const call of calls) t.ok(nested(call, '1.5', 60) !== undefined, call)
  for (const call of texts) t.ok(nested(call, "'a'", call.startsWith('encode') ? 12 : 30) !== undefined, call)
})

t.test('distances are those of DuckDB for texts of one byte for each character', async () => {
  const { duck, connections } = await openDuck()
  const [connection = 0] = connections
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 })
  const codes = (value: string) => Uint32Array.from(value, (letter) => letter.charCodeAt(0))
  fc.assert(
    fc.property(text, text, (a, b) => {
      const found = queryTexts(duck, connection, `SELECT levenshtein('${a}', '${b}')::VARCHAR`)
      return String(editDistance(codes(a), codes(b))) === String(found)
    }),
  )
})

t.test('matches are those of JavaScript, wherever the search begins', async (t) => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '🚀'), maxLength: 12 })
  const pattern = fc
    .array(fc.constantFrom('a', 'b+', 'ü', '(a|ü)', '.', '🚀', '[ab]b', '(?:b|🚀)', 'a{1,2}'), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, pattern, fc.integer({ min: 1, max: 8 }), (text, pattern, start) => {
      const searched = [...text].slice(start - 1).join('')
      const matches = [...searched.matchAll(new RegExp(pattern, 'gu'))]
      const [, second] = matches
      const before = second === undefined ? null : [...searched.slice(0, second.index)].length
      const at = before === null ? 0 : start + before
      const call = `regexp_count('${text}', '${pattern}', ${start}) || ' ' || regexp_instr('${text}', '${pattern}', ${start}, 2)`
      t.equal(answerTo(call), `${matches.length} ${at}`, call)
    }),
  )
})

function nested(call: string, innermost: string, depth: number): string | null {
  let written = innermost
  for (let level = 0; level < depth; level++) written = call.replace('#', () => written)
  return answerTo(written)
}

function textOf(sql: string): string {
  return readStatement(sql, KNOWN_NAMES).text
}

/** The value of an expression as text. Null: it is null. */
function answerTo(expression: string): string | null {
  const found = run(textOf(`SELECT (${expression})::VARCHAR AS v`))
    .getChild('v')
    ?.get(0)
  return found === null || found === undefined ? null : String(found)
}
