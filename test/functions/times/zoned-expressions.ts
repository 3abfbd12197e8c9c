/** Times with a zone: around 1970, before 1900, far away, at changes of clocks, infinite, and none. */
export const ZONED_TIMES: readonly string[] = [
  '2024-05-06 07:08:09.123456+00',
  '1969-12-31 23:59:59.5+00',
  '1970-01-01 00:00:00+00',
  '2020-02-29 12:00:00+05:30',
  '1888-03-01 00:00:00.000001+00',
  '0001-01-01 00:00:00+00',
  '2020-03-29 01:00:00+00',
  '2020-10-25 00:59:59.999999+00',
  '9999-12-31 23:59:59.999999+00',
  '2300-07-01 00:00:00+00',
]

/** Expressions of the time with a zone `z` and the time without one `t`, whose value and type are those of native DuckDB. */
export const ZONED_EXPRESSIONS: readonly string[] = [
  ...['century', 'day', 'dayname', 'dayofmonth', 'dayofweek', 'dayofyear', 'decade', 'epoch', 'epoch_ms'],
  ...['epoch_us', 'era', 'hour', 'isodow', 'isoyear', 'julian', 'last_day', 'microsecond'],
  ...['millennium', 'millisecond', 'minute', 'month', 'monthname', 'quarter', 'second', 'timezone'],
  ...['timezone_hour', 'timezone_minute', 'week', 'weekday', 'weekofyear', 'year', 'yearweek', 'isfinite'],
]
  .map((name) => `${name}(z)`)
  .concat(
    ...['year', 'month', 'doy', 'week', 'hour', 'second', 'epoch', 'julian', 'timezone', 'era'].flatMap(
      (part) => [`date_part('${part}', z)`, `extract(${part} FROM z)`],
    ),
    ...[
      'millennium',
      'century',
      'decade',
      'year',
      'quarter',
      'month',
      'week',
      'day',
      'hour',
      'minute',
      'second',
    ].flatMap((part) => [
      `date_trunc('${part}', z)`,
      `date_trunc('${part}', t)`,
      `date_diff('${part}', z, TIMESTAMPTZ '2023-07-15 13:00:00+00')`,
      `date_sub('${part}', TIMESTAMPTZ '2023-07-15 13:00:00+00', z)`,
      `date_diff('${part}', z, t)`,
    ]),
    "date_part(['year', 'hour'], z)",
    'z + INTERVAL 1 MONTH',
    'z - INTERVAL 36 HOUR',
    'INTERVAL 1 YEAR + z',
    "z - TIMESTAMPTZ '2023-07-15 13:00:00+00'",
    "z - TIMESTAMP '2023-07-15 13:00:00'",
    "DATE '2023-07-15' - z",
    'z + NULL::INTERVAL',
    "age(z, TIMESTAMPTZ '2023-07-15 13:00:00+00')",
    "age(TIMESTAMPTZ '2023-07-15 13:00:00+00', z)",
    'time_bucket(INTERVAL 1 DAY, z)',
    'time_bucket(INTERVAL 6 HOUR, z, INTERVAL 1 HOUR)',
    "time_bucket(INTERVAL 1 MONTH, z, TIMESTAMPTZ '2020-01-15 00:00:00+00')",
    "strftime(z, '%Y-%m-%d %H:%M:%S.%f %j %a %B')",
    "strftime('%d.%m.%y', z)",
    'z::DATE',
    'z::TIMETZ',
    'z::TIMESTAMP',
    'z::VARCHAR',
    't::TIMESTAMPTZ',
    't::DATE::TIMESTAMPTZ',
    'z::DATE = t::DATE',
    'z > t::DATE',
    'z BETWEEN t AND t + INTERVAL 1 DAY',
    'generate_series(z, z + INTERVAL 2 DAY, INTERVAL 1 DAY)',
    'range(z, z + INTERVAL 2 MONTH, INTERVAL 1 MONTH)',
    "epoch_ns(greatest(least(z, TIMESTAMPTZ '2262-01-01 00:00:00+00'), TIMESTAMPTZ '1700-01-01 00:00:00+00'))",
    "coalesce(z, TIMESTAMP '2020-01-01')",
    'greatest(z, t)',
  )

/** The same of a zone `n`. */
export const ZONE_EXPRESSIONS: readonly string[] = [
  'z AT TIME ZONE n',
  't AT TIME ZONE n',
  't::DATE AT TIME ZONE n',
  '(z AT TIME ZONE n) AT TIME ZONE n',
  "date_trunc('day', z AT TIME ZONE n) AT TIME ZONE n",
  'timezone(n, z) - t',
  'timezone(NULL, z)',
]
