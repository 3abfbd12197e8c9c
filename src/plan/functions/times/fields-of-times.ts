import type { FunctionFamily } from '../function-row.ts'
import { row, withNames } from '../row.ts'

/** Fields of the calendar, which intervals do not have. */
const FIELDS_OF_DATE = ['t TIMESTAMP -> BIGINT', 't DATE -> BIGINT', 't TIMESTAMP WITH TIME ZONE -> BIGINT']

const FIELDS = [...FIELDS_OF_DATE, 't INTERVAL -> BIGINT']

const FIELDS_OF_DAY = [...FIELDS, 't TIME -> BIGINT']

/** Functions that take one field of a date, a time or an interval. */
export const FIELDS_OF_TIMES: FunctionFamily = Object.freeze({
  title: 'Fields of times',
  rows: [
    row({
      name: 'century',
      overloads: FIELDS,
      description: 'The century, as people count them: 2024 is in the 21st.',
      examples: [["century(TIMESTAMP '2024-02-29 13:45:30.25')", '21']],
    }),
    ...withNames(
      row({
        name: 'day',
        overloads: FIELDS,
        description: 'The day of the month, from 1.',
        examples: [["day(TIMESTAMP '2024-02-29 13:45:30.25')", '29']],
      }),
      'dayofmonth',
    ),
    row({
      name: 'dayname',
      overloads: ['t TIMESTAMP -> VARCHAR', 't DATE -> VARCHAR', 't TIMESTAMP WITH TIME ZONE -> VARCHAR'],
      description: 'The name of the day of the week in English.',
      examples: [["dayname(TIMESTAMP '2024-02-29 13:45:30.25')", 'Thursday']],
    }),
    ...withNames(
      row({
        name: 'dayofweek',
        overloads: FIELDS_OF_DATE,
        description: 'The day of the week: 0 is Sunday.',
        examples: [["dayofweek(TIMESTAMP '2024-02-29 13:45:30.25')", '4']],
      }),
      'weekday',
    ),
    row({
      name: 'dayofyear',
      overloads: FIELDS_OF_DATE,
      description: 'The day of the year, from 1.',
      examples: [["dayofyear(TIMESTAMP '2024-02-29 13:45:30.25')", '60']],
    }),
    row({
      name: 'decade',
      overloads: FIELDS,
      description: 'The year without its last digit.',
      examples: [["decade(TIMESTAMP '2024-02-29 13:45:30.25')", '202']],
    }),
    row({
      name: 'epoch',
      overloads: [
        't TIMESTAMP -> DOUBLE',
        't DATE -> DOUBLE',
        't TIMESTAMP WITH TIME ZONE -> DOUBLE',
        't INTERVAL -> DOUBLE',
        't TIME -> DOUBLE',
      ],
      description: 'The seconds since 1970-01-01 00:00:00 UTC.',
      examples: [["epoch(TIMESTAMP '2024-02-29 13:45:30.25')", '1709214330.25']],
    }),
    row({
      name: 'epoch_ms',
      overloads: [...FIELDS_OF_DAY, 'milliseconds BIGINT -> TIMESTAMP'],
      description: 'The milliseconds since 1970-01-01 00:00:00 UTC; or the time that so many of them give.',
      examples: [
        ["epoch_ms(TIMESTAMP '2024-02-29 13:45:30.25')", '1709214330250'],
        ['epoch_ms(1709214330250)', '2024-02-29T13:45:30.250'],
      ],
    }),
    row({
      name: 'epoch_ns',
      overloads: [
        't TIMESTAMP -> BIGINT',
        't DATE -> BIGINT',
        't TIMESTAMP WITH TIME ZONE -> BIGINT',
        't TIMESTAMP_NS -> BIGINT',
        't INTERVAL -> BIGINT',
        't TIME -> BIGINT',
      ],
      description: 'The nanoseconds since 1970-01-01 00:00:00 UTC.',
      examples: [["epoch_ns(TIMESTAMP '2024-02-29 13:45:30.25')", '1709214330250000000']],
    }),
    row({
      name: 'epoch_us',
      overloads: FIELDS_OF_DAY,
      description: 'The microseconds since 1970-01-01 00:00:00 UTC.',
      examples: [["epoch_us(TIMESTAMP '2024-02-29 13:45:30.25')", '1709214330250000']],
    }),
    row({
      name: 'era',
      overloads: FIELDS_OF_DATE,
      description: '1 for a year after Christ, 0 for one before.',
      examples: [["era(TIMESTAMP '2024-02-29 13:45:30.25')", '1']],
    }),
    row({
      name: 'hour',
      overloads: FIELDS_OF_DAY,
      description: 'The hour of the day, from 0 to 23.',
      examples: [["hour(TIMESTAMP '2024-02-29 13:45:30.25')", '13']],
    }),
    row({
      name: 'isodow',
      overloads: FIELDS_OF_DATE,
      description: 'The day of the week by ISO 8601: 1 is Monday, 7 is Sunday.',
      examples: [["isodow(TIMESTAMP '2024-02-29 13:45:30.25')", '4']],
    }),
    row({
      name: 'isoyear',
      overloads: FIELDS_OF_DATE,
      description: 'The year by ISO 8601, which begins with its first week.',
      examples: [["isoyear(TIMESTAMP '2024-02-29 13:45:30.25')", '2024']],
    }),
    row({
      name: 'julian',
      overloads: ['t TIMESTAMP -> DOUBLE', 't DATE -> DOUBLE', 't TIMESTAMP WITH TIME ZONE -> DOUBLE'],
      description: 'The Julian day, which begins at midnight here.',
      examples: [["julian(TIMESTAMP '2024-02-29 13:45:30.25')", '2460370.5732667823']],
    }),
    row({
      name: 'last_day',
      overloads: ['t TIMESTAMP -> DATE', 't DATE -> DATE', 't TIMESTAMP WITH TIME ZONE -> DATE'],
      description: 'The last day of the month.',
      examples: [["last_day(TIMESTAMP '2024-02-29 13:45:30.25')", '2024-02-29']],
    }),
    row({
      name: 'microsecond',
      overloads: FIELDS_OF_DAY,
      description: 'The seconds of the minute in microseconds.',
      examples: [["microsecond(TIMESTAMP '2024-02-29 13:45:30.25')", '30250000']],
    }),
    row({
      name: 'millennium',
      overloads: FIELDS,
      description: 'The millennium, as people count them: 2024 is in the 3rd.',
      examples: [["millennium(TIMESTAMP '2024-02-29 13:45:30.25')", '3']],
    }),
    row({
      name: 'millisecond',
      overloads: FIELDS_OF_DAY,
      description: 'The seconds of the minute in milliseconds.',
      examples: [["millisecond(TIMESTAMP '2024-02-29 13:45:30.25')", '30250']],
    }),
    row({
      name: 'minute',
      overloads: FIELDS_OF_DAY,
      description: 'The minute of the hour, from 0 to 59.',
      examples: [["minute(TIMESTAMP '2024-02-29 13:45:30.25')", '45']],
    }),
    row({
      name: 'month',
      overloads: FIELDS,
      description: 'The month, from 1 to 12.',
      examples: [["month(TIMESTAMP '2024-02-29 13:45:30.25')", '2']],
    }),
    row({
      name: 'monthname',
      overloads: ['t TIMESTAMP -> VARCHAR', 't DATE -> VARCHAR', 't TIMESTAMP WITH TIME ZONE -> VARCHAR'],
      description: 'The name of the month in English.',
      examples: [["monthname(TIMESTAMP '2024-02-29 13:45:30.25')", 'February']],
    }),
    row({
      name: 'nanosecond',
      overloads: [...FIELDS_OF_DAY, 't TIMESTAMP_NS -> BIGINT'],
      description: 'The seconds of the minute in nanoseconds.',
      examples: [["nanosecond(TIMESTAMP '2024-02-29 13:45:30.25')", '30250000000']],
    }),
    row({
      name: 'quarter',
      overloads: FIELDS,
      description: 'The quarter of the year, from 1 to 4.',
      examples: [["quarter(TIMESTAMP '2024-02-29 13:45:30.25')", '1']],
    }),
    row({
      name: 'second',
      overloads: FIELDS_OF_DAY,
      description: 'The second of the minute, from 0 to 59.',
      examples: [["second(TIMESTAMP '2024-02-29 13:45:30.25')", '30']],
    }),
    ...withNames(
      row({
        name: 'week',
        overloads: FIELDS_OF_DATE,
        description: 'The week of the year by ISO 8601, from 1 to 53.',
        examples: [["week(TIMESTAMP '2024-02-29 13:45:30.25')", '9']],
      }),
      'weekofyear',
    ),
    row({
      name: 'year',
      overloads: FIELDS,
      description: 'The year.',
      examples: [["year(TIMESTAMP '2024-02-29 13:45:30.25')", '2024']],
    }),
    row({
      name: 'yearweek',
      overloads: FIELDS_OF_DATE,
      description: 'The ISO year and week as one number.',
      examples: [["yearweek(TIMESTAMP '2024-02-29 13:45:30.25')", '202409']],
    }),
  ],
})
