import type { NamedDefinition } from '../../../../plan/statement/definition.ts'
import { foldSqlName, quoteSqlName } from '../../../../plan/statement/statement.ts'
import { isNamed } from '../../../sql/gate/attached-paths.ts'
import { checkNames, type KnownNames, type TableName } from '../../../sql/gate/check-names.ts'
import type { TokenizedText } from '../../../sql/gate/replaced-tokens.ts'
import { type Token, tokenize } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'

/** A statement with a gap in place of each table. */
export interface StatementTemplate {
  /** Texts, and the numbers of gaps between them. */
  readonly parts: readonly (string | number)[]
  /** For each gap the index of the source that stands in it. */
  readonly sources: readonly number[]
  /** The names of its common tables, in lower case. */
  readonly common: readonly string[]
}

/** What the names of tables in a statement mean. */
export interface NamedTables {
  readonly names: Pick<KnownNames, 'formats' | 'catalog'>
  /** The tables among the sources, by their names in lower case. */
  readonly sources: ReadonlyMap<string, number>
  /** The views, by their names in lower case. */
  readonly views: ReadonlyMap<string, NamedDefinition>
}

/** The most gaps of a statement. A view that others read many times may have many. */
const MOST_GAPS = 64

/**
 * Prints the tokens of a statement one by one, with gaps where its tables stand. Views are queries in brackets. Each goes by the name that is
 * written, unless it has an alias. Declines a statement in which it is not certain what a name means.
 */
export function statementTemplate(text: string, named: NamedTables): StatementTemplate {
  const parts: (string | number)[] = []
  const sources: number[] = []
  const common = new Set<string>()

  function add(statement: TokenizedText): void {
    const { tokens } = statement
    let next = 0
    const printTo = (end: number): void => {
      for (; next < end; next++) parts.push(printToken(tokens, next))
    }
    for (const { table, first, last } of tablesIn(statement, named, common)) {
      printTo(first)
      next = last + 1
      const key = foldSqlName(table.name)
      const source = named.sources.get(key)
      const query = named.views.get(key)?.query ?? null
      if (first > 0) parts.push(' ')
      if (source !== undefined) {
        if (sources.length === MOST_GAPS) decline('it reads its tables too many times')
        parts.push(sources.length)
        sources.push(source)
      } else if (query !== null) {
        parts.push('(')
        add({ text: query, tokens: tokenize(query) })
        parts.push(')')
      } else decline(`it is not certain what "${table.name}" means`)
      if (!isNamed(tokens, first, last)) parts.push(` AS ${quoteSqlName(tokens[last]?.text ?? '')}`)
    }
    printTo(tokens.length)
  }

  add({ text, tokens: tokenize(text) })
  return { parts, sources, common: [...common] }
}

/** A name of a table that is none of common tables. */
interface WrittenTable {
  readonly table: TableName
  /** The indexes of its tokens. */
  readonly first: number
  readonly last: number
}

function tablesIn(
  { text, tokens }: TokenizedText,
  { names, sources, views }: NamedTables,
  allCommon: Set<string>,
): readonly WrittenTable[] {
  const tables: WrittenTable[] = []
  const common = new Set<string>()
  checkNames(text, tokens, names, {
    onTable: (table, first, last) => tables.push({ table, first, last }),
    onCommon: (name) => common.add(name),
  })
  for (const name of common) {
    if (sources.has(name) || views.has(name)) decline(`"${name}" is a common table and another one`)
    allCommon.add(name)
  }
  return tables.filter(({ table: { schema, name } }) => schema !== null || !common.has(foldSqlName(name)))
}

/** A token, behind a blank unless it stands right behind the one before it: signs may be parts of an operator. */
function printToken(tokens: readonly Token[], index: number): string {
  const [previous, token] = [tokens[index - 1], tokens[index]]
  if (token === undefined) return ''
  if (previous?.kind === 'string' && token.kind === 'string') decline('texts behind each other')
  const text = token.kind === 'quoted' ? quoteSqlName(token.text) : token.text
  return previous === undefined || previous.end === token.start ? text : ` ${text}`
}
