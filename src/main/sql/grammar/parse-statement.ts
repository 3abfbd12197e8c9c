import { ServiceError } from '../../../plan/errors.ts'
import { firstWords, type Token, tokenize } from '../text/tokens.ts'
import { beginsWithSecret, textBeginsWithSecret } from './begins-with-secret.ts'
import { parseAnalyzeFiles } from './families/analyze-files.ts'
import { parseCreateCrawler, parseRunCrawler } from './families/crawlers.ts'
import { parseDescribe, parseSummarize } from './families/describe.ts'
import { parseDrop } from './families/drop.ts'
import { parseSetExtension } from './families/extensions.ts'
import { parseExternalTable } from './families/external-table.ts'
import { beginsLater, parseLater } from './families/later.ts'
import { parseRefresh } from './families/refresh.ts'
import { parseAttach, parseDetach } from './families/remotes/attach.ts'
import { parseCreateSecret } from './families/remotes/secrets.ts'
import { parseRole } from './families/roles.ts'
import { parseDeny, parseGrant, parseRevoke } from './families/rules.ts'
import { parseShow } from './families/show.ts'
import { parseCreateUser } from './families/users.ts'
import { parseView } from './families/view.ts'
import type { StatementNode } from './node.ts'
import type { CheckQuery, ParsedStatement } from './query-text.ts'
import { createStatementReader } from './statement-reader.ts'

/** It begins a statement only before EXTENSION and EXTENSIONS: the gate says of others what they cannot set. */
const SET = 'SET'

/** It begins a statement only before FILES: the gate refuses DuckDB's. */
const ANALYZE = 'ANALYZE'

/** What parses the rest of a statement, by its first word. */
const PARSERS: ReadonlyMap<string, (statement: ParsedStatement) => StatementNode> = new Map([
  ['CREATE', parseCreate],
  ['DROP', ({ reader }) => parseDrop(reader)],
  ['REFRESH', ({ reader }) => parseRefresh(reader)],
  ['RUN', ({ reader }) => parseRunCrawler(reader)],
  [SET, ({ reader }) => parseSetExtension(reader)],
  ['SHOW', ({ reader }) => parseShow(reader)],
  ['DESCRIBE', parseDescribe],
  ['DESC', parseDescribe],
  ['SUMMARIZE', parseSummarize],
  ['GRANT', ({ reader }) => parseGrant(reader)],
  ['DENY', ({ reader }) => parseDeny(reader)],
  [ANALYZE, ({ reader }) => parseAnalyzeFiles(reader)],
  ['ATTACH', parseAttach],
  ['DETACH', ({ reader }) => parseDetach(reader)],
  ['REVOKE', ({ reader }) => parseRevoke(reader)],
])

/** The first words of statements that are no queries. */
export const STATEMENT_WORDS: readonly string[] = [...PARSERS.keys()]

/**
 * Whether a text is a statement that is no query, by its first words. It takes the time of reading these, because every query
 * is asked.
 */
export function isStatement(sql: string): boolean {
  const [first = ''] = firstWords(sql, 1)
  if (first === SET) return /^EXTENSIONS?$/.test(firstWords(sql, 2)[1] ?? '')
  if (first === ANALYZE) return firstWords(sql, 2)[1] === 'FILES'
  return PARSERS.has(first) || beginsLater(sql, first)
}

/** Whether a statement is one on users, roles, rules or secrets, by its first words. */
export function isOfAccounts(sql: string): boolean {
  const [first = '', ...words] = firstWords(sql, 4)
  const [second = ''] = words[0] === 'OR' && words[1] === 'REPLACE' ? words.slice(2) : words
  if (first === 'CREATE' || first === 'DROP') return ACCOUNTS.has(second)
  if (first === 'ATTACH' || first === 'DETACH') return true
  if (first === 'SHOW') return second === 'SECRETS'
  return first === 'GRANT' || first === 'DENY' || first === 'REVOKE'
}

const ACCOUNTS: ReadonlySet<string> = new Set(['USER', 'ROLE', 'SECRET', 'PERSISTENT', 'TEMPORARY'])

/**
 * Parses a statement that is no query (docs/reference/statements.md). A query in it stays text, which `checkQuery`
 * gets. Takes time proportional to the length of the text. Throws `invalid_sql` with line, column, what was found and what
 * could stand there. About a statement that has a password or a secret the error quotes nothing of it. `onHidden` gets those.
 */
export function parseStatement(
  sql: string,
  checkQuery: CheckQuery,
  onHidden: ParsedStatement['onHidden'] = () => undefined,
): StatementNode {
  const tokens = tokensOf(sql)
  const later = parseLater(tokens)
  if (later !== null) return later
  const reader = createStatementReader(sql, tokens, !beginsWithSecret(tokens))
  const parse = [...PARSERS].find(([word]) => reader.takeWords(word))?.[1]
  if (parse === undefined) return reader.unexpected()
  const node = parse({ sql, reader, checkQuery, onHidden })
  reader.expectEnd()
  return node
}

/** Throws what `tokenize` throws, but quotes nothing of a statement that has a password or a secret. */
function tokensOf(sql: string): readonly Token[] {
  try {
    return tokenize(sql)
  } catch (error) {
    if (!textBeginsWithSecret(sql)) throw error
    const [place = ''] = /^sql, line \d+, column \d+: /.exec((error as Error).message) ?? []
    throw new ServiceError(
      'invalid_sql',
      `${place}a quote or a comment is not closed, or this is no character of a statement; a password or a value is in straight single quotes, and a quote in it is doubled`,
      { quotesNothing: true },
    )
  }
}

function parseCreate(statement: ParsedStatement): StatementNode {
  const { reader } = statement
  const isReplacing = reader.takeWords('OR', 'REPLACE')
  if (reader.takeWords('EXTERNAL', 'TABLE')) return parseExternalTable(statement, isReplacing)
  for (const words of [['SECRET'], ['PERSISTENT', 'SECRET'], ['TEMPORARY', 'SECRET']])
    if (reader.takeWords(...words))
      return parseCreateSecret(statement, words[0] === 'PERSISTENT', isReplacing)
  if (reader.takeWords('CRAWLER')) return parseCreateCrawler(reader)
  if (!isReplacing) {
    if (reader.takeWords('USER')) return parseCreateUser(statement)
    if (reader.takeWords('ROLE')) return parseRole(reader, 'create_role')
  }
  reader.expectWords('VIEW')
  return parseView(statement, isReplacing)
}
