import type { FunctionFamily } from '../function-row.ts'
import { row, withNames } from '../row.ts'

/** Fields of the calendar, which intervals do not have. */
const FIELDS_OF_DATE = ['t TIMESTAMP -> BIGINT', 't DATE -> BIGINT', 't TIMESTAMP WITH TIME ZONE -> BIGINT']

const FIELDS = [...FIELDS_OF_DATE, 't INTERVAL -> BIGINT']

const FIELDS_OF_DAY = [...FIELDS, 't TIME -> BIGINT']

/** A row of a function that takes a field, whose example is that of one time. */
function fieldIn(overloads: readonly string[]) {
  return (name: string, description: string, result: string) =>
    row({ name, overloads, description, examples: [[`${name}(TIMESTAMP '2024-02-29 13:45:30.25')`, result]] })
}

const field = fieldIn(FIELDS)
const fieldOfDate = fieldIn(FIELDS_OF_DATE)
const fieldOfDay = fieldIn(FIELDS_OF_DAY)
const nameOf = fieldIn([
  't TIMESTAMP -> VARCHAR',
  't DATE -> VARCHAR',
  't TIMESTAMP WITH TIME ZONE -> VARCHAR',
])

/** Functions that take one field of a date, a time or an interval. */
export const FIELDS_OF_TIMES: FunctionFamily = Object.freeze({
  title: 'Fields of times',
  rows: [
    field('century', 'The century, as people count them: 2024 is in the 21st.', '21'),
    ...withNames(field('day', 'The day of the month, from 1.', '29'), 'dayofmonth'),
    nameOf('dayname', 'The name of the day of the week in English.', 'Thursday'),
    ...withNames(fieldOfDate('dayofweek', 'The day of the week: 0 is Sunday.', '4'), 'weekday'),
    fieldOfDate('dayofyear', 'The day of the year, from 1.', '60'),
    field('decade', 'The year without its last digit.', '202'),
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
    fieldOfDay('epoch_us', 'The microseconds since 1970-01-01 00:00:00 UTC.', '1709214330250000'),
    fieldOfDate('era', '1 for a year after Christ, 0 for one before.', '1'),
    fieldOfDay('hour', 'The hour of the day, from 0 to 23.', '13'),
    fieldOfDate('isodow', 'The day of the week by ISO 8601: 1 is Monday, 7 is Sunday.', '4'),
    fieldOfDate('isoyear', 'The year by ISO 8601, which begins with its first week.', '2024'),
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
    fieldOfDay('microsecond', 'The seconds of the minute in microseconds.', '30250000'),
    field('millennium', 'The millennium, as people count them: 2024 is in the 3rd.', '3'),
    fieldOfDay('millisecond', 'The seconds of the minute in milliseconds.', '30250'),
    fieldOfDay('minute', 'The minute of the hour, from 0 to 59.', '45'),
    field('month', 'The month, from 1 to 12.', '2'),
    nameOf('monthname', 'The name of the month in English.', 'February'),
    row({
      name: 'nanosecond',
      overloads: [...FIELDS_OF_DAY, 't TIMESTAMP_NS -> BIGINT'],
      description: 'The seconds of the minute in nanoseconds.',
      examples: [["nanosecond(TIMESTAMP '2024-02-29 13:45:30.25')", '30250000000']],
    }),
    field('quarter', 'The quarter of the year, from 1 to 4.', '1'),
    fieldOfDay('second', 'The second of the minute, from 0 to 59.', '30'),
    ...withNames(fieldOfDate('week', 'The week of the year by ISO 8601, from 1 to 53.', '9'), 'weekofyear'),
    field('year', 'The year.', '2024'),
    fieldOfDate('yearweek', 'The ISO year and week as one number.', '202409'),
  ],
})
