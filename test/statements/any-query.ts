import { invalidSql, isSign, tokenize, wordOf } from '../../src/main/sql/text/tokens.ts'

/** Stands for the gate where a test is about statements alone: lets through what begins as a query does. */
export function anyQuery(text: string): void {
  const [first, second] = tokenize(text)
  const word = wordOf(first) ?? ''
  const isQuery = word === 'VALUES' ? isSign(second, '(') : ['SELECT', 'WITH', 'FROM'].includes(word)
  if (!isQuery && !isSign(first, '(')) throw invalidSql(text, 0, 'no query')
}
