import { foldSqlName, sqlNames } from '../../../plan/statement/statement.ts'
import { findDescendingLimits } from '../../sql/text/descending-limits.ts'
import { isSign, type Token, tokenize } from '../../sql/text/tokens.ts'
import type { FilesTable } from '../source/files-table.ts'

const DIVISION =
  '/ of integers gives an integer, 7 / 2 is 3: 1.0 * a / b or a::DOUBLE / b has the fraction, and // says that integers are meant'

/** The notice about a statement that divides integers, and whose texts, of it and of its views, divide by `/` alone. */
export function divisionNotices(texts: readonly string[]): readonly string[] {
  const tokens = texts.filter((text) => text.includes('/')).flatMap((text) => tokenize(text))
  return dividesBySlash(tokens) ? [DIVISION] : []
}

/** The notices about columns of a statement that may be null, of which it keeps the first rows in descending order. */
export function nullsFirstNotices(
  text: string,
  tokensOf: () => readonly Token[],
  tables: readonly FilesTable[],
): readonly string[] {
  if (!/\bdesc\b/i.test(text) || !/\b(?:limit|fetch)\b/i.test(text)) return []
  return findDescendingLimits(text, tokensOf()).flatMap(({ name, written }) =>
    tables.some((table) => mayBeNull(table, name))
      ? [
          `ORDER BY ${written} has nulls first, and LIMIT keeps them: ${written} NULLS LAST has the largest values`,
        ]
      : [],
  )
}

function mayBeNull({ schema }: FilesTable, name: string): boolean {
  const index = sqlNames(schema).findIndex((each) => foldSqlName(each) === foldSqlName(name))
  return schema.fields[index]?.nullable ?? false
}

/** Whether a text divides by `/`, and nowhere by `//`, which says that integers are meant. */
function dividesBySlash(tokens: readonly Token[]): boolean {
  const isSlash = (token: Token | undefined): token is Token => isSign(token, '/')
  let hasSlash = false
  for (const [index, token] of tokens.entries()) {
    if (!isSlash(token)) continue
    const next = tokens[index + 1]
    if (isSlash(next) && next.start === token.end) return false
    hasSlash = true
  }
  return hasSlash
}
