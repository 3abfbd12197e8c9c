import type { Test } from 'tap'
import type { Tables } from '../external/tables.ts'
import type { Constants } from './conditions.ts'

type Random = (below: number) => number

/**
 * Compares the first rows of `types` in generated orders, and generated groups of its rows, that the database makes as far as they are certain
 * with those that are made of all rows here. `aggregated`: columns that have `min` and `max`; `added`: those that have sums which are exact.
 */
export async function compareFirstRowsAndGroups(
  t: Test,
  here: Pick<Tables, 'ask' | 'explain'>,
  constants: Constants,
  { aggregated, added }: { readonly aggregated: readonly string[]; readonly added: readonly string[] },
  random: Random,
): Promise<void> {
  const columns = Object.keys(constants)
  const oneOf = <T>(values: readonly T[]): T => {
    const value = values[random(values.length)]
    if (value === undefined) throw new RangeError('nothing to choose from')
    return value
  }
  const where = (): string => {
    const name = oneOf(columns)
    return random(2) === 0 ? '' : ` WHERE ${name} ${oneOf(['<>', '<=', '>'])} ${oneOf(constants[name] ?? [])}`
  }
  const key = (): string =>
    `${oneOf(columns)}${oneOf(['', ' DESC'])}${oneOf(['', ' NULLS FIRST', ' NULLS LAST'])}`
  const firsts = (): ((from: string) => string) => {
    const condition = where()
    const order = [...Array.from({ length: random(3) }, key), 'id'].join(', ')
    const limit = 1 + random(20)
    const listed = [...new Set(['id', oneOf(columns), oneOf(columns)])].join(', ')
    return (from) => `SELECT ${listed} FROM ${from}${condition} ORDER BY ${order} LIMIT ${limit}`
  }
  const groups = (): ((from: string) => string) => {
    const condition = where()
    const keys = [...new Set(Array.from({ length: random(3) }, () => oneOf(columns)))]
    const aggregates = [
      'count(*)',
      `count(${oneOf(columns)})`,
      `min(${oneOf(aggregated)})`,
      `max(${oneOf(aggregated)})`,
      `sum(${oneOf(added)})`,
    ].filter((_, place) => place === 0 || random(2) === 0)
    const listed = [...keys, ...aggregates.map((text, place) => `${text} AS a${place}`)].join(', ')
    const grouped = keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')} ORDER BY ALL`
    return (from) => `SELECT ${listed} FROM ${from}${condition}${grouped}`
  }
  for (let run = 0; run < 40; run++) {
    const query = random(2) === 0 ? firsts() : groups()
    const sent = await here.ask(query('types'))
    const kept = await here.ask(query('(SELECT *, row_number() OVER () AS place FROM types)'))
    if (!t.strictSame(sent, kept, query('types'))) t.comment(await here.explain(query('types')))
  }
}
