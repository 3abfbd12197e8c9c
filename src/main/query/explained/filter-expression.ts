import type { Comparison } from '../../../plan/condition/compare.ts'
import type { FilterText } from '../../../plan/statement/statement.ts'
import { COMPARISONS } from './comparisons.ts'
import { type FilterToken, filterTokens } from './filter-tokens.ts'

/** A filter of DuckDB's plan, parsed from the text that EXPLAIN prints. What could not be parsed is `unknown`. */
export type FilterExpression =
  | { readonly kind: 'column'; readonly index: number }
  | Literal
  | { readonly kind: 'cast'; readonly arg: FilterExpression; readonly type: string }
  | { readonly kind: 'and' | 'or'; readonly args: readonly FilterExpression[] }
  | { readonly kind: 'not'; readonly arg: FilterExpression }
  | {
      readonly kind: 'compare'
      readonly comparison: Comparison
      readonly left: FilterExpression
      readonly right: FilterExpression
    }
  /** EXPLAIN prints inclusive and exclusive bounds alike, so either bound may belong to the range or not. */
  | {
      readonly kind: 'between'
      readonly arg: FilterExpression
      readonly low: FilterExpression
      readonly high: FilterExpression
    }
  | { readonly kind: 'is_null'; readonly arg: FilterExpression }
  /** IS NOT DISTINCT FROM. */
  | { readonly kind: 'same'; readonly left: FilterExpression; readonly right: FilterExpression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly FilterExpression[] }
  | { readonly kind: 'unknown' }

export interface Literal {
  readonly kind: 'literal'
  readonly form: 'number' | 'string' | 'word'
  readonly text: string
  /** The type that is printed behind it. Null: none is printed, since it is that of the other side of the comparison. */
  readonly type: string | null
}

const UNKNOWN: FilterExpression = Object.freeze({ kind: 'unknown' })

const LITERAL_WORDS: ReadonlySet<string> = new Set(['true', 'false', 'NULL'])

/**
 * Parses the text of a filter. DuckDB prints a pair of brackets around each comparison, conjunction and negation. Text in
 * another form is `unknown`, and so is the rest of what stands in the same brackets.
 */
export function parseFilter(text: FilterText): FilterExpression {
  const tokens = filterTokens(text)
  const partners = tokens && bracketPartners(tokens)
  return tokens && partners ? createReader(tokens, partners).expression(0, tokens.length) : UNKNOWN
}

/** The index of the closing bracket for that of each opening one. Null: the brackets do not match. */
function bracketPartners(tokens: readonly FilterToken[]): ReadonlyMap<number, number> | null {
  const partners = new Map<number, number>()
  const open: number[] = []
  for (const [index, token] of tokens.entries()) {
    if (isSign(token, '(')) open.push(index)
    if (!isSign(token, ')')) continue
    const start = open.pop()
    if (start === undefined) return null
    partners.set(start, index)
  }
  return open.length === 0 ? partners : null
}

function createReader(tokens: readonly FilterToken[], partners: ReadonlyMap<number, number>) {
  /** The indexes of the tokens from `from` to before `to` that are in no brackets which open there. */
  function outermost(from: number, to: number): number[] {
    const indexes: number[] = []
    for (let index = from; index < to; index = (partners.get(index) ?? index) + 1) indexes.push(index)
    return indexes
  }

  function expression(from: number, to: number): FilterExpression {
    const indexes = outermost(from, to)
    const words = (text: string) => indexes.filter((index) => isWord(tokens[index], text))
    const [ands, ors, betweens] = [words('AND'), words('OR'), words('BETWEEN')]
    if (betweens.length > 0) {
      const [between = from, and = from] = [...betweens, ...ands]
      if (betweens.length > 1 || ands.length !== 1 || ors.length > 0) return UNKNOWN
      const [arg, low, high] = [operand(from, between), operand(between + 1, and), operand(and + 1, to)]
      return { kind: 'between', arg, low, high }
    }
    if (ands.length > 0 && ors.length > 0) return UNKNOWN
    if (ands.length > 0) return { kind: 'and', args: split(from, to, ands) }
    if (ors.length > 0) return { kind: 'or', args: split(from, to, ors) }
    if (isWord(tokens[from], 'NOT')) return { kind: 'not', arg: operand(from + 1, to) }
    return comparison(from, to, indexes)
  }

  function split(from: number, to: number, separators: readonly number[]): FilterExpression[] {
    const starts = [from, ...separators.map((index) => index + 1)]
    return starts.map((start, index) => operand(start, separators[index] ?? to))
  }

  function comparison(from: number, to: number, indexes: readonly number[]): FilterExpression {
    const is = indexes.find((index) => isWord(tokens[index], 'IS'))
    if (is !== undefined) return isTest(from, is, to)
    const [sign, ...others] = indexes.filter((index) => COMPARISONS.has(signOf(tokens[index])))
    const operator = sign === undefined ? undefined : COMPARISONS.get(signOf(tokens[sign]))
    if (sign === undefined || operator === undefined || others.length > 0) return operand(from, to)
    return {
      kind: 'compare',
      comparison: operator,
      left: operand(from, sign),
      right: operand(sign + 1, to),
    }
  }

  function isTest(from: number, is: number, to: number): FilterExpression {
    const left = operand(from, is)
    const follows = (text: string) => text.split(' ').every((word, n) => isWord(tokens[is + 1 + n], word))
    const not = (arg: FilterExpression): FilterExpression => ({ kind: 'not', arg })
    if (follows('NULL') && is + 2 === to) return { kind: 'is_null', arg: left }
    if (follows('NOT NULL') && is + 3 === to) return not({ kind: 'is_null', arg: left })
    if (follows('DISTINCT FROM')) return not({ kind: 'same', left, right: operand(is + 3, to) })
    if (follows('NOT DISTINCT FROM')) return { kind: 'same', left, right: operand(is + 4, to) }
    return UNKNOWN
  }

  /** Parses a single token, a literal with its type, a call, or an expression in brackets. */
  function operand(from: number, to: number): FilterExpression {
    const first = tokens[from]
    if (first === undefined || from >= to) return UNKNOWN
    const isSingleToken = from + 1 === to
    if (isSign(first, '(')) return partners.get(from) === to - 1 ? expression(from + 1, to - 1) : UNKNOWN
    if (first.kind === 'column') return isSingleToken ? { kind: 'column', index: first.index } : UNKNOWN
    if (first.kind === 'sign') return UNKNOWN
    if (first.kind === 'word' && partners.get(from + 1) === to - 1) return call(first.text, from + 2, to - 1)
    if (first.kind === 'word' && !LITERAL_WORDS.has(first.text)) return UNKNOWN
    if (!isSingleToken && !isSign(tokens[from + 1], '::')) return UNKNOWN
    return {
      kind: 'literal',
      form: first.kind,
      text: first.text,
      type: isSingleToken ? null : typeText(from + 2, to),
    }
  }

  function call(name: string, from: number, to: number): FilterExpression {
    const indexes = outermost(from, to)
    const as = indexes.findLast((index) => isWord(tokens[index], 'AS'))
    if (name === 'CAST') {
      return as === undefined ? UNKNOWN : { kind: 'cast', arg: operand(from, as), type: typeText(as + 1, to) }
    }
    return {
      kind: 'call',
      name,
      args: split(
        from,
        to,
        indexes.filter((index) => isSign(tokens[index], ',')),
      ),
    }
  }

  /** The text of a type, its tokens separated by blanks: `DECIMAL ( 9 , 2 )`, `TIMESTAMP WITH TIME ZONE`. */
  function typeText(from: number, to: number): string {
    const texts = tokens.slice(from, to).map((token) => (token.kind === 'column' ? '?' : token.text))
    return texts.join(' ')
  }

  return { expression }
}

function isSign(token: FilterToken | undefined, text: string): boolean {
  return token?.kind === 'sign' && token.text === text
}

function signOf(token: FilterToken | undefined): string {
  return token?.kind === 'sign' ? token.text : ''
}

function isWord(token: FilterToken | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text === text
}
