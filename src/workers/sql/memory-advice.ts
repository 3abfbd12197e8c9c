import type { AdvisedStatement } from './duck-advice.ts'

/** Aggregates that keep all values of a group until its end. */
const KEEPING_ALL = /\b(median|quantile(?:_cont|_disc)?|percentile_(?:cont|disc))"?\s*\(/i

/** What to write instead in a statement that has no memory left. Empty: nothing is known. */
export function memoryAdvice({ sql, definitions }: Pick<AdvisedStatement, 'sql' | 'definitions'>): string {
  const texts = [sql, ...definitions.map(({ query }) => query ?? '')]
  const name = texts.map((text) => KEEPING_ALL.exec(text)?.[1]).find((match) => match !== undefined)
  if (name === undefined) return ''
  const called = name.toLowerCase()
  const instead = `approx_quantile(x, ${called === 'median' ? '0.5' : 'q'})`
  return ` ${called} keeps all values until its group ends; ${instead} keeps a digest of them, which takes little memory.`
}
