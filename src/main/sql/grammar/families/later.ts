import { firstWords, type Token, wordOf } from '../../text/tokens.ts'
import type { Later } from '../node.ts'

/** The first words of statements that later versions will run. */
const LATER: readonly (readonly string[])[] = [
  ...behind('CREATE', 'TABLE', 'MATERIALIZED VIEW', 'INDEX'),
  ...behind('DROP', 'MATERIALIZED VIEW', 'INDEX'),
  ...behind('SHOW', 'INDEXES', 'INDEX', 'INDICES'),
  ...['ALTER', 'DELETE', 'INSERT', 'UPDATE'].map((word) => [word]),
]

/** The most words of an entry. */
const MOST_WORDS = Math.max(...LATER.map(({ length }) => length))

/** The first words of the entries. */
const FIRST_WORDS: ReadonlySet<string | undefined> = new Set(LATER.map(([first]) => first))

function behind(first: string, ...others: readonly string[]): readonly (readonly string[])[] {
  return others.map((words) => [first, ...words.split(' ')])
}

/** The statement of a later version that these tokens are. What follows its first words is not read. Null: it is none. */
export function parseLater(tokens: readonly Token[]): Later | null {
  const words = tokens.slice(0, MOST_WORDS + OR_REPLACE.length).map(wordOf)
  const isReplacing = OR_REPLACE.every((word, index) => words[index + 1] === word)
  const laterWords = laterOf(isReplacing ? words.toSpliced(1, OR_REPLACE.length) : words)
  return laterWords === undefined ? null : Object.freeze({ kind: 'later', words: laterWords.join(' ') })
}

const OR_REPLACE = ['OR', 'REPLACE']

/** Whether a text begins as a statement of a later version does. */
export function beginsLater(sql: string, first: string): boolean {
  return FIRST_WORDS.has(first) && laterOf(firstWords(sql, MOST_WORDS)) !== undefined
}

function laterOf(given: readonly (string | null)[]): readonly string[] | undefined {
  return LATER.find((words) => words.every((word, index) => given[index] === word))
}
