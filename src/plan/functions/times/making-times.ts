import type { FunctionFamily } from '../function-row.ts'
import { macro, row } from '../row.ts'
import { FORMAT_PARAMETERS, MOST_FORMATS, parsedInNanoseconds, parseTime, secondsOf } from './time-formats.ts'

/** The time in UTC of a text in ISO 8601, with or without an offset. Digits below microseconds are dropped. */
export function timeOf(text: string): string {
  return `CAST(CAST(${text} AS TIMESTAMPTZ) AS TIMESTAMP)`
}

/** What stands before a text in the message of DuckDB about one that `exactly` refuses. */
export const TOO_FINE = 'too fine: '

/** A cast of a text to TIME, which is an error that names the text if it has digits below microseconds that are not 0. */
function exactly(text: string, cast: string): string {
  // Few texts are so long behind the point that the regular expression has to look at them.
  const isLonger = `instr(${text}, '.') BETWEEN 1 AND strlen(${text}) - 7`
  const isFiner = `${isLonger} AND regexp_matches(${text}, '[.][0-9]{6}0*[1-9]')`
  // A cast, since a call of `error` is never taken for a constant.
  return `CASE WHEN ${isFiner} THEN CAST('${TOO_FINE}' || ${text} AS TIME) ELSE ${cast} END`
}

/** A whole number of microseconds since 1970 as a TIMESTAMP_S or a TIMESTAMP_MS, which DuckDB would round to the nearest. */
function roundedDown(time: string, unit: 'second' | 'millisecond'): string {
  const type = unit === 'second' ? 'TIMESTAMP_S' : 'TIMESTAMP_MS'
  return `CAST(date_trunc('${unit}', ${time}) AS ${type})`
}

/** A TIMESTAMP in nanoseconds. The error about one that is out of range names it, as that of DuckDB's cast does not. */
function inNanoseconds(time: string): string {
  const isInRange = `${time} BETWEEN TIMESTAMP '1677-09-22' AND TIMESTAMP '2262-04-11'`
  const refused = `CAST(CAST(${time} AS VARCHAR) AS TIMESTAMP_NS)`
  return `CASE WHEN ${isInRange} THEN CAST(${time} AS TIMESTAMP_NS) ELSE ${refused} END`
}

const SECONDS = "TIMESTAMP '1970-01-01' + to_seconds"

const FLOOR = 'CAST(floor(seconds) AS BIGINT)'

/** A TIMESTAMP as a time with a zone. The zone has to be known, though times with a zone do not keep it. */
function inZone(time: string): string {
  return `CASE WHEN _known_zone(zone) IS NOT NULL THEN CAST(${time} AS TIMESTAMPTZ) END`
}

/** Times that have nanoseconds, with them. */
const IN_NANOSECONDS = [
  ['x TIMESTAMP_NS', 'x'],
  ['x TIMESTAMPTZ_NS', 'CAST(x AS TIMESTAMP_NS)'],
] as const

/** The forms of a function that makes times: of a number since 1970, of a text, of a text and formats, of another time. */
function formsOfMaking(parts: {
  readonly ofNumber: (number: string) => string
  readonly ofText: (text: string) => string
  readonly ofParsed: (time: string) => string
  readonly ofTime: (time: string) => string
  readonly hasNanoseconds?: boolean
}) {
  const { ofNumber, ofText, ofParsed, ofTime, hasNanoseconds = false } = parts
  return macro(
    ['x BIGINT', ofNumber('x')],
    ['x HUGEINT', ofNumber('CAST(x AS BIGINT)')],
    ['x DOUBLE', ofNumber('CAST(floor(x) AS BIGINT)')],
    ['x VARCHAR', ofText('x')],
    [`x VARCHAR, ${FORMAT_PARAMETERS}`, ofParsed(hasNanoseconds ? parsedInNanoseconds('x') : parseTime('x'))],
    ...(hasNanoseconds ? IN_NANOSECONDS : []),
    ...['DATE', 'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMPTZ'].map(
      (type) => [`x ${type}`, ofTime('x')] as const,
    ),
  )
}

const asTimestamp = (time: string): string => `CAST(${time} AS TIMESTAMP)`

const FORMATS = `With formats (up to ${MOST_FORMATS}) a text is read in the first one that fits.`

/** What `to_timestamp_seconds` and the like have in common. */
function ofUnit(unit: string, type: string) {
  return {
    overloads: [
      `${unit} BIGINT -> ${type}`,
      `${unit} DOUBLE -> ${type}`,
      `text VARCHAR -> ${type}`,
      `text VARCHAR, format VARCHAR -> ${type}`,
      `t TIMESTAMP -> ${type}`,
    ],
    description: `A time without a zone in ${unit}: of a number of ${unit} since 1970, a text in ISO 8601, or a time. What is finer is rounded down. ${FORMATS}`,
  }
}

/** Functions that make times of numbers and texts, and the reverse. */
export const MAKING_TIMES: FunctionFamily = Object.freeze({
  title: 'Times of numbers and texts',
  about:
    "These functions are those of DataFusion, with these differences. `to_timestamp` of a number is DuckDB's: it has a zone. That of a text has microseconds, so that it compares with columns of all years; `to_timestamp_nanos` has nanoseconds, in the years 1677 to 2262. Numbers and times are rounded down, also before 1970. Formats are [those in which times are written](#parts-and-texts-of-times), without the codes `%C`, `%q`, `%g` and `%s`; they are constant.",
  rows: [
    row({
      name: 'from_unixtime',
      overloads: [
        'seconds BIGINT -> TIMESTAMP_S',
        'seconds DOUBLE -> TIMESTAMP_S',
        'seconds BIGINT, zone VARCHAR -> TIMESTAMP WITH TIME ZONE',
        'seconds DOUBLE, zone VARCHAR -> TIMESTAMP WITH TIME ZONE',
      ],
      form: macro(
        ['seconds BIGINT', `CAST(${SECONDS}(seconds) AS TIMESTAMP_S)`],
        ['seconds DOUBLE', `CAST(${SECONDS}(${FLOOR}) AS TIMESTAMP_S)`],
        ['seconds BIGINT, zone', inZone(`${SECONDS}(seconds)`)],
        ['seconds DOUBLE, zone', inZone(`${SECONDS}(${FLOOR})`)],
      ),
      description:
        'The time in UTC, without a zone, so many seconds after 1970, rounded down. With a zone it is a time with a zone, which answers show in UTC.',
      examples: [
        ['from_unixtime(1709209800)', '2024-02-29T12:30:00'],
        ["from_unixtime(1709209800, 'America/New_York')", '2024-02-29T12:30:00Z'],
      ],
    }),
    row({
      name: 'make_date',
      overloads: ['year BIGINT, month BIGINT, day BIGINT -> DATE', 'days INTEGER -> DATE'],
      description: 'The date of a year, a month and a day, or so many days after 1970.',
      examples: [['make_date(2024, 2, 29)', '2024-02-29']],
    }),
    row({
      name: 'make_time',
      overloads: ['hour BIGINT, minute BIGINT, seconds DOUBLE -> TIME'],
      description: 'A time of day.',
      examples: [['make_time(12, 30, 1.5)', '12:30:01.500']],
    }),
    row({
      name: 'make_timestamptz',
      overloads: [
        'year BIGINT, month BIGINT, day BIGINT, hour BIGINT, minute BIGINT, seconds DOUBLE -> TIMESTAMP WITH TIME ZONE',
        'year BIGINT, month BIGINT, day BIGINT, hour BIGINT, minute BIGINT, seconds DOUBLE, zone VARCHAR -> TIMESTAMP WITH TIME ZONE',
        'micros BIGINT -> TIMESTAMP WITH TIME ZONE',
      ],
      form: macro(
        ['micros', 'CAST(make_timestamp(micros) AS TIMESTAMPTZ)'],
        [
          'year, month, day, hour, minute, seconds',
          'CAST(make_timestamp(year, month, day, hour, minute, seconds) AS TIMESTAMPTZ)',
        ],
        [
          'year, month, day, hour, minute, seconds, zone',
          'timezone(zone, make_timestamp(year, month, day, hour, minute, seconds))',
        ],
      ),
      description: 'A time with a zone, of its parts in UTC or in a zone, or of microseconds since 1970.',
      examples: [
        ['make_timestamptz(2024, 2, 29, 12, 30, 1.5)', '2024-02-29T12:30:01.500Z'],
        ["make_timestamptz(2024, 2, 29, 12, 30, 0, 'Europe/Paris')", '2024-02-29T11:30:00Z'],
      ],
    }),
    row({
      name: 'to_date',
      overloads: [
        'text VARCHAR -> DATE',
        'text VARCHAR, format VARCHAR -> DATE',
        'days BIGINT -> DATE',
        'days DOUBLE -> DATE',
        't TIMESTAMP -> DATE',
      ],
      form: macro(
        ['x BIGINT', 'make_date(CAST(x AS INTEGER))'],
        ['x DOUBLE', 'make_date(CAST(floor(x) AS INTEGER))'],
        ['x VARCHAR', 'CAST(x AS DATE)'],
        [`x VARCHAR, ${FORMAT_PARAMETERS}`, `CAST(${parseTime('x')} AS DATE)`],
        ['x DATE', 'x'],
        ['x', 'CAST(CAST(x AS TIMESTAMP) AS DATE)'],
      ),
      description: `The date of a text in ISO 8601, of a time in UTC, or so many days after 1970. ${FORMATS}`,
      examples: [
        ["to_date('2024-02-29')", '2024-02-29'],
        ["to_date('29.02.2024', '%d.%m.%Y')", '2024-02-29'],
        ["to_date('29 Feb 2024', '%d.%m.%Y', '%d %b %Y')", '2024-02-29'],
      ],
    }),
    row({
      name: 'to_time',
      overloads: ['text VARCHAR -> TIME', 'text VARCHAR, format VARCHAR -> TIME', 't TIMESTAMP -> TIME'],
      form: macro(
        ['x VARCHAR', exactly('x', 'CAST(x AS TIME)')],
        [`x VARCHAR, ${FORMAT_PARAMETERS}`, `CAST(${parseTime('x')} AS TIME)`],
        ['x TIME', 'x'],
        // Without it, a TIMESTAMP would be cast to TIMESTAMP_NS, which ends in 2262.
        ['x TIMESTAMP', 'CAST(x AS TIME)'],
        ['x TIMESTAMP_NS', exactly('CAST(x AS VARCHAR)', 'CAST(x AS TIME)')],
        ['x', 'CAST(CAST(x AS TIMESTAMP) AS TIME)'],
      ),
      description: `The time of day of a text, or of a time in UTC. ${FORMATS}`,
      examples: [
        ["to_time('12:30:01.5')", '12:30:01.500'],
        ["to_time('12.30', '%H.%M')", '12:30:00'],
      ],
    }),
    row({
      name: 'to_timestamp',
      overloads: [
        'seconds DOUBLE -> TIMESTAMP WITH TIME ZONE',
        'text VARCHAR -> TIMESTAMP',
        'text VARCHAR, format VARCHAR -> TIMESTAMP',
        'date DATE -> TIMESTAMP',
      ],
      form: macro(['x', 'system.main.to_timestamp(x)'], [`x, ${FORMAT_PARAMETERS}`, parseTime('x')]),
      description: `Of a number, the time with a zone so many seconds after 1970. Of a text in ISO 8601, with or without an offset, or of a date, the time in UTC without a zone. ${FORMATS}`,
      examples: [
        ['to_timestamp(1709209800)', '2024-02-29T12:30:00Z'],
        ["to_timestamp('2024-02-29T12:30:00+02:00')", '2024-02-29T10:30:00'],
        ["to_timestamp('29.02.2024 12:30', '%d.%m.%Y %H:%M')", '2024-02-29T12:30:00'],
      ],
    }),
    row({
      name: 'to_timestamp_micros',
      ...ofUnit('microseconds', 'TIMESTAMP'),
      form: formsOfMaking({
        ofNumber: (number) => `make_timestamp(${number})`,
        ofText: timeOf,
        ofParsed: (time) => time,
        ofTime: asTimestamp,
      }),
      examples: [['to_timestamp_micros(1709209800000001)', '2024-02-29T12:30:00.000001']],
    }),
    row({
      name: 'to_timestamp_millis',
      ...ofUnit('milliseconds', 'TIMESTAMP_MS'),
      form: formsOfMaking({
        ofNumber: (number) => `CAST(make_timestamp(${number} * 1000) AS TIMESTAMP_MS)`,
        ofText: (text) => roundedDown(timeOf(text), 'millisecond'),
        ofParsed: (time) => roundedDown(time, 'millisecond'),
        ofTime: (time) => roundedDown(asTimestamp(time), 'millisecond'),
      }),
      examples: [['to_timestamp_millis(1709209800001)', '2024-02-29T12:30:00.001']],
    }),
    row({
      name: 'to_timestamp_nanos',
      ...ofUnit('nanoseconds', 'TIMESTAMP_NS'),
      form: formsOfMaking({
        ofNumber: (number) => `make_timestamp_ns(${number})`,
        ofText: (text) => `CAST(${text} AS TIMESTAMP_NS)`,
        ofParsed: (time) => time,
        ofTime: (time) => inNanoseconds(asTimestamp(time)),
        hasNanoseconds: true,
      }),
      examples: [["to_timestamp_nanos('2024-02-29T12:30:00.000000001')", '2024-02-29T12:30:00.000000001']],
    }),
    row({
      name: 'to_timestamp_seconds',
      ...ofUnit('seconds', 'TIMESTAMP_S'),
      form: formsOfMaking({
        ofNumber: (number) => `CAST(${SECONDS}(${number}) AS TIMESTAMP_S)`,
        ofText: (text) => roundedDown(timeOf(text), 'second'),
        ofParsed: (time) => roundedDown(time, 'second'),
        ofTime: (time) => roundedDown(asTimestamp(time), 'second'),
      }),
      examples: [['to_timestamp_seconds(1709209800)', '2024-02-29T12:30:00']],
    }),
    row({
      name: 'to_unixtime',
      overloads: [
        't TIMESTAMP -> BIGINT',
        'text VARCHAR -> BIGINT',
        'text VARCHAR, format VARCHAR -> BIGINT',
        'seconds BIGINT -> BIGINT',
        'seconds DOUBLE -> BIGINT',
      ],
      form: formsOfMaking({
        ofNumber: (number) => number,
        ofText: (text) => secondsOf(timeOf(text)),
        ofParsed: secondsOf,
        ofTime: (time) => secondsOf(asTimestamp(time)),
      }),
      description: `The seconds since 1970, rounded down, of a time, or of a text in ISO 8601. A number is taken for seconds. An infinite time gives null. ${FORMATS}`,
      examples: [
        ["to_unixtime(TIMESTAMP '2024-02-29 12:30:00')", '1709209800'],
        ["to_unixtime('2024-02-29T12:30:00Z')", '1709209800'],
      ],
    }),
  ],
})
