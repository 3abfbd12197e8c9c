import t from 'tap'
import { parseInterval } from '../../src/plan/kernels/interval-text.ts'
import type { TimeInterval } from '../../src/plan/kernels/intervals.ts'
import { testEngine } from '../sql/engine.ts'
import { fc } from '../support/generate.ts'

const { run } = await testEngine()

const UNITS = [
  ...[
    'year',
    'years',
    'YEAR',
    'y',
    'yr',
    'yrs',
    'month',
    'mon',
    'mons',
    'months',
    'week',
    'weeks',
    'w',
    'day',
    'days',
    'd',
  ],
  ...[
    'hour',
    'hours',
    'h',
    'hr',
    'hrs',
    'minute',
    'minutes',
    'min',
    'mins',
    'm',
    'second',
    'seconds',
    's',
    'sec',
    'secs',
  ],
  ...[
    'millisecond',
    'milliseconds',
    'ms',
    'msec',
    'msecs',
    'microsecond',
    'microseconds',
    'us',
    'usec',
    'usecs',
  ],
  ...[
    'decade',
    'decades',
    'century',
    'centuries',
    'millennium',
    'millennia',
    'quarter',
    'quarters',
    'fortnight',
    'ago',
  ],
]

const term = fc
  .tuple(
    fc.constantFrom('', '', ' ', '-'),
    fc.nat({ max: 999 }),
    fc.constantFrom(' ', ' ', '', '  '),
    fc.constantFrom(...UNITS),
    fc.constantFrom(' ', ' ', '', ','),
  )
  .map((parts) => parts.join(''))
const texts = fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => terms.join(''))

/** The parts of the interval that DuckDB makes of a text. Null: it makes none. */
function inDuckDb(text: string): TimeInterval | null {
  const value = `'${text}'::INTERVAL`
  try {
    const [row] = run(
      `SELECT (date_part('year', x) * 12 + date_part('month', x))::INTEGER AS months, date_part('day', x)::INTEGER AS days,
        (date_part('hour', x) * 3600000000 + date_part('minute', x) * 60000000 + date_part('microsecond', x))::BIGINT AS micros
        FROM (SELECT ${value} AS x)`,
    ).toArray()
    return { months: row?.months, days: row?.days, micros: row?.micros }
  } catch {
    return null
  }
}

t.test('an interval that the service reads is that of DuckDB', async (t) => {
  let read = 0
  fc.assert(
    fc.property(texts, (text) => {
      const interval = parseInterval(text)
      if (interval === null) return
      read++
      t.same(interval, inDuckDb(text), text)
    }),
    { numRuns: 400 },
  )
  t.ok(read > 50, `${read}`)
})
