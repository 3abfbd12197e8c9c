import { foldSqlName } from '../../../plan/statement/statement.ts'
import { SCHEMA_IN_DUCKDB } from '../../../plan/statement/system-relations.ts'
import { isSign, type Token } from '../text/tokens.ts'
import type { TokenizedText } from './replaced-tokens.ts'

const NAME = 'information_schema'

/**
 * The statement with the schema in which an engine has the service's own tables, in place of `information_schema` before a dot: there
 * DuckDB has tables of its own, and takes no others. Both names have the same length, so that positions in the text stay the same.
 */
export function withOwnSchemas(statement: TokenizedText): TokenizedText {
  const { text, tokens } = statement
  if (!tokens.some(isInformationSchema)) return statement
  let written = text
  const renamed = tokens.map((token, index) => {
    if (!isInformationSchema(token) || !isSign(tokens[index + 1], '.')) return token
    const name = SCHEMA_IN_DUCKDB[NAME]
    const quoted = token.kind === 'quoted' ? `"${name}"` : name
    written = written.slice(0, token.start) + quoted + written.slice(token.end)
    return { ...token, text: name }
  })
  return { text: written, tokens: renamed }
}

function isInformationSchema({ kind, text }: Token): boolean {
  return text.length === NAME.length && (kind === 'word' || kind === 'quoted') && foldSqlName(text) === NAME
}
