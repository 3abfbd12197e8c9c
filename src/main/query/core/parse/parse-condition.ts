import { isServiceError } from '../../../../plan/errors.ts'
import { geojsonAsWkt } from '../../../../plan/geometry/geojson-as-wkt.ts'
import { parseWkt } from '../../../../plan/geometry/parse-wkt.ts'
import type { Comparison, Geometry } from '../../../../plan/predicate/predicate.ts'
import { parseList } from '../../../sql/text/parse-list.ts'
import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { isSign, type Token, wordOf } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'
import { COMPARISONS, MIRROR } from '../../explained/comparisons.ts'
import type { Condition, Literal, Value } from './ast.ts'
import { expectString, parseLiteral } from './parse-literal.ts'
import { parseValue } from './parse-value.ts'

/** How deep brackets and NOT may be nested: as deep as filters in the JSON language. */
const MOST_DEEP = 64

/** Parses a condition of WHERE or HAVING: comparisons of values with literals, joined by AND, OR and NOT. */
export function parseCondition(reader: TokenReader, depth = 0): Condition {
  return parseSeries(reader, 'OR', () => parseSeries(reader, 'AND', () => parseNegation(reader, depth)))
}

function parseSeries(reader: TokenReader, word: 'AND' | 'OR', parseOne: () => Condition): Condition {
  const args = [parseOne()]
  while (reader.takeWords(word)) args.push(parseOne())
  const [only = parseOne()] = args
  return args.length === 1 ? only : { kind: word === 'AND' ? 'and' : 'or', args }
}

function parseNegation(reader: TokenReader, depth: number): Condition {
  if (depth > MOST_DEEP) decline(`a condition nested more than ${MOST_DEEP} deep`, reader.at())
  if (reader.takeWords('NOT')) return { kind: 'not', arg: parseNegation(reader, depth + 1) }
  if (!reader.takeSign('(')) return parseTest(reader)
  const condition = parseCondition(reader, depth + 1)
  reader.expectSign(')')
  return condition
}

function parseTest(reader: TokenReader): Condition {
  const within = parseWithin(reader)
  if (within !== null) return within
  const literal = parseLiteral(reader)
  if (literal !== null) return parseAfterLiteral(reader, literal)
  const value = parseValue(reader)
  if (reader.takeWords('IS')) {
    const isNot = reader.takeWords('NOT')
    if (!reader.takeWords('NULL')) reader.unexpected()
    return negate({ kind: 'is_null', value }, isNot)
  }
  const isNot = reader.takeWords('NOT')
  if (reader.takeWords('BETWEEN')) {
    const low = expectLiteral(reader)
    if (!reader.takeWords('AND')) reader.unexpected()
    return negate({ kind: 'between', value, low, high: expectLiteral(reader) }, isNot)
  }
  if (reader.takeWords('IN')) return negate({ kind: 'in', value, literals: parseLiterals(reader) }, isNot)
  if (isNot) reader.unexpected()
  const comparison = takeComparison(reader)
  if (comparison === null) return { kind: 'flag', value }
  return { kind: 'compare', value, comparison, literal: expectLiteral(reader) }
}

function negate(arg: Condition, isNot: boolean): Condition {
  return isNot ? { kind: 'not', arg } : arg
}

/** Parses a condition that begins with a literal: `5 < c`, `1 = 1`, `TRUE`. */
function parseAfterLiteral(reader: TokenReader, literal: Literal): Condition {
  const comparison = takeComparison(reader)
  if (comparison === null) {
    if (literal.form !== 'boolean') decline('a literal as a condition', literal.at)
    return { kind: 'constant', value: literal.text === 'true' }
  }
  const other = parseLiteral(reader)
  if (other === null) {
    const value: Value = parseValue(reader)
    return { kind: 'compare', value, comparison: MIRROR[comparison], literal }
  }
  // Only integers without a sign or leading zeros are compared here, as in `1 = 1`: they are equal if their texts are.
  const isSimple = comparison === 'eq' && [literal, other].every(({ text }) => /^[1-9]\d{0,8}$/.test(text))
  if (!isSimple) decline('a comparison of two literals', literal.at)
  return { kind: 'constant', value: literal.text === other.text }
}

function parseLiterals(reader: TokenReader): readonly Literal[] {
  reader.expectSign('(')
  const literals = parseList(reader, expectLiteral)
  reader.expectSign(')')
  return literals
}

function expectLiteral(reader: TokenReader): Literal {
  const at = reader.at()
  const token = reader.peek()
  const literal = parseLiteral(reader)
  if (literal !== null) return literal
  if (token?.kind === 'word' || token?.kind === 'quoted') {
    if (reader.isWord('NULL') || reader.isWord('SELECT')) reader.unexpected()
    decline(`"${token.text}" where a literal is expected`, at)
  }
  return reader.unexpected()
}

const OPERATOR = /^[-+*/<>=~!@#%^&|?]$/

/**
 * Takes a comparison operator. Null: none comes next. As in DuckDB, the operator is the longest run of signs without blanks
 * between them. A minus at its end is the sign of a number, unless the run contains `!`.
 */
function takeComparison(reader: TokenReader): Comparison | null {
  const signs: Token[] = []
  for (let token = reader.peek(); isOperator(token); token = reader.peek(signs.length)) {
    const previous = signs.at(-1)
    if (previous !== undefined && previous.end !== token.start) break
    signs.push(token)
  }
  const text = signs.map((token) => token.text).join('')
  if (text === '') return null
  const operator = text.includes('!') ? text : text.replace(/(?<=.)-$/, '')
  const comparison = COMPARISONS.get(operator)
  if (comparison === undefined) decline(`an expression with ${text}`, signs[0]?.start)
  for (const _ of operator) reader.next()
  return comparison
}

function isOperator(token: Token | undefined): token is Token {
  return token?.kind === 'sign' && OPERATOR.test(token.text)
}

/**
 * Parses `st_within_point('…', longitude, latitude)`, of which the text may be `st_geojson_as_wkt('…')`. Null: something else comes
 * next. A text that is no geometry is declined, so that DuckDB says what is wrong with it.
 */
function parseWithin(reader: TokenReader): Extract<Condition, { kind: 'within' }> | null {
  if (!isCall(reader, 'ST_WITHIN_POINT')) return null
  const at = reader.at()
  reader.next()
  reader.expectSign('(')
  const geometry = parseGeometry(reader)
  reader.expectSign(',')
  const longitude = parseValue(reader)
  reader.expectSign(',')
  const latitude = parseValue(reader)
  reader.expectSign(')')
  return { kind: 'within', geometry, longitude, latitude, at }
}

function isCall(reader: TokenReader, name: string): boolean {
  return wordOf(reader.peek()) === name && isSign(reader.peek(1), '(')
}

function parseGeometry(reader: TokenReader): Geometry {
  const at = reader.at()
  const isGeojson = isCall(reader, 'ST_GEOJSON_AS_WKT')
  if (isGeojson) {
    reader.next()
    reader.expectSign('(')
  }
  if (reader.peek()?.kind !== 'string') decline('a geometry that is no literal', at)
  const text = expectString(reader)
  if (isGeojson) reader.expectSign(')')
  try {
    return parseWkt(isGeojson ? geojsonAsWkt(text) : text)
  } catch (error) {
    if (isServiceError(error)) decline('a text that is no geometry', at)
    throw error
  }
}
