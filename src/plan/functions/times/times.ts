import type { FunctionFamily } from '../function-row.ts'
import { macro, row } from '../row.ts'

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
