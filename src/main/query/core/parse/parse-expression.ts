import { parseList } from '../../../sql/text/parse-list.ts'
import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { isSign } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'
import type { Call, ColumnName, Select, SqlExpression } from './ast.ts'
import { parseAggregate } from './parse-aggregate.ts'
import { negativeOf, parseLiteral } from './parse-literal.ts'
import { parseTextForm } from './parse-text-form.ts'
import { parseType } from './parse-type.ts'
import { parseWithin } from './parse-within.ts'
import { nextOperator, takeOperator } from './take-operator.ts'

/** How deep brackets, NOT and signs may be nested: as deep as filters in the JSON language. */
const MOST_DEEP = 64

/** The most operators of one expression, without AND, OR and NOT. Each of them may be inside of the next. */
const MOST_OPERATORS = 500

const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['=', '='],
  ['==', '='],
  ['<>', '<>'],
  ['!=', '<>'],
  ...['<', '<=', '>', '>='].map((sign) => [sign, sign] as const),
])
/** Operators between comparisons and sums. */
const OTHERS: ReadonlyMap<string, string> = new Map(
  ['~~', '!~~', '~~*', '!~~*', '^@', '||'].map((sign) => [sign, sign]),
)
const SUMS: ReadonlyMap<string, string> = new Map(['+', '-'].map((sign) => [sign, sign]))
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['*', '*'],
  // Integers are divided to an integer (docs/reference/sql.md, "Dialect"), so that both signs mean the same.
  ['/', '//'],
  ['//', '//'],
  ['%', '%'],
])
const POWERS: ReadonlyMap<string, string> = new Map(['^', '**'].map((sign) => [sign, sign]))

/** Names of operators in the tree, which are no functions. */
const OPERATORS: ReadonlySet<string> = new Set([
  ...['and', 'or', 'not', 'is_null', 'is_not_null', 'is_distinct_from', 'is_not_distinct_from'],
  ...['between', 'in', 'not_in', 'case', 'cast', 'try_cast', 'extract'],
])

/**
 * Parses an expression by DuckDB's precedence: OR, AND, NOT, IS, comparisons, BETWEEN and IN, sums, products, powers, signs, casts.
 * What it does not read is left for the caller. `parseQuery` parses a query that stands in brackets in place of a value.
 */
export function parseExpression(reader: TokenReader, parseQuery: () => Select): SqlExpression {
  let operators = 0
  let depth = 0

  function call(name: string, args: readonly SqlExpression[], at: number): Call {
    operators++
    if (operators > MOST_OPERATORS) decline(`an expression of more than ${MOST_OPERATORS} operators`, at)
    return { kind: 'call', name, args, at }
  }

  function descend<T>(parse: () => T): T {
    if (depth >= MOST_DEEP) decline(`an expression nested more than ${MOST_DEEP} deep`, reader.at())
    depth++
    const parsed = parse()
    depth--
    return parsed
  }

  function any(): SqlExpression {
    return series('OR', () => series('AND', negation))
  }

  function series(word: 'AND' | 'OR', parseOne: () => SqlExpression): SqlExpression {
    const at = reader.at()
    const first = parseOne()
    const args = [first]
    while (reader.takeWords(word)) args.push(parseOne())
    return args.length === 1 ? first : { kind: 'call', name: word.toLowerCase(), args, at }
  }

  function negation(): SqlExpression {
    const at = reader.at()
    if (reader.takeWords('NOT')) return { kind: 'call', name: 'not', args: [descend(negation)], at }
    return test()
  }

  function test(): SqlExpression {
    const at = reader.at()
    let tested = comparison()
    for (;;) {
      if (reader.takeWords('ISNULL')) tested = call('is_null', [tested], at)
      else if (reader.takeWords('NOTNULL')) tested = call('is_not_null', [tested], at)
      else if (reader.takeWords('IS')) {
        const isNot = reader.takeWords('NOT')
        if (reader.takeWords('NULL')) tested = call(isNot ? 'is_not_null' : 'is_null', [tested], at)
        else if (reader.takeWords('DISTINCT', 'FROM'))
          tested = call(isNot ? 'is_not_distinct_from' : 'is_distinct_from', [tested, comparison()], at)
        else return reader.unexpected()
      } else return tested
    }
  }

  function comparison(): SqlExpression {
    const at = reader.at()
    const first = range()
    const operator = takeOperator(reader, COMPARISONS)
    if (operator !== null) return call(operator, [first, range()], at)
    const other = nextOperator(reader)
    if (other !== null && !reader.isSign('=') && !COMPARISONS.has(other))
      decline(`an expression with ${other}`, reader.at())
    return first
  }

  function range(): SqlExpression {
    const at = reader.at()
    const value = other()
    const isNot = reader.takeWords('NOT')
    if (reader.takeWords('BETWEEN')) {
      const low = other()
      if (!reader.takeWords('AND')) reader.unexpected()
      return negate(call('between', [value, low, other()], at), isNot)
    }
    const isLike = reader.takeWords('LIKE')
    if (isLike || reader.takeWords('ILIKE')) {
      const like = call(`${isNot ? '!' : ''}~~${isLike ? '' : '*'}`, [value, other()], at)
      return reader.isWord('ESCAPE') ? decline('LIKE with ESCAPE', reader.at()) : like
    }
    if (reader.takeWords('IN')) {
      reader.expectSign('(')
      const options = parseList(reader, () => descend(any))
      reader.expectSign(')')
      return call(isNot ? 'not_in' : 'in', [value, ...options], at)
    }
    return isNot ? reader.unexpected() : value
  }

  function chain(signs: ReadonlyMap<string, string>, parseOne: () => SqlExpression): SqlExpression {
    const at = reader.at()
    let first = parseOne()
    for (;;) {
      const operator = takeOperator(reader, signs)
      if (operator === null) return first
      first = call(operator, [first, parseOne()], at)
    }
  }

  function other(): SqlExpression {
    return chain(OTHERS, sum)
  }

  function sum(): SqlExpression {
    return chain(SUMS, () => chain(PRODUCTS, () => chain(POWERS, inZone)))
  }

  /** `time AT TIME ZONE zone`, which DuckDB prints as a call. */
  function inZone(): SqlExpression {
    const at = reader.at()
    let value = parseSigned()
    while (reader.takeWords('AT', 'TIME', 'ZONE'))
      value = { ...call('timezone', [parseSigned(), value], at), hasForm: true }
    return value
  }

  function parseSigned(): SqlExpression {
    const at = reader.at()
    if (nextOperator(reader) !== '-' && !reader.isSign('-')) return cast()
    reader.next()
    const arg = descend(parseSigned)
    return (arg.kind === 'literal' ? negativeOf(arg, at) : null) ?? call('-', [arg], at)
  }

  function cast(): SqlExpression {
    const at = reader.at()
    let value = primary()
    while (reader.takeSign('::')) value = { ...call('cast', [value], at), to: parseType(reader) }
    return value
  }

  function primary(): SqlExpression {
    const literal = parseLiteral(reader)
    if (literal !== null) return literal
    const at = reader.at()
    if (reader.takeSign('(')) {
      const inner = reader.isWord('SELECT') ? subquery(at) : descend(any)
      reader.expectSign(')')
      return inner
    }
    if (reader.isWord('EXISTS') && isSign(reader.peek(1), '(')) decline('EXISTS', at)
    if (reader.isWord('CASE')) return choice()
    return (
      parseWithin(reader, () => descend(any)) ??
      writtenCast() ??
      parseExtract() ??
      parseTextForm(
        reader,
        () => descend(any),
        () => descend(other),
      ) ??
      (isSign(reader.peek(1), '(') ? parseCalled() : parseColumn(reader))
    )
  }

  function subquery(at: number): SqlExpression {
    return { kind: 'subquery', select: descend(parseQuery), at }
  }

  function choice(): SqlExpression {
    const at = reader.at()
    reader.next()
    const subject = reader.isWord('WHEN') ? null : descend(any)
    const args: SqlExpression[] = []
    while (reader.takeWords('WHEN')) {
      const whenAt = reader.at()
      const condition = descend(any)
      args.push(subject === null ? condition : call('=', [subject, condition], whenAt))
      if (!reader.takeWords('THEN')) reader.unexpected()
      args.push(descend(any))
    }
    if (args.length === 0) reader.unexpected()
    const endAt = reader.at()
    args.push(
      reader.takeWords('ELSE') ? descend(any) : { kind: 'literal', form: 'null', text: 'NULL', at: endAt },
    )
    if (!reader.takeWords('END')) reader.unexpected()
    return call('case', args, at)
  }

  function writtenCast(): SqlExpression | null {
    const at = reader.at()
    const isTry = reader.isWord('TRY_CAST')
    if (!(isTry || reader.isWord('CAST')) || !isSign(reader.peek(1), '(')) return null
    reader.next()
    reader.next()
    const arg = descend(any)
    if (!reader.takeWords('AS')) reader.unexpected()
    const to = parseType(reader)
    reader.expectSign(')')
    return { ...call(isTry ? 'try_cast' : 'cast', [arg], at), to }
  }

  /** `extract(month FROM t)`, which is `date_part('month', t)`. */
  function parseExtract(): SqlExpression | null {
    const at = reader.at()
    if (!reader.isWord('EXTRACT') || !isSign(reader.peek(1), '(')) return null
    reader.next()
    reader.next()
    const part = parseLiteral(reader) ?? partName(reader)
    if (!reader.takeWords('FROM')) reader.unexpected()
    const arg = descend(any)
    reader.expectSign(')')
    return call('extract', [part, arg], at)
  }

  function parseCalled(): SqlExpression {
    const aggregate = parseAggregate(reader, () => descend(any))
    if (aggregate !== null) return aggregate
    const at = reader.at()
    const { kind, text } = reader.next()
    if (kind !== 'word' || OPERATORS.has(text.toLowerCase())) decline(`the function "${text}"`, at)
    reader.expectSign('(')
    const args = reader.isSign(')') ? [] : parseList(reader, () => descend(any))
    reader.expectSign(')')
    if (reader.isWord('OVER')) decline('a window function', reader.at())
    return call(text.toLowerCase(), args, at)
  }

  return any()
}

/** Parts of times that are keywords, in the singular and the plural, as DuckDB prints them. */
const PART_KEYWORDS: ReadonlyMap<string, string> = new Map([
  ...[
    ...['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond', 'microsecond', 'week', 'quarter'],
    'decade',
  ].flatMap((part) => [[part, part] as const, [`${part}s`, part] as const]),
  ['century', 'century'],
  ['centuries', 'century'],
  ['millennium', 'millennium'],
  ['millennia', 'millennium'],
])

/** A part of times that stands without quotes. */
function partName(reader: TokenReader): SqlExpression {
  const at = reader.at()
  const { kind, text } = reader.next()
  if (kind !== 'word') return decline('an extract of what is no name', at)
  return { kind: 'literal', form: 'string', text: PART_KEYWORDS.get(text.toLowerCase()) ?? text, at }
}

function negate(arg: SqlExpression, isNot: boolean): SqlExpression {
  return isNot ? { kind: 'call', name: 'not', args: [arg], at: arg.at } : arg
}

/** Parses a column, with or without the name of its table before a dot. */
function parseColumn(reader: TokenReader): ColumnName {
  const at = reader.at()
  const first = reader.expectName()
  if (reader.isSign('(')) decline(`the function "${first}"`, at)
  if (!reader.takeSign('.')) return { kind: 'column', table: null, name: first, at }
  const { kind, text } = reader.peek() ?? reader.unexpected()
  if (kind !== 'word' && kind !== 'quoted') reader.unexpected()
  reader.next()
  if (reader.isSign('.') || reader.isSign('(')) decline(`what follows "${first}"."${text}"`, reader.at())
  return { kind: 'column', table: first, name: text, at }
}
