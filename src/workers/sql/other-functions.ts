/** Functions and operators of other databases, and what to write instead. */
const OTHER_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['!', 'NOT x'],
  ['!<', 'x >= 5'],
  ['!>', 'x <= 5'],
  ['><', 'x <> 5'],
  ['charindex', "position('a' IN x)"],
  ['convert', 'CAST(x AS DOUBLE)'],
  ['convert_timezone', "time AT TIME ZONE 'Europe/Paris'"],
  ['convert_tz', "time AT TIME ZONE 'Europe/Paris'"],
  ['curdate', 'current_date'],
  ['dateadd', 'time + INTERVAL 1 DAY'],
  ['datefromparts', 'make_date(2024, 2, 29)'],
  ['datename', "strftime(time, '%B')"],
  ['datetime_trunc', "date_trunc('month', time)"],
  ['from_utc_timestamp', "time AT TIME ZONE 'Europe/Paris'"],
  ['getdate', 'now()'],
  ['iif', 'CASE WHEN x > 5 THEN 1 ELSE 0 END'],
  ['isnull', 'coalesce(x, 0)'],
  ['isnumeric', 'TRY_CAST(x AS DOUBLE) IS NOT NULL'],
  ['percentile', 'quantile_cont(x, 0.5)'],
  ['rand', 'random()'],
  ['regexp_substr', "regexp_extract(x, '[0-9]+')"],
  ['std', 'stddev_samp(x)'],
  ['stdev', 'stddev_samp(x)'],
  ['str_to_date', "strptime(text, '%Y-%m-%d')"],
  ['sysdate', 'now()'],
  ['timestamp_trunc', "date_trunc('month', time)"],
  ['timestampadd', 'time + INTERVAL 1 DAY'],
  ['timestampdiff', "date_diff('day', from, to)"],
  ['to_number', 'CAST(x AS DOUBLE)'],
  ['to_utc_timestamp', "time AT TIME ZONE 'Europe/Paris'"],
  ['truncate', 'trunc(x)'],
  ['unix_timestamp', 'to_unixtime(time)'],
])

/** Functions that DuckDB has only with OVER, and what stands in their brackets. */
const WINDOW_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ...['cume_dist', 'dense_rank', 'percent_rank', 'rank', 'row_number'].map((name) => [name, ''] as const),
  ...['lag', 'lead'].map((name) => [name, 'x'] as const),
  ['ntile', '4'],
])

/** What to write instead of a function that DuckDB does not have under this name. Undefined: nothing is known. */
export function insteadOfFunction(name: string): string | undefined {
  const lower = name.toLowerCase()
  const args = WINDOW_FUNCTIONS.get(lower)
  return args === undefined ? OTHER_FUNCTIONS.get(lower) : `${lower}(${args}) OVER (ORDER BY time)`
}
