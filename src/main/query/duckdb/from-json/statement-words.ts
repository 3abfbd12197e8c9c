import { type Expression, type ExpressionVisitor, visitExpression } from '../../../../plan/expression.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import type { Scope } from '../../bind/scope.ts'
import type { Term } from '../../bind/terms.ts'
import { SYNTAX } from './callable-functions.ts'
import { quoteWord, wordsFor, writeConstant } from './write.ts'

/** The names that are used in the statement of a request, which are words that `wordsFor` makes, and its expressions in SQL. */
export interface StatementWords {
  /** The word of a source column. */
  column(name: string): string
  /** Writes an expression. One that has a word is written as this word. */
  write(expression: Expression): string
  /** Items of a select list that compute, under their words, the expressions in these terms. An item follows those that it uses. */
  computed(terms: readonly Term[]): readonly string[]
  /** Words that no column has: for the number of a row, and for a column without meaning. */
  readonly row: string
  readonly filler: string
}

/**
 * Gives a word to each source column, and to each entry of `select` and `distinct.on` that is not a column. Such an entry is
 * computed once, and others refer to it by its word.
 */
export function statementWords({ fields }: Schema, { outputs, groups }: Scope): StatementWords {
  const sources = fields.map(({ name }) => name)
  const named = [...[...outputs].map(([name, term]) => ({ ...term, name })), ...(groups ?? [])]
  const words = wordsFor([...sources, ...named.map(({ name }) => name), 'row', 'filler'])
  const columns = new Map(sources.map((name, index) => [name, words[index] ?? name]))
  const expressionWords = new Map<Expression, string>()
  for (const [index, { expression }] of named.entries())
    if (expression.kind !== 'column' && !expressionWords.has(expression))
      expressionWords.set(expression, words[sources.length + index] ?? '')

  const column = (name: string): string => columns.get(name) ?? name
  const quote = (expression: Expression): string | null => {
    const word = expressionWords.get(expression)
    return word === undefined ? null : quoteWord(word)
  }
  const writer: ExpressionVisitor<string> = {
    column: (expression) => quoteWord(column(expression.column)),
    group: rejectGroup,
    constant: (expression) => quote(expression) ?? writeConstant(expression),
    call: (expression, visit) => quote(expression) ?? writeCall(expression.name, expression.args.map(visit)),
  }
  const write = (expression: Expression): string => visitExpression(expression, writer)
  /** Writes an expression that has a word in full. Its arguments are written as their words. */
  const define = (expression: Expression): string =>
    expression.kind === 'call'
      ? writeCall(expression.name, expression.args.map(write))
      : visitExpression(expression, { ...writer, constant: writeConstant })

  return {
    column,
    write,
    computed(terms) {
      const computedExpressions = new Set<Expression>()
      const finder: ExpressionVisitor<void> = {
        column() {},
        group: rejectGroup,
        constant(expression) {
          if (expressionWords.has(expression)) computedExpressions.add(expression)
        },
        call(expression, visit) {
          if (computedExpressions.has(expression)) return
          for (const arg of expression.args) visit(arg)
          if (expressionWords.has(expression)) computedExpressions.add(expression)
        },
      }
      for (const { expression } of terms) visitExpression(expression, finder)
      return [...computedExpressions].map((expression) => `${define(expression)} AS ${quote(expression)}`)
    },
    row: words.at(-2) ?? '',
    filler: words.at(-1) ?? '',
  }
}

function rejectGroup(): never {
  throw new TypeError('a request has no columns of groups')
}

function writeCall(name: string, args: readonly string[]): string {
  return `${SYNTAX.has(name) ? name : quoteWord(name)}(${args.join(', ')})`
}
