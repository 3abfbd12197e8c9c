import { FUNCTIONS } from '../../../plan/functions/functions.ts'

/** How to ask for an aggregate, or a function of a window. Null: the function is neither. */
export function adviceOnAggregate(name: string, argument: string): string | null {
  const lower = name.toLowerCase()
  const kind = FUNCTIONS.get(lower)?.kind ?? 'scalar'
  if (kind === 'scalar') return null
  const [what, over] =
    kind === 'window'
      ? ['looks at the rows around each row', ' OVER (ORDER BY …)']
      : ['makes one value of many rows', '']
  return `"${lower}" ${what}, which is asked in SQL: {"sql": "SELECT ${lower}(${argument})${over} FROM read_parquet('…')"}`
}

/** How to write a call that was written as the name of a column. */
export function adviceOnCall(name: string, argument: string): string {
  const args = argument.trim() === '' ? [] : [argument.trim()]
  const call = JSON.stringify({ function: name.toLowerCase(), args })
    .replaceAll('":', '": ')
    .replaceAll(',"', ', "')
  return adviceOnAggregate(name, argument) ?? `a call is written as ${call}`
}
