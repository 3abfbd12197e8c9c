import type { ConstantExpression } from '../../../../plan/expression.ts'
import { distinctNames } from '../../../../plan/types/names.ts'

/**
 * Words to be used as identifiers in a statement, one for each name, in the same order. They are distinct even if case is
 * ignored, and consist of letters, digits and underscores, so that EXPLAIN prints them unchanged.
 */
export function wordsFor(names: readonly string[]): readonly string[] {
  return distinctNames(
    names.map((name) => name.replaceAll(/[^\p{L}\p{N}_]+/gu, '_') || '_'),
    (name) => name.toLowerCase(),
  )
}

/** Quotes a word of `wordsFor`, or the name of a function, since either may be a keyword. */
export function quoteWord(word: string): string {
  return `"${word}"`
}

/** A constant of the JSON language in SQL. A float is a DOUBLE of exactly this value. DuckDB gives an integer its narrowest type. */
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

/** Text that is not written in quotes: a zero byte would end the statement, and the gate refuses calls of `query`. */
const NOT_QUOTABLE = /\0|query/i

/** Text as an expression of type VARCHAR. */
export function writeText(text: string): string {
  if (!NOT_QUOTABLE.test(text)) return `'${text.replaceAll("'", "''")}'`
  return `decode(from_hex('${Buffer.from(text).toString('hex')}'))`
}
