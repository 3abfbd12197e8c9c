import { invalidSql, isSign, type Token, wordOf } from '../text/tokens.ts'

/** The beginning of an EXPLAIN, before the query that it explains. */
export interface ExplainPrefix {
  readonly kind: 'explain' | 'explain-analyze'
  /** The number of its tokens. */
  readonly length: number
}

/**
 * Reads `EXPLAIN [ANALYZE] [VERBOSE]` or `EXPLAIN (ANALYZE, FORMAT json)` at the beginning of a statement. Null: the statement
 * is not an EXPLAIN. Of the options only ANALYZE has an effect, because the answer has one format. Throws `invalid_sql`.
 */
export function readExplain(sql: string, tokens: readonly Token[]): ExplainPrefix | null {
  if (wordOf(tokens[0]) !== 'EXPLAIN') return null
  let length = 1
  let isAnalyzed = false
  if (isSign(tokens[1], '(') && isOption(tokens[2])) {
    const end = tokens.findIndex((token) => isSign(token, ')'))
    isAnalyzed = readOptions(sql, tokens.slice(2, end === -1 ? undefined : end))
    length = end === -1 ? tokens.length : end + 1
  } else {
    isAnalyzed = wordOf(tokens[1]) === 'ANALYZE'
    if (isAnalyzed) length++
    if (wordOf(tokens[length]) === 'VERBOSE') length++
  }
  return { kind: isAnalyzed ? 'explain-analyze' : 'explain', length }
}

/** Whether ANALYZE is among the options and is not turned off. */
function readOptions(sql: string, tokens: readonly Token[]): boolean {
  let isAnalyzed = false
  for (let at = 0; at < tokens.length; at++) {
    const option = tokens[at]
    if (!option || !isOption(option)) {
      throw invalidSql(
        sql,
        option?.start ?? sql.length,
        'expected an option of EXPLAIN: ANALYZE, FORMAT, VERBOSE',
      )
    }
    const hasValue = at + 1 < tokens.length && !isSign(tokens[at + 1], ',')
    if (hasValue) at++
    if (wordOf(option) === 'ANALYZE') isAnalyzed = !(hasValue && isOff(tokens[at]))
    if (at + 1 < tokens.length && isSign(tokens[at + 1], ',')) at++
  }
  return isAnalyzed
}

function isOption(token: Token | undefined): boolean {
  return ['ANALYZE', 'FORMAT', 'VERBOSE'].includes(wordOf(token) ?? '')
}

function isOff(token: Token | undefined): boolean {
  return ['FALSE', 'OFF', '0'].includes(token?.text.toUpperCase() ?? '')
}
