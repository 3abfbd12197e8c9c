import type { FunctionFamily } from '../function-row.ts'
import { alike, row, withNames } from '../row.ts'

const ofInteger = alike({ overloads: ['n INTEGER -> INTERVAL'] })
const ofLongInteger = alike({ overloads: ['n BIGINT -> INTERVAL'] })
const ofFraction = alike({ overloads: ['n DOUBLE -> INTERVAL'] })

/** Functions that count between times, make intervals, and write times as text. */
export const STEPS_IN_TIME: FunctionFamily = Object.freeze({
  title: 'Intervals, and times as text',
  rows: [
    row({
      name: 'date_add',
      overloads: ['t DATE, interval INTERVAL -> TIMESTAMP', 't TIMESTAMP, interval INTERVAL -> TIMESTAMP'],
      description: 'The time that is later by an interval.',
      examples: [["date_add(TIMESTAMP '2024-02-28 12:00:00', INTERVAL 1 DAY)", '2024-02-29T12:00:00']],
    }),
    ...withNames(
      row({
        name: 'date_diff',
        overloads: [
          'part VARCHAR, from TIMESTAMP, to TIMESTAMP -> BIGINT',
          'part VARCHAR, from DATE, to DATE -> BIGINT',
          'part VARCHAR, from TIMESTAMP WITH TIME ZONE, to TIMESTAMP WITH TIME ZONE -> BIGINT',
        ],
        description:
          'How many times a part begins between two times: the hours, days, months and so on that their calendars show between them.',
        examples: [
          ["date_diff('day', TIMESTAMP '2024-02-28 12:00:00', TIMESTAMP '2024-02-29 11:00:00')", '1'],
        ],
      }),
      'datediff',
    ),
    ...withNames(
      row({
        name: 'date_sub',
        overloads: [
          'part VARCHAR, from TIMESTAMP, to TIMESTAMP -> BIGINT',
          'part VARCHAR, from DATE, to DATE -> BIGINT',
          'part VARCHAR, from TIMESTAMP WITH TIME ZONE, to TIMESTAMP WITH TIME ZONE -> BIGINT',
        ],
        description: 'How many whole parts there are between two times.',
        examples: [
          ["date_sub('day', TIMESTAMP '2024-02-28 12:00:00', TIMESTAMP '2024-02-29 11:00:00')", '0'],
        ],
      }),
      'datesub',
    ),
    row({
      name: 'strftime',
      overloads: [
        't TIMESTAMP, format VARCHAR -> VARCHAR',
        't DATE, format VARCHAR -> VARCHAR',
        't TIMESTAMP WITH TIME ZONE, format VARCHAR -> VARCHAR',
        't TIMESTAMP_NS, format VARCHAR -> VARCHAR',
      ],
      description: 'The time as text in a format such as `%Y-%m-%d %H:%M:%S`.',
      examples: [["strftime(TIMESTAMP '2024-02-28 12:00:00', '%d.%m.%Y')", '28.02.2024']],
    }),
    row({
      name: 'strptime',
      overloads: [
        'text VARCHAR, format VARCHAR -> TIMESTAMP',
        'text VARCHAR, formats VARCHAR[] -> TIMESTAMP',
      ],
      description:
        'The time that a text in a format says, or in the first of several that fits. An error if none does.',
      examples: [["strptime('29.02.2024', '%d.%m.%Y')", '2024-02-29T00:00:00']],
    }),
    row({
      name: 'time_bucket',
      overloads: [
        'width INTERVAL, t TIMESTAMP -> TIMESTAMP',
        'width INTERVAL, t DATE -> DATE',
        'width INTERVAL, t TIMESTAMP WITH TIME ZONE -> TIMESTAMP WITH TIME ZONE',
        'width INTERVAL, t TIMESTAMP, origin TIMESTAMP -> TIMESTAMP',
        'width INTERVAL, t TIMESTAMP, offset INTERVAL -> TIMESTAMP',
      ],
      description:
        'The beginning of the interval in which a time lies. Intervals of days and less are counted from Monday, 2000-01-03, those of months from 2000-01-01, or from an origin.',
      examples: [["time_bucket(INTERVAL 6 HOUR, TIMESTAMP '2024-02-29 13:30:00')", '2024-02-29T12:00:00']],
    }),
    ofInteger('to_centuries', 'An interval of so many centuries.', 'to_centuries(1)', 'P1200M0DT0S'),
    ofInteger('to_days', 'An interval of so many days.', 'to_days(2)', 'P2DT0S'),
    ofInteger('to_decades', 'An interval of so many decades.', 'to_decades(1)', 'P120M0DT0S'),
    ofLongInteger('to_hours', 'An interval of so many hours.', 'to_hours(36)', 'P0DT129600S'),
    row({
      name: 'to_microseconds',
      overloads: ['n BIGINT -> INTERVAL'],
      description: 'An interval of so many microseconds.',
      examples: [['to_microseconds(5)', 'P0DT0.000005S']],
    }),
    ofInteger('to_millennia', 'An interval of so many millennia.', 'to_millennia(1)', 'P12000M0DT0S'),
    row({
      name: 'to_milliseconds',
      overloads: ['n DOUBLE -> INTERVAL'],
      description: 'An interval of so many milliseconds.',
      examples: [['to_milliseconds(1500)', 'P0DT1.500S']],
    }),
    ofLongInteger('to_minutes', 'An interval of so many minutes.', 'to_minutes(90)', 'P0DT5400S'),
    ofInteger('to_months', 'An interval of so many months.', 'to_months(3)', 'P3M0DT0S'),
    ofInteger('to_quarters', 'An interval of so many quarters of a year.', 'to_quarters(1)', 'P3M0DT0S'),
    ofFraction('to_seconds', 'An interval of so many seconds.', 'to_seconds(1.5)', 'P0DT1.500S'),
    ofInteger('to_weeks', 'An interval of so many weeks.', 'to_weeks(1)', 'P7DT0S'),
    ofInteger('to_years', 'An interval of so many years.', 'to_years(2)', 'P24M0DT0S'),
    row({
      name: 'try_strptime',
      overloads: [
        'text VARCHAR, format VARCHAR -> TIMESTAMP',
        'text VARCHAR, formats VARCHAR[] -> TIMESTAMP',
      ],
      nulls: 'are values',
      description: 'The same as `strptime`, but null if the text fits no format.',
      examples: [
        ["try_strptime('n/a', '%Y')", 'NULL'],
        ["try_strptime('2024', '%Y')", '2024-01-01T00:00:00'],
      ],
    }),
  ],
})
