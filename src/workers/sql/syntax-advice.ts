import { nearestName } from '../../plan/nearest-name.ts'

/**
 * How many characters of a statement around the place of an error are looked at. A statement may have two million, and a pattern that
 * is tried from each of them takes time in their square.
 */
export const NEAR = 300

/** Words that are misspelt so that DuckDB takes them for a name, and complains of what follows. */
const KEYWORDS = [
  'FROM',
  'WHERE',
  'GROUP BY',
  'ORDER BY',
  'HAVING',
  'LIMIT',
  'OFFSET',
  'SELECT',
  'JOIN',
  'UNION',
]

/** What to write instead after a word, or of a sign. */
const SYNTAX: ReadonlyMap<string, string> = new Map([
  ['BETWEEN', 'BETWEEN takes both bounds: BETWEEN 1 AND 5.'],
  ['EXCEPT', 'Columns are left out by * EXCLUDE (…).'],
  ['GROUP', 'GROUP is followed by BY.'],
  ['IN', 'IN takes a list in brackets: IN (1, 2).'],
  ['IS', 'IS is for NULL; other values are compared by =.'],
  ['ORDER', 'ORDER is followed by BY.'],
  ['OVER', 'OVER is followed by brackets: OVER (ORDER BY time).'],
  ['SAMPLE', 'A sample is asked for by USING SAMPLE 10 ROWS.'],
  ['SORT', 'The order is asked for by ORDER BY.'],
  ['TOP', 'The first rows are asked for by LIMIT at the end.'],
  ['=>', 'Write >= instead of =>.'],
  ['=<', 'Write <= instead of =<.'],
])

/** Mistakes that are recognised by what is before the place and what is at it. The first that both match counts. */
const MISTAKES: readonly (readonly [before: RegExp, rest: RegExp, advice: string])[] = [
  [
    /\(.*,\s*$/s,
    /^group\s*:?=/i,
    `GROUP is a word of SQL: the option is in double quotes, "group" = 'monthly'.`,
  ],
  [/,\s*$/, /^(?:,|\)|SELECT\b|FROM\b|WHERE\b)/i, 'There is a comma too many.'],
  [/\bread_\w+\s*$/i, /^'/, "The path is in brackets: read_parquet('…')."],
  [/'\s*$/, /^'/, 'A comma is missing between the two texts.'],
  [/\(.*,\s*\w+\s*$/s, /^:/, "An argument is named as in delimiter = ';'."],
  [/(?:^|[\s(,=<>])$/, /^:\w/, 'A statement has no parameters; write the values themselves.'],
  [/\{$/, /^\{/, 'This looks like a template in which nothing was filled in.'],
  [/(?:&&|\|\|)\s*[\w."]+\s*$/, /^[=<>!]/, 'Conditions are joined by AND and OR, not by && and ||.'],
  [/\bCAST\s*\([^(),]+$/i, /^,/, 'A cast is written CAST(x AS INTEGER).'],
  [/\bBETWEEN\s+[^\s,]+\s*$/i, /^(?:,|$)/, 'BETWEEN takes both bounds: BETWEEN 1 AND 5.'],
  [/\bLIMIT\s+\d+\s*$/i, /^ROWS?\b/i, 'LIMIT takes a number alone: LIMIT 10.'],
  [/\bDISTINCT\s+ON\s*$/i, /^[\w"]/, 'DISTINCT ON takes brackets: DISTINCT ON (platform).'],
  [/\bAS\s*$/i, /^SELECT\b/i, 'A query after AS is in brackets: AS (SELECT …).'],
  [/\b(?:FROM|JOIN)\s*$/i, /^(?:WHERE|GROUP|ORDER|LIMIT|HAVING)\b/i, 'The name of a table is missing.'],
  [
    /\b(?:FROM|JOIN)\s*$/i,
    /^[a-z]/i,
    "This is a word of SQL; as the name of a table it is in double quotes, and files are named as in read_parquet('…').",
  ],
  [/./s, /^(?:REGEXP|RLIKE)\b/i, "A regular expression is matched by regexp_matches(x, '^a')."],
  [/./s, /^#/, 'A comment begins with --.'],
]

/** Statements that end too early. The first that matches counts. */
const UNFINISHED: readonly (readonly [end: RegExp, advice: string])[] = [
  [/\bread_\w+\s*\[[^\]]*\]$/i, "The path is in brackets: read_parquet('…')."],
  [/\bBETWEEN\s+[^\s,]+$/i, 'BETWEEN takes both bounds: BETWEEN 1 AND 5.'],
  [/\bLIKE\s+\S*%$/i, "The text after LIKE is in single quotes: LIKE 'a%'."],
  [/\b(?:AND|OR|NOT|WHERE|ON|HAVING|WHEN)$/i, 'A condition is missing.'],
  [/\bCASE\b(?!.*\bEND\b)/is, 'CASE ends with END.'],
  [/\bJOIN\b(?!.*\b(?:ON|USING)\b)/is, 'A JOIN has a condition: ON a.id = b.id, or USING (id).'],
]

const QUERY_AFTER_WITH = 'After the tables that WITH defines stands the query: WITH a AS (…) SELECT * FROM a.'

/** Whether DuckDB's parser says that the statement ends too early. It names no place then. */
export function isUnfinished(what: string): boolean {
  return what === 'syntax error at end of input'
}

/** What to write instead, of a statement that ends too early. */
export function adviceOnEnd(sql: string): string {
  const text = sql.trimEnd().slice(-NEAR)
  const endAdvice = UNFINISHED.find(([end]) => end.test(text))?.[1]
  const isDefined = /^WITH\b/i.test(sql) && text.endsWith(')')
  const advice = endAdvice ?? adviceAfterWord(lastWord(text)) ?? (isDefined ? QUERY_AFTER_WITH : null)
  return advice ?? 'The statement is not complete.'
}

/** What to write instead of what is at the place of an error of DuckDB's parser. Null: nothing is known. */
export function adviceOnSyntax(sql: string, at: number): string | null {
  const [before, rest] = [sql.slice(Math.max(0, at - NEAR), at), sql.slice(at, at + NEAR)]
  const sign = SYNTAX.get(sql.slice(at, at + 2))
  if (sign !== undefined) return sign
  const mistake = MISTAKES.find(([first, second]) => second.test(rest) && first.test(before))
  const word = lastWord(before)
  const near = KEYWORDS.includes(word) ? null : nearestName(word, KEYWORDS)
  return (
    mistake?.[2] ??
    adviceAfterWord(word) ??
    (near === null ? null : `Did you mean ${near} instead of ${word}?`) ??
    (lacksComma(before, rest) ? 'A comma seems to be missing.' : null)
  )
}

function adviceAfterWord(word: string): string | null {
  return SYNTAX.get(word) ?? null
}

/** The last word of a text in upper case, also before a bracket. Empty: there is none. */
function lastWord(text: string): string {
  return /\b([A-Za-z_]+)[\s(]*$/.exec(text)?.[1]?.toUpperCase() ?? ''
}

/** Whether a third name follows two in a list of columns, of which the second is the first one's alias. */
function lacksComma(before: string, rest: string): boolean {
  const list = /\bSELECT\b(.*)$/is.exec(before)?.[1] ?? ''
  return /^[\w"]/.test(rest) && /[\w")]\s+[\w"]+\s*$/.test(list) && !/\bFROM\b/i.test(list)
}
