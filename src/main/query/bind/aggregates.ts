/** Functions that make one value of many rows. JSON queries have none, and people look for them there. */
const AGGREGATES: ReadonlySet<string> = new Set(
  [
    'any_value arg_max arg_min avg corr count first histogram last list max mean median min mode',
    'quantile quantile_cont quantile_disc stddev stddev_pop stddev_samp string_agg sum var_pop',
    'var_samp variance',
  ].flatMap((line) => line.split(' ')),
)

/** How to ask for an aggregate. Null: the function is none. */
export function adviceOnAggregate(name: string, argument: string): string | null {
  const lower = name.toLowerCase()
  if (!AGGREGATES.has(lower)) return null
  return `"${lower}" makes one value of many rows, which is asked in SQL: {"sql": "SELECT ${lower}(${argument}) FROM read_parquet('…')"}`
}

/** How to write a call that was written as the name of a column. */
export function adviceOnCall(name: string, argument: string): string {
  const args = argument.trim() === '' ? [] : [argument.trim()]
  const call = JSON.stringify({ function: name.toLowerCase(), args })
    .replaceAll('":', '": ')
    .replaceAll(',"', ', "')
  return adviceOnAggregate(name, argument) ?? `a call is written as ${call}`
}
