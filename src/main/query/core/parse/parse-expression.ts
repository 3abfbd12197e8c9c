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

/** An expression that is being parsed. One object for all of it, since a function for each part would be made anew for each expression. */
interface Parsing {
  readonly reader: TokenReader
  /** Parses a query that stands in brackets in place of a value. */
  parseQuery(): Select
  /** Parses what is in brackets, one level deeper. */
  parseInside(): SqlExpression
  operators: number
  depth: number
}

/**
 * Parses an expression by DuckDB's precedence: OR, AND, NOT, IS, comparisons, BETWEEN and IN, sums, products, powers, signs, casts.
 * What it does not read is left for the caller. `parseQuery` parses a query that stands in brackets in place of a value.
 */
export function parseExpression(reader: TokenReader, parseQuery: () => Select): SqlExpression {
  const parsing: Parsing = {
    reader,
    parseQuery,
    parseInside: () => descend(parsing, parseAny),
    operators: 0,
    depth: 0,
  }
  return parseAny(parsing)
}

function call(parsing: Parsing, name: string, args: readonly SqlExpression[], at: number): Call {
  parsing.operators++
  if (parsing.operators > MOST_OPERATORS)
    decline(`an expression of more than ${MOST_OPERATORS} operators`, at)
  return { kind: 'call', name, args, at }
}

function descend<T>(parsing: Parsing, parse: (parsing: Parsing) => T): T {
  if (parsing.depth >= MOST_DEEP)
    decline(`an expression nested more than ${MOST_DEEP} deep`, parsing.reader.at())
  parsing.depth++
  const parsed = parse(parsing)
  parsing.depth--
  return parsed
}

function parseAny(parsing: Parsing): SqlExpression {
  return parseSeries(parsing, 'OR', parseAll)
}

function parseAll(parsing: Parsing): SqlExpression {
  return parseSeries(parsing, 'AND', parseNegation)
}

function parseSeries(
  parsing: Parsing,
  word: 'AND' | 'OR',
  parseOne: (parsing: Parsing) => SqlExpression,
): SqlExpression {
  const { reader } = parsing
  const at = reader.at()
  const first = parseOne(parsing)
  if (!reader.isWord(word)) return first
  const args = [first]
  while (reader.takeWords(word)) args.push(parseOne(parsing))
  return { kind: 'call', name: word.toLowerCase(), args, at }
}

function parseNegation(parsing: Parsing): SqlExpression {
  const { reader } = parsing
  const at = reader.at()
  if (reader.takeWords('NOT'))
    return { kind: 'call', name: 'not', args: [descend(parsing, parseNegation)], at }
  return parseTest(parsing)
}

function parseTest(parsing: Parsing): SqlExpression {
  const { reader } = parsing
  const at = reader.at()
  let tested = parseComparison(parsing)
  for (;;) {
    if (reader.takeWords('ISNULL')) tested = call(parsing, 'is_null', [tested], at)
    else if (reader.takeWords('NOTNULL')) tested = call(parsing, 'is_not_null', [tested], at)
    else if (reader.takeWords('IS')) {
      const isNot = reader.takeWords('NOT')
      if (reader.takeWords('NULL')) tested = call(parsing, isNot ? 'is_not_null' : 'is_null', [tested], at)
      else if (reader.takeWords('DISTINCT', 'FROM')) {
        const name = isNot ? 'is_not_distinct_from' : 'is_distinct_from'
        tested = call(parsing, name, [tested, parseComparison(parsing)], at)
      } else return reader.unexpected()
    } else return tested
  }
}

function parseComparison(parsing: Parsing): SqlExpression {
  const { reader } = parsing
  const at = reader.at()
  const first = parseRange(parsing)
  const operator = takeOperator(reader, COMPARISONS)
  if (operator !== null) return call(parsing, operator, [first, parseRange(parsing)], at)
  const other = nextOperator(reader)
  if (other !== null && !reader.isSign('=') && !COMPARISONS.has(other))
    decline(`an expression with ${other}`, reader.at())
  return first
}

function parseRange(parsing: Parsing): SqlExpression {
  const { reader } = parsing
  const at = reader.at()
  const value = parseOther(parsing)
  const isNot = reader.takeWords('NOT')
  if (reader.takeWords('BETWEEN')) {
    const low = parseOther(parsing)
    if (!reader.takeWords('AND')) reader.unexpected()
    return negate(call(parsing, 'between', [value, low, parseOther(parsing)], at), isNot)
  }
  const isLike = reader.takeWords('LIKE')
  if (isLike || reader.takeWords('ILIKE')) {
    const name = `${isNot ? '!' : ''}~~${isLike ? '' : '*'}`
    const like = call(parsing, name, [value, parseOther(parsing)], at)
    return reader.isWord('ESCAPE') ? decline('LIKE with ESCAPE', reader.at()) : like
  }
  if (reader.takeWords('IN')) {
    reader.expectSign('(')
    const options = parseList(reader, parsing.parseInside)
    reader.expectSign(')')
    return call(parsing, isNot ? 'not_in' : 'in', [value, ...options], at)
  }
  return isNot ? reader.unexpected() : value
}

function parseChain(
  parsing: Parsing,
  signs: ReadonlyMap<string, string>,
  parseOne: (parsing: Parsing) => SqlExpression,
): SqlExpression {
  const at = parsing.reader.at()
  let first = parseOne(parsing)
  for (;;) {
    const operator = takeOperator(parsing.reader, signs)
    if (operator === null) return first
    first = call(parsing, operator, [first, parseOne(parsing)], at)
  }
}

function parseOther(parsing: Parsing): SqlExpression {
  return parseChain(parsing, OTHERS, parseSum)
}

function parseSum(parsing: Parsing): SqlExpression {
  return parseChain(parsing, SUMS, parseProduct)
}

function parseProduct(parsing: Parsing): SqlExpression {
  return parseChain(parsing, PRODUCTS, parsePower)
}

function parsePower(parsing: Parsing): SqlExpression {
  return parseChain(parsing, POWERS, parseInZone)
}

/** `time AT TIME ZONE zone`, which DuckDB prints as a call. */
function parseInZone(parsing: Parsing): SqlExpression {
  const { reader } = parsing
  const at = reader.at()
  let value = parseSigned(parsing)
  while (reader.takeWords('AT', 'TIME', 'ZONE'))
    value = { ...call(parsing, 'timezone', [parseSigned(parsing), value], at), hasForm: true }
  return value
}

function parseSigned(parsing: Parsing): SqlExpression {
  const { reader } = parsing
  const at = reader.at()
  if (nextOperator(reader) !== '-' && !reader.isSign('-')) return parseCast(parsing)
  reader.next()
  const arg = descend(parsing, parseSigned)
  return (arg.kind === 'literal' ? negativeOf(arg, at) : null) ?? call(parsing, '-', [arg], at)
}

function parseCast(parsing: Parsing): SqlExpression {
  const { reader } = parsing
  const at = reader.at()
  let value = parsePrimary(parsing)
  while (reader.takeSign('::')) value = { ...call(parsing, 'cast', [value], at), to: parseType(reader) }
  return value
}

function parsePrimary(parsing: Parsing): SqlExpression {
  const { reader, parseInside } = parsing
  const literal = parseLiteral(reader)
  if (literal !== null) return literal
  const at = reader.at()
  if (reader.takeSign('(')) {
    const inner = reader.isWord('SELECT') ? parseSubquery(parsing, at) : parseInside()
    reader.expectSign(')')
    return inner
  }
  if (reader.isWord('CASE')) return parseChoice(parsing)
  if (!isSign(reader.peek(1), '(')) return parseColumn(reader)
  if (reader.isWord('EXISTS')) decline('EXISTS', at)
  return (
    parseWithin(reader, parseInside) ??
    parseWrittenCast(parsing) ??
    parseExtract(parsing) ??
    parseTextForm(reader, parseInside, () => descend(parsing, parseOther)) ??
    parseCalled(parsing)
  )
}

function parseSubquery(parsing: Parsing, at: number): SqlExpression {
  return { kind: 'subquery', select: descend(parsing, parsing.parseQuery), at }
}

function parseChoice(parsing: Parsing): SqlExpression {
  const { reader, parseInside } = parsing
  const at = reader.at()
  reader.next()
  const subject = reader.isWord('WHEN') ? null : parseInside()
  const args: SqlExpression[] = []
  while (reader.takeWords('WHEN')) {
    const whenAt = reader.at()
    const condition = parseInside()
    args.push(subject === null ? condition : call(parsing, '=', [subject, condition], whenAt))
    if (!reader.takeWords('THEN')) reader.unexpected()
    args.push(parseInside())
  }
  if (args.length === 0) reader.unexpected()
  const endAt = reader.at()
  args.push(
    reader.takeWords('ELSE') ? parseInside() : { kind: 'literal', form: 'null', text: 'NULL', at: endAt },
  )
  if (!reader.takeWords('END')) reader.unexpected()
  return call(parsing, 'case', args, at)
}

function parseWrittenCast(parsing: Parsing): SqlExpression | null {
  const { reader } = parsing
  const at = reader.at()
  const isTry = reader.isWord('TRY_CAST')
  if (!(isTry || reader.isWord('CAST'))) return null
  reader.next()
  reader.next()
  const arg = parsing.parseInside()
  if (!reader.takeWords('AS')) reader.unexpected()
  const to = parseType(reader)
  reader.expectSign(')')
  return { ...call(parsing, isTry ? 'try_cast' : 'cast', [arg], at), to }
}

/** `extract(month FROM t)`, which is `date_part('month', t)`. */
function parseExtract(parsing: Parsing): SqlExpression | null {
  const { reader } = parsing
  const at = reader.at()
  if (!reader.isWord('EXTRACT')) return null
  reader.next()
  reader.next()
  const part = parseLiteral(reader) ?? partName(reader)
  if (!reader.takeWords('FROM')) reader.unexpected()
  const arg = parsing.parseInside()
  reader.expectSign(')')
  return call(parsing, 'extract', [part, arg], at)
}

function parseCalled(parsing: Parsing): SqlExpression {
  const { reader, parseInside } = parsing
  const aggregate = parseAggregate(reader, parseInside)
  if (aggregate !== null) return aggregate
  const at = reader.at()
  const { kind, text } = reader.next()
  if (kind !== 'word' || OPERATORS.has(text.toLowerCase())) decline(`the function "${text}"`, at)
  reader.expectSign('(')
  const args = reader.isSign(')') ? [] : parseList(reader, parseInside)
  reader.expectSign(')')
  if (reader.isWord('OVER')) decline('a window function', reader.at())
  return call(parsing, text.toLowerCase(), args, at)
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
