import assert from 'node:assert/strict'
import t from 'tap'
import { callExpression, columnExpression, type TypedExpression } from '../../src/plan/expression.ts'
import { TIME_READINGS } from '../../src/plan/kernels/time-kernels.ts'
import { typeName } from '../../src/plan/types/schema.ts'
import { fc } from '../support/generate.ts'
import { compareEngines } from './both-engines.ts'
import type { TestColumn } from './rows.ts'

const VARCHAR = { kind: 'utf8' } as const

const year = fc.oneof(
  fc.integer({ min: 0, max: 2400 }).map(String),
  fc.constantFrom(
    '2024',
    '0001',
    '0000',
    '-0044',
    '290309',
    '294247',
    '300000',
    '5881580',
    '999999999',
    '9'.repeat(12),
  ),
)
const short = (max: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0')),
    fc.integer({ min: 0, max: max + 2 }).map(String),
  )
const separator = fc.constantFrom('-', '-', '-', '-', '/', ' ', '\\', '.')
const day = fc
  .tuple(year, separator, short(12), short(31), fc.constantFrom('', '', '', '', ' (BC)', ' (bc)', '(BC)'))
  .map(([of, sign, month, date, era]) => `${of}${sign}${month}${sign}${date}${era}`)
const fraction = fc.oneof(
  fc.constant(''),
  fc.constant(''),
  fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 11 }).map((digits) => `.${digits}`),
)
const clock = fc
  .tuple(short(24), short(59), fc.option(short(59)), fraction)
  .map(([hour, minute, second, rest]) => `${hour}:${minute}${second === null ? '' : `:${second}${rest}`}`)
const offset = fc.oneof(
  fc.constantFrom(
    ...['', '', '', 'Z', 'Z ', ' ', ' UTC', ' utc', ' Europe/Paris', ' Z', '\t', ' (BC)', '+2', ' +02', 'x'],
  ),
  fc
    .tuple(
      fc.constantFrom('+', '-'),
      short(16),
      fc.constantFrom('', ':'),
      fc.option(short(59)),
      fc.constantFrom('', ':30', ':', ' '),
    )
    .map(
      ([sign, hours, colon, minutes, rest]) =>
        `${sign}${hours}${minutes === null ? '' : `${colon}${minutes}`}${rest}`,
    ),
)
const whole = fc
  .tuple(fc.constantFrom('', '', '', ' '), day, fc.constantFrom(' ', 'T', '  ', '\t', ''), clock, offset)
  .map((parts) => parts.join(''))
const word = fc.constantFrom(
  ...[
    'infinity',
    '-infinity',
    'inf',
    '-INF ',
    'Infinity 1',
    'epoch',
    '-epoch',
    'EPOCH ',
    'now',
    '',
    ' ',
    '-',
    'NaT',
    'é',
  ],
)
/** A text of which a character is another one, or is not there. */
const broken = fc
  .tuple(fc.oneof(day, whole), fc.nat(30), fc.constantFrom('', '0', '9', ' ', '-', ':', '+', 'T', 'é'))
  .map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + 1))
const text = fc.oneof(day, whole, whole, whole, clock, word, broken)

const texts = fc.array(fc.option(text, { freq: 10 }), { minLength: 60, maxLength: 60 }).map(
  (values): TestColumn => ({
    name: 'x',
    type: VARCHAR,
    values: values.map((value) => (value === null ? null : { kind: 'bytes', value: Buffer.from(value) })),
  }),
)

t.test('a text is the time that DuckDB reads in it, or fails with its message', async (t) => {
  const counts = { values: 0, failures: 0 }
  const x = columnExpression('x', VARCHAR)
  for (const { result } of TIME_READINGS)
    fc.assert(
      fc.property(texts, (column) => {
        const call = (name: string): TypedExpression => callExpression(name, [x], result) as TypedExpression
        assert.equal(compareEngines(call('try_cast'), [column], 60), 'values', typeName(result))
        counts[compareEngines(call('cast'), [{ ...column, values: column.values.slice(0, 25) }], 25)]++
      }),
      { numRuns: 5 },
    )
  t.ok(counts.failures > 15, JSON.stringify(counts))
})
