import t from 'tap'
import {
  filledText,
  strftimeFormat,
  strptimeFormats,
} from '../../../src/workers/sql/functions/registered/chrono-formats.ts'
import { testEngine } from '../../sql/engine.ts'
import { fc } from '../../support/generate.ts'

const { run } = await testEngine()

/** A format of chrono, and the text of 2024-02-09 03:04:05.12 in it (chrono's documentation, module `format::strftime`). */
const KNOWN: readonly (readonly [format: string, text: string])[] = [
  ['%Y %C %y', '2024 20 24'],
  ['%q %m %b %B %h', '1 02 Feb February Feb'],
  ['%d %e %-d %-e %_d %0e', '09  9 9 9  9 09'],
  ['%a %A %w %u', 'Fri Friday 5 5'],
  ['%U %W %G %g %V %j', '05 06 2024 24 06 040'],
  ['%D %x %F %v', '02/09/24 02/09/24 2024-02-09  9-Feb-2024'],
  ['%H %k %-H %I %l %P %p', '03  3 3 03  3 am AM'],
  ['%M %S %-M %-S', '04 05 4 5'],
  ['%f %.f %.3f %.6f %.9f %3f %6f %9f', '120000000 .120 .120 .120000 .120000000 120 120000 120000000'],
  ['%R %T %X %r', '03:04 03:04:05 03:04:05 03:04:05 AM'],
  ['%Z %z %:z %::z %:::z', 'UTC +0000 +00:00 +00:00:00 +00'],
  ['%c|%+|%s', 'Fri Feb  9 03:04:05 2024|2024-02-09T03:04:05.120+00:00|1707447845'],
  ['%t%n%%%%e', '\t\n%%e'],
]

t.test('each code', async (t) => {
  for (const [format, text] of KNOWN)
    for (const name of ['date_format', 'to_char']) {
      t.equal(textOf(`${name}(TIMESTAMP '2024-02-09 03:04:05.12', '${format}')`), text, format)
      t.equal(textOf(`${name}(TIMESTAMP_NS '2024-02-09 03:04:05.12', '${format}')`), text, format)
      t.equal(textOf(`${name}(TIMESTAMPTZ '2024-02-09 04:04:05.12+01', '${format}')`), text, format)
    }
})

t.test('each type of times', async (t) => {
  const known: readonly (readonly [call: string, text: string | null])[] = [
    ["date_format(DATE '2024-02-29', '%F %T')", '2024-02-29 00:00:00'],
    ["date_format(TIME '12:30:00.5', '%T%.f')", '12:30:00.500'],
    ["date_format(TIMESTAMP_S '9999-12-31 23:59:59', '%F %T')", '9999-12-31 23:59:59'],
    ["date_format(TIMESTAMP_MS '9999-12-31 23:59:59.999', '%F %T%.f')", '9999-12-31 23:59:59.999'],
    ["date_format(TIMESTAMP_NS '1969-12-31 23:59:59.999999999', '%T%.f %f')", '23:59:59.999999999 999999999'],
    [
      "date_format('1970-01-01 00:00:00.000000001Z'::TIMESTAMPTZ_NS, '%+')",
      '1970-01-01T00:00:00.000000001+00:00',
    ],
    ["date_format('2024-02-29T12:30:00+02:00', '%F %R')", '2024-02-29 10:30'],
    ["date_format(DATE '0000-03-01', '%F %C %s')", '0000-03-01 00 -62162035200'],
    ["date_format(TIMESTAMP 'infinity', '%F %s')", 'infinity'],
    ["date_format(NULL, '%F')", null],
    [
      "(SELECT date_format(max(range), '%F') FROM range(DATE '2024-01-01', DATE '2024-03-01', INTERVAL 1 MONTH))",
      '2024-02-01',
    ],
    ["date_format(DATE '2024-02-29', NULL)", null],
  ]
  for (const [call, text] of known) t.equal(textOf(call), text, call)
})

t.test('of columns, whatever their names are', async (t) => {
  for (const name of ['t', 'format', 'each']) {
    const values = `(VALUES (TIMESTAMP '2024-02-09 03:04:05'), (NULL)) times("${name}")`
    const rows = run(`SELECT date_format("${name}", '%e %b') AS v FROM ${values}`).getChild('v')
    t.same([...(rows ?? [])], [' 9 Feb', null], name)
  }
})

t.test('codes that there are not are named', async (t) => {
  const refused: readonly (readonly [call: string, ...parts: readonly string[]])[] = [
    ["date_format(DATE '2024-02-29', '%F %Q')", "'%F %Q'", 'unknown code %Q'],
    ["date_format(DATE '2024-02-29', '5 %')", "'5 %'", '%%'],
    ["date_format(DATE '2024-02-29', '%_F')", '%_F'],
    ["to_char(DATE '2024-02-29', 'YYYY-MM')", "'YYYY-MM'", 'no code', '%Y'],
    ["to_date('2024-02-29', 'YYYY-MM-DD')", "'YYYY-MM-DD'", 'no code', '%Y'],
    ["to_timestamp('20', '%C')", '%C', 'no text is read'],
    ["to_timestamp('20', '%!')", 'no code follows'],
    [`to_timestamp('20', '${'%.f'.repeat(20)}')`, 'too many parts'],
    ["date_format(DATE '2024-02-29', f) FROM (VALUES ('%F')) formats(f)", 'constant'],
    ["date_format(5, '%F')", 'A number is no time'],
  ]
  for (const [call, ...parts] of refused) for (const part of parts) t.match(messageOf(call), part, call)
})

t.test('what is written in a format is read in it', async () => {
  const formats = [
    '%F %T%.f',
    '%d.%m.%Y %H:%M:%S%.6f',
    '%+',
    '%j %Y %I:%M:%S%.f %p',
    '%e %B %Y, %k h %M min %S%.f s',
  ]
  const micros = fc.integer({ min: -(2 ** 46), max: 2 ** 46 })
  fc.assert(
    fc.property(micros, fc.constantFrom(...formats), (micros, format) => {
      const time = `make_timestamp(${micros})`
      return textOf(`to_timestamp(date_format(${time}, '${format}'), '${format}') = ${time}`) === 'true'
    }),
    { numRuns: 50 },
  )
  const nanos = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n })
  fc.assert(
    fc.property(nanos, (nanos) => {
      const time = `make_timestamp_ns(${nanos})`
      return textOf(`to_timestamp_nanos(date_format(${time}, '%F %T%.f'), '%F %T%.f') = ${time}`) === 'true'
    }),
    { numRuns: 50 },
  )
})

t.test('any text is a format or an error of the request', async (t) => {
  const format = fc
    .array(
      fc.oneof(fc.constantFrom('%', '\x1f', '\x02', '.', ':', '3', 'f', '_', '-', 'z', '+'), fc.string()),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(format, (format) => {
      for (const make of [
        () => filledText(strftimeFormat(format, true)),
        () => strptimeFormats(format, '%n'),
      ])
        try {
          make()
        } catch (error) {
          if (!String(error).startsWith('ServiceError: The format')) throw error
        }
    }),
  )
  t.end()
})

function textOf(expression: string): string | null {
  return run(`SELECT (${expression})::VARCHAR AS v`).getChild('v')?.get(0) ?? null
}

function messageOf(expression: string): string {
  try {
    run(`SELECT ${expression}`)
    return `${expression} is no error`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
