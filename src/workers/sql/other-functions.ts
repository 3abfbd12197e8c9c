/** Functions and operators of other databases, and what to write instead. */
const OTHER_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['!', 'NOT x'],
  ['!<', 'x >= 5'],
  ['!>', 'x <= 5'],
  ['><', 'x <> 5'],
  ['charindex', "position('a' IN x)"],
  ['convert', 'CAST(x AS DOUBLE)'],
  ['curdate', 'now()::TIMESTAMP::DATE'],
  ['current_timestamp', 'now()::TIMESTAMP'],
  ['date_format', "strftime(time, '%Y-%m-%d')"],
  ['dateadd', 'time + INTERVAL 1 DAY'],
  ['datename', "strftime(time, '%B')"],
  ['from_unixtime', 'to_timestamp(seconds)::TIMESTAMP'],
  ['getdate', 'now()::TIMESTAMP'],
  ['iif', 'CASE WHEN x > 5 THEN 1 ELSE 0 END'],
  ['isnull', 'coalesce(x, 0)'],
  ['isnumeric', 'TRY_CAST(x AS DOUBLE) IS NOT NULL'],
  ['nvl', 'coalesce(x, 0)'],
  ['percentile', 'quantile_cont(x, 0.5)'],
  ['rand', 'random()'],
  ['regexp_like', "regexp_matches(x, '^a')"],
  ['regexp_substr', "regexp_extract(x, '[0-9]+')"],
  ['std', 'stddev_samp(x)'],
  ['stdev', 'stddev_samp(x)'],
  ['str_to_date', "strptime(text, '%Y-%m-%d')"],
  ['substring_index', "split_part(x, '-', 1)"],
  ['sysdate', 'now()::TIMESTAMP'],
  ['timestampadd', 'time + INTERVAL 1 DAY'],
  ['timestampdiff', "date_diff('day', from, to)"],
  ['to_char', "strftime(time, '%Y-%m-%d')"],
  ['to_date', "strptime(text, '%Y-%m-%d')"],
  ['to_number', 'CAST(x AS DOUBLE)'],
  ['truncate', 'trunc(x)'],
  ['unix_timestamp', 'epoch(time)'],
  ['var', 'var_samp(x)'],
])

/** Functions that DuckDB has only with OVER, and what stands in their brackets. */
const WINDOW_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ...['cume_dist', 'dense_rank', 'percent_rank', 'rank', 'row_number'].map((name) => [name, ''] as const),
  ...['first_value', 'lag', 'last_value', 'lead'].map((name) => [name, 'x'] as const),
  ['nth_value', 'x, 2'],
  ['ntile', '4'],
])

/** What to write instead of a function that DuckDB does not have under this name. Undefined: nothing is known. */
export function insteadOfFunction(name: string): string | undefined {
  const lower = name.toLowerCase()
  const args = WINDOW_FUNCTIONS.get(lower)
  return args === undefined ? OTHER_FUNCTIONS.get(lower) : `${lower}(${args}) OVER (ORDER BY time)`
}
