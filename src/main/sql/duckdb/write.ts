import type { ConstantExpression } from '../../../plan/expression.ts'
import { distinctNames } from '../../../plan/types/names.ts'

/**
 * What columns of any name are called in a statement, each at the place of its name: words that no other one is equal to,
 * whatever the case, and that EXPLAIN prints as they are.
 */
export function wordsFor(names: readonly string[]): readonly string[] {
  return distinctNames(
    names.map((name) => name.replaceAll(/[^\p{L}\p{N}_]+/gu, '_') || '_'),
    (name) => name.toLowerCase(),
  )
}

/** A name of `wordsFor`, or of a function that DuckDB lists, which may be a keyword. */
export function quoteWord(word: string): string {
  return `"${word}"`
}

/** A constant of the JSON language. Floats are DOUBLE, and exactly the one given; integers are as narrow as they can be. */
export function writeConstant({ value }: ConstantExpression): string {
  if (value === null) return 'NULL'
  switch (value.kind) {
    case 'bytes':
      return writeText(Buffer.from(value.value).toString())
    case 'float':
      return `CAST('${Object.is(value.value, -0) ? '-0' : value.value}' AS DOUBLE)`
    default:
      return String(value.value)
  }
}

/** A zero byte would end the statement, and `query` is a name that no statement may seem to call. */
const NOT_QUOTABLE = /\0|query/i

/** Text as an expression of type VARCHAR. */
export function writeText(text: string): string {
  if (!NOT_QUOTABLE.test(text)) return `'${text.replaceAll("'", "''")}'`
  return `decode(from_hex('${Buffer.from(text).toString('hex')}'))`
}
