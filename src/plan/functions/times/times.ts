import type { FunctionFamily } from '../function-row.ts'
import { macro, REGISTERED, row } from '../row.ts'

/** Functions of dates, times of day and points in time. */
export const TIMES: FunctionFamily = Object.freeze({
  title: 'Times',
  about: 'A query has one time, that at which it began. The zone of a session is UTC.',
  rows: [
    row({
      name: 'age',
      overloads: ['until TIMESTAMP, since TIMESTAMP -> INTERVAL', 'since TIMESTAMP -> INTERVAL'],
      // With one argument it counts until today.
      isConstant: false,
      description:
        'The time between two points in time in months, days and less. With one argument it ends at midnight.',
      examples: [["age(TIMESTAMP '2024-02-29', TIMESTAMP '2024-01-01')", 'P1M28DT0S']],
    }),
    row({
      name: 'cf_date',
      overloads: [
        'value DOUBLE, units VARCHAR, calendar VARCHAR -> VARCHAR',
        'value BIGINT, units VARCHAR, calendar VARCHAR -> VARCHAR',
        'value DOUBLE, units VARCHAR -> VARCHAR',
        'value BIGINT, units VARCHAR -> VARCHAR',
      ],
      // A null calendar is that of a variable without the attribute.
      nulls: 'are values',
      form: REGISTERED,
      description:
        'The date and time of a count of units, as in `units` and `calendar` of a variable of CF: `YYYY-MM-DDThh:mm:ss` in that calendar, as text, since `360_day` and others have dates that no TIMESTAMP has. Calendars are `standard` (`gregorian`), `proleptic_gregorian`, `julian`, `noleap` (`365_day`), `all_leap` (`366_day`) and `360_day`; null or none is `standard`. Units are seconds to weeks, and months and years as in UDUNITS in all calendars: a year has 365.242198781 days, a month is a twelfth of it. The time is rounded to milliseconds, and the text has its whole seconds. Null: the value is null, NaN or infinite, or the units are null.',
      examples: [
        ["cf_date(59, 'days since 2000-01-01', '360_day')", '2000-02-30T00:00:00'],
        ["cf_date(1.5, 'days since 2001-02-28', 'noleap')", '2001-03-01T12:00:00'],
        ["cf_date(2, 'months since 1960-01-01', NULL)", '1960-03-01T20:58:07'],
      ],
    }),
    row({
      name: 'current_date',
      overloads: [' -> DATE'],
      isConstant: false,
      form: macro(['', 'now()::TIMESTAMP::DATE']),
      description: 'The date in UTC on which the query began. The brackets may be left out.',
      examples: [['current_date', null]],
    }),
    row({
      name: 'current_localtime',
      overloads: [' -> TIME'],
      isConstant: false,
      form: macro(['', 'now()::TIMESTAMP::TIME']),
      description: 'The time of day in UTC at which the query began.',
      examples: [['current_localtime()', null]],
    }),
    row({
      name: 'current_localtimestamp',
      overloads: [' -> TIMESTAMP'],
      isConstant: false,
      form: macro(['', 'now()::TIMESTAMP']),
      description: 'The time in UTC at which the query began, without a zone.',
      examples: [['current_localtimestamp()', null]],
    }),
    row({
      name: 'current_time',
      overloads: [' -> TIME'],
      isConstant: false,
      form: macro(['', 'now()::TIMESTAMP::TIME']),
      description: 'The time of day in UTC at which the query began. The brackets may be left out.',
      examples: [['current_time', null]],
    }),
    row({
      name: 'current_timestamp',
      overloads: [' -> TIMESTAMP WITH TIME ZONE'],
      isConstant: false,
      form: macro(['', 'now()']),
      description: 'The time at which the query began. The brackets may be left out.',
      examples: [['current_timestamp', null]],
    }),
    row({
      // What DuckDB calls for `current_time`.
      name: 'get_current_time',
      overloads: [' -> TIME'],
      isConstant: false,
      form: macro(['', 'now()::TIMESTAMP::TIME']),
      description: 'The same as `current_time`.',
      examples: [['get_current_time()', null]],
    }),
    row({
      name: 'localtime',
      overloads: [' -> TIME'],
      isConstant: false,
      form: macro(['', 'now()::TIMESTAMP::TIME']),
      description: 'The same as `current_localtime()`. The brackets may be left out.',
      examples: [['localtime', null]],
    }),
    row({
      name: 'localtimestamp',
      overloads: [' -> TIMESTAMP'],
      isConstant: false,
      form: macro(['', 'now()::TIMESTAMP']),
      description: 'The same as `current_localtimestamp()`. The brackets may be left out.',
      examples: [['localtimestamp', null]],
    }),
    row({
      name: 'now',
      overloads: [' -> TIMESTAMP WITH TIME ZONE'],
      isConstant: false,
      description: 'The time at which the query began.',
      examples: [['now()', null]],
    }),
    row({
      name: 'today',
      overloads: [' -> DATE'],
      isConstant: false,
      form: macro(['', 'now()::TIMESTAMP::DATE']),
      description: 'The same as `current_date`.',
      examples: [['today()', null]],
    }),
  ],
})
