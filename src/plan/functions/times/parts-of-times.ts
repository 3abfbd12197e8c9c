import type { FunctionFamily } from '../function-row.ts'
import { macro, row, SYNTAX, withNames } from '../row.ts'
import { timeOf } from './making-times.ts'
import { formatTime, formattedInNanoseconds } from './time-formats.ts'

const PARTS =
  'year, quarter, month, week, day, dow, doy, hour, minute, second, millisecond, microsecond, epoch and others'

const ORIGIN = "origin := TIMESTAMP '1970-01-01'"

/** The beginning of the interval in which a TIMESTAMP lies, as a TIMESTAMP. */
const bin = (timestamp: string): string => `time_bucket(width, ${timestamp}, CAST(origin AS TIMESTAMP))`

/**
 * `_time` has overloads for all types of times and for texts: DuckDB chooses one for any argument. The macro has none, because DuckDB cannot
 * choose that of a macro for an aggregate.
 */
const TO_TEXT = macro([
  't, format',
  `CASE WHEN typeof(_time(t)) = 'TIMESTAMP_NS' THEN ${formattedInNanoseconds('_time(t)', 'format')}
    ELSE ${formatTime('CAST(_time(t) AS TIMESTAMP)', 'format')} END`,
])

/** The result has the type of the time. */
const TRUNCATIONS = [
  'TIMESTAMP',
  'TIMESTAMP WITH TIME ZONE',
  'TIMESTAMP_S',
  'TIMESTAMP_MS',
  'TIMESTAMP_NS',
  'TIMESTAMPTZ_NS',
  'DATE',
].map((type) => `part VARCHAR, t ${type} -> ${type}`)

/** Functions that tell something of a time. */
export const PARTS_OF_TIMES: FunctionFamily = Object.freeze({
  title: 'Parts and texts of times',
  about:
    "The codes of `date_format` and `to_char` are those of DataFusion and of the Rust crate chrono: `%Y %m %d %H %M %S %j %b %B %a %A %p %y %U %W %G %V %u %w`, which `strftime` has too; `%F` for `%Y-%m-%d`, `%T` for `%H:%M:%S`, `%R`, `%D`, `%c`, `%+` for ISO 8601; `%e`, `%k` and `%l`, which put a blank before one digit; `%-d` and the like, which put nothing there; `%C %q %g %s %P %h`. Fractions of a second are `%.f` with as many digits as it has, `%.3f`, `%.6f`, `%.9f`, the same without the point, and `%f` with nine digits; in DuckDB's `strftime` `%f` has six, `%g` three, and `%n` is no line break. Times are in UTC, so `%z` is `+0000` for all.",
  rows: [
    row({
      name: 'date_bin',
      overloads: [
        'width INTERVAL, t TIMESTAMP -> TIMESTAMP',
        'width INTERVAL, t TIMESTAMP, origin TIMESTAMP -> TIMESTAMP',
        'width INTERVAL, t TIMESTAMP WITH TIME ZONE -> TIMESTAMP WITH TIME ZONE',
        'width INTERVAL, t TIMESTAMP_NS -> TIMESTAMP_NS',
        'width INTERVAL, t VARCHAR -> TIMESTAMP',
      ],
      form: macro(
        [`width, t VARCHAR, ${ORIGIN}`, bin(timeOf('t'))],
        [`width, t TIMESTAMPTZ, ${ORIGIN}`, `CAST(${bin('CAST(t AS TIMESTAMP)')} AS TIMESTAMPTZ)`],
        [
          `width, t TIMESTAMPTZ_NS, ${ORIGIN}`,
          `CAST(CAST(${bin('CAST(t AS TIMESTAMP)')} AS TIMESTAMP_NS) AS TIMESTAMPTZ_NS)`,
        ],
        [`width, t TIMESTAMP_NS, ${ORIGIN}`, `CAST(${bin('CAST(t AS TIMESTAMP)')} AS TIMESTAMP_NS)`],
        ...['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'DATE'].map(
          (type) => [`width, t ${type}, ${ORIGIN}`, bin('CAST(t AS TIMESTAMP)')] as const,
        ),
      ),
      description:
        'The beginning of the interval in which a time lies. Intervals follow each other from the origin on, which is 1970-01-01. Their width is in months, or in days and less.',
      examples: [
        ["date_bin(INTERVAL 6 HOUR, TIMESTAMP '2024-02-29 13:30:00')", '2024-02-29T12:00:00'],
        [
          "date_bin(INTERVAL 1 DAY, TIMESTAMP '2024-02-29 13:30:00', TIMESTAMP '2024-01-01 12:00:00')",
          '2024-02-29T12:00:00',
        ],
      ],
    }),
    ...withNames(
      row({
        name: 'date_format',
        overloads: [
          't TIMESTAMP, format VARCHAR -> VARCHAR',
          't TIME, format VARCHAR -> VARCHAR',
          't VARCHAR, format VARCHAR -> VARCHAR',
        ],
        form: TO_TEXT,
        description: 'The text of a time in a format.',
        examples: [
          ["date_format(DATE '2024-02-29', '%e %B %Y')", '29 February 2024'],
          ["date_format(TIMESTAMP '2024-02-29 12:30:00', '%+')", '2024-02-29T12:30:00+00:00'],
        ],
      }),
      'to_char',
    ),
    ...withNames(
      row({
        name: 'date_part',
        overloads: ['part VARCHAR, t TIMESTAMP -> BIGINT'],
        description: `A part of a time: ${PARTS}. The epoch is a DOUBLE.`,
        examples: [["date_part('month', TIMESTAMP '2024-02-29 12:30:00')", '2']],
      }),
      'datepart',
    ),
    ...withNames(
      row({
        name: 'date_trunc',
        overloads: TRUNCATIONS,
        description:
          'The beginning of the year, the month, the day or the like in which a time lies, with the unit and the zone of the time.',
        examples: [["date_trunc('hour', TIMESTAMP '2024-02-29 12:30:00')", '2024-02-29T12:00:00']],
      }),
      'datetrunc',
    ),
    row({
      name: 'extract',
      overloads: ['part VARCHAR, t TIMESTAMP -> BIGINT'],
      form: SYNTAX,
      description: 'The same as `date_part`, as the standard of SQL writes it.',
      examples: [["extract(month FROM TIMESTAMP '2024-02-29 12:30:00')", '2']],
    }),
    row({
      name: 'timezone',
      overloads: [
        'zone VARCHAR, t TIMESTAMP WITH TIME ZONE -> TIMESTAMP',
        'zone VARCHAR, t TIMESTAMP -> TIMESTAMP WITH TIME ZONE',
        'zone VARCHAR, t TIMESTAMPTZ_NS -> TIMESTAMP_NS',
        'zone VARCHAR, t TIMESTAMP_NS -> TIMESTAMPTZ_NS',
        'zone VARCHAR, t TIME WITH TIME ZONE -> TIME WITH TIME ZONE',
      ],
      description:
        'The local time in a zone of a time with a zone, or the time with a zone of one that is local there; also written `t AT TIME ZONE zone`.',
      examples: [
        ["timezone('Europe/Paris', TIMESTAMPTZ '2024-02-29 12:30:00+00')", '2024-02-29T13:30:00'],
        ["timezone('America/New_York', TIMESTAMP '2024-02-29 12:30:00')", '2024-02-29T17:30:00Z'],
      ],
    }),
    row({
      name: 'to_local_time',
      overloads: ['t TIMESTAMP WITH TIME ZONE -> TIMESTAMP', 't TIMESTAMP -> TIMESTAMP'],
      form: macro(
        ['t TIMESTAMPTZ', 'CAST(t AS TIMESTAMP)'],
        ['t TIMESTAMPTZ_NS', 'CAST(t AS TIMESTAMP_NS)'],
        ...['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS'].map(
          (type) => [`t ${type}`, 't'] as const,
        ),
      ),
      description:
        'The time in UTC of a time with a zone, without the zone. In another zone it is `t AT TIME ZONE zone`.',
      examples: [["to_local_time(TIMESTAMPTZ '2024-02-29 12:30:00+02:00')", '2024-02-29T10:30:00']],
    }),
  ],
})
