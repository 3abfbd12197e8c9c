import type { Comparison, Operand, Predicate } from '../../../../plan/predicate/predicate.ts'
import { type DataType, SECOND_DIGITS, typeName } from '../../../../plan/types/schema.ts'
import { MOST_DIGITS } from '../../../query/bind/column-type.ts'
import { decline } from '../../../query/bind/declined.ts'
import { compareOperand, duckType, type TimeType } from '../../explained/filter-comparison.ts'
import type { Literal as WrittenLiteral } from '../../explained/filter-expression.ts'
import type { Literal } from '../parse/ast.ts'

/** A literal as DuckDB compares it with a column, and the type that it casts the column to. */
interface Compared {
  readonly cast: string | null
  readonly literal: WrittenLiteral
}

/**
 * How an operand compares with the literals of one test, for which DuckDB finds one type. What it gives is exact: true,
 * false or unknown where DuckDB says so.
 */
export function comparisonWith<O extends Operand>(
  operand: O,
  literals: readonly Literal[],
): (comparison: Comparison, literal: Literal) => Predicate<O> {
  const read = readerOf(operand.type, literals)
  return (comparison, literal) => {
    const as = read?.(literal)
    const predicate = as && compareOperand({ operand, cast: as.cast }, comparison, as.literal)
    if (!predicate || predicate.op === 'constant') return unlike(operand.type, literal)
    return predicate
  }
}

/** How each of the literals is compared with a column; null: none of them is by the core. */
function readerOf(
  type: DataType,
  literals: readonly Literal[],
): ((literal: Literal) => Compared | null) | null {
  switch (type.kind) {
    case 'bool':
      return ({ form, text }) => (form === 'boolean' ? asItIs(written('word', text)) : null)
    case 'utf8':
      return ({ form, text }) => (form === 'string' ? asItIs(written('string', text)) : null)
    case 'date':
    case 'time':
    case 'timestamp':
      return (literal) => comparedTime(type, literal)
    case 'int':
    case 'decimal':
    case 'float':
      return literals.every(isNumber) ? numberReader(type, literals) : null
    default:
      return null
  }
}

type NumberType = Extract<DataType, { kind: 'int' | 'decimal' | 'float' }>

function numberReader(
  type: NumberType,
  literals: readonly Literal[],
): ((literal: Literal) => Compared) | null {
  const isDouble = literals.some(({ form }) => form === 'double')
  const asFloats = (bits: 32 | 64, cast: string | null) => (literal: Literal) => ({
    cast,
    literal: written('number', String(asFloat(literal, bits))),
  })
  const exactly = ({ text }: Literal): Compared => asItIs(written('number', text))
  switch (type.kind) {
    case 'int':
      if (isDouble) return asFloats(64, 'DOUBLE')
      return areDecimals(INTEGER_DIGITS[type.bits], 0, literals) ? exactly : null
    case 'decimal':
      if (isDouble) return null
      return areDecimals(type.precision - type.scale, type.scale, literals) ? exactly : null
    case 'float':
      if (type.bits === 64) return asFloats(64, null)
      return isDouble ? asFloats(64, 'DOUBLE') : asFloats(32, null)
  }
}

function asItIs(literal: WrittenLiteral): Compared {
  return { cast: null, literal }
}

function written(form: WrittenLiteral['form'], text: string, type: string | null = null): WrittenLiteral {
  return { kind: 'literal', form, text, type }
}

function isNumber({ form }: Literal): boolean {
  return form === 'integer' || form === 'decimal' || form === 'double'
}

/** Digits of the DECIMAL that DuckDB makes of an integer of so many bits, at most. */
const INTEGER_DIGITS = Object.freeze({ 8: 3, 16: 5, 32: 10, 64: 20 })

/** Whether the DECIMAL that holds column and literals alike has room for all of their digits, so that no cast fails. */
function areDecimals(digits: number, scale: number, literals: readonly Literal[]): boolean {
  const sizes = literals.map(({ form, text }) => {
    const [whole = '', fraction = ''] = text.replace('-', '').split('.')
    if (form === 'integer') return { digits: whole.length < 10 ? 10 : Math.max(20, whole.length), scale: 0 }
    return { digits: whole.length, scale: fraction.length }
  })
  // Integers among themselves are no decimals.
  if (scale === 0 && literals.every(({ form }) => form === 'integer'))
    return sizes.every((size) => size.digits < MOST_DIGITS)
  const most = sizes.reduce((sum, size) => Math.max(sum, size.digits), digits)
  return most + sizes.reduce((sum, size) => Math.max(sum, size.scale), scale) <= MOST_DIGITS
}

/** Bits of a float's fraction, its leading one included. */
const SIGNIFICANT = Object.freeze({ 32: 2n ** 24n, 64: 2n ** 53n })

/** What DuckDB casts a number to: an exact DECIMAL is divided, so that it need not be the nearest float. */
function asFloat(literal: Literal, bits: 32 | 64): number {
  const { form, text } = literal
  const round = bits === 32 ? Math.fround : (value: number) => value
  if (form === 'double') {
    const value = Number(text)
    // What rounds to infinity or to zero is left to DuckDB.
    const isNear = Number.isFinite(value) && (value !== 0 || !/[1-9]/.test(text.replace(/e.*/i, '')))
    return isNear ? round(value) : decline(`the literal ${text}`, literal.at)
  }
  const [whole = '', fraction = ''] = text.split('.')
  // Of more than 18 digits it may be no 64-bit integer, and beyond 2^53 a rounded double is rounded once more.
  const digits = whole.replace('-', '').length + fraction.length
  const unscaled = digits > 18 ? null : BigInt(whole + fraction)
  const magnitude = unscaled !== null && unscaled < 0n ? -unscaled : unscaled
  if (unscaled === null || magnitude === null || (bits === 32 && magnitude > SIGNIFICANT[64]))
    return decline(`the literal ${text} as a float`, literal.at)
  const power = round(10 ** fraction.length)
  if (magnitude <= SIGNIFICANT[bits] || fraction === '') return round(round(Number(unscaled)) / power)
  const one = 10n ** BigInt(fraction.length)
  return round(round(Number(unscaled / one)) + round(round(Number(unscaled % one)) / power))
}

const DATE = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d\d:\d\d:\d\d(?:\.(?<fraction>\d{1,9}))?$/
const TIMESTAMP = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.(?<fraction>\d{1,9}))?Z?)?)?$/

/** A text is read in the type of the column; a literal of its own type is finer than most columns. */
function comparedTime(type: TimeType, literal: Literal): Compared | null {
  const { form, text } = literal
  const own = written('string', text, duckType(type))
  const isRead = (pattern: RegExp, digits: number): boolean => {
    const match = pattern.exec(text)
    return match !== null && (match.groups?.['fraction'] ?? '').length <= digits
  }
  if (form === 'date' || (type.kind === 'date' && form === 'string'))
    return isRead(DATE, 0) && type.kind !== 'time' ? { cast: null, literal: own } : null
  switch (type.kind) {
    case 'time':
      return (form === 'time' || form === 'string') && isRead(TIME, 6) ? { cast: null, literal: own } : null
    case 'date':
      return form === 'timestamp' && isRead(TIMESTAMP, 6)
        ? { cast: 'TIMESTAMP', literal: written('string', text, 'TIMESTAMP') }
        : null
    case 'timestamp': {
      const isText = form === 'string' && isRead(TIMESTAMP, SECOND_DIGITS[type.unit])
      return isText || (form === 'timestamp' && isRead(TIMESTAMP, 6)) ? { cast: null, literal: own } : null
    }
  }
}

function unlike(type: DataType, { text, at }: Literal): never {
  return decline(`the comparison of ${typeName(type)} with ${text.slice(0, 40)}`, at)
}
