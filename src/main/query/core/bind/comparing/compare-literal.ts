import type { Comparison } from '../../../../../plan/condition/compare.ts'
import { type Condition, TRUE } from '../../../../../plan/condition/condition.ts'
import type { TypedExpression } from '../../../../../plan/expression.ts'
import { type DataType, SECOND_DIGITS, typeName } from '../../../../../plan/types/schema.ts'
import { parseUuid } from '../../../../../plan/types/uuid.ts'
import { MOST_DIGITS } from '../../../bind/column-type.ts'
import { decline } from '../../../bind/declined.ts'
import { isNumber, type Literal } from '../../../bind/expressions/literal.ts'
import { asFloat } from '../../../bind/expressions/literal-float.ts'
import { compareOperand, duckType, type TimeType } from '../../../explained/filter-comparison.ts'
import type { Literal as WrittenLiteral } from '../../../explained/filter-expression.ts'
import { ZONED_TIMESTAMP } from '../../../explained/timestamp-type.ts'

/** A literal as DuckDB compares it with a column. */
interface Compared {
  /** The type that DuckDB casts the column to before it compares. Null: it is not cast. */
  readonly cast: string | null
  readonly literal: WrittenLiteral
}

/**
 * Compares an operand with the literals of one condition, for which DuckDB chooses one type together. The conditions are true,
 * false or unknown exactly where DuckDB's comparisons are.
 */
export function comparisonWith(
  operand: TypedExpression,
  literals: readonly Literal[],
): (comparison: Comparison, literal: Literal) => Condition {
  const read = readerOf(operand.type, literals)
  return (comparison, literal) => {
    const as = read?.(literal)
    const condition = as && compareOperand({ operand, cast: as.cast }, comparison, as.literal)
    if (!condition || condition === TRUE) return unlike(operand.type, literal)
    return condition
  }
}

/** Gives the literals as they are compared with a column of the type. Null: the core does not compare them. */
function readerOf(
  type: DataType,
  literals: readonly Literal[],
): ((literal: Literal) => Compared | null) | null {
  switch (type.kind) {
    case 'bool':
      return ({ form, text }) => (form === 'boolean' ? asItIs(written('word', text)) : null)
    case 'utf8':
      return ({ form, text }) => (form === 'string' ? asItIs(written('string', text)) : null)
    case 'uuid':
      return ({ form, text }) =>
        form === 'string' && parseUuid(text) !== null ? asItIs(written('string', text, 'UUID')) : null
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

/** The most digits of the DECIMAL that DuckDB casts an integer to, by the integer's bits. */
const INTEGER_DIGITS = Object.freeze({ 8: 3, 16: 5, 32: 10, 64: 20 })

/** Whether DuckDB compares column and literals as a DECIMAL that has enough digits for all of them, so that no cast fails. */
function areDecimals(digits: number, scale: number, literals: readonly Literal[]): boolean {
  const sizes = literals.map(({ form, text }) => {
    const [whole = '', fraction = ''] = text.replace('-', '').split('.')
    if (form === 'integer') return { digits: whole.length < 10 ? 10 : Math.max(20, whole.length), scale: 0 }
    return { digits: whole.length, scale: fraction.length }
  })
  // Integers alone are compared as integers, not as DECIMAL.
  if (scale === 0 && literals.every(({ form }) => form === 'integer'))
    return sizes.every((size) => size.digits < MOST_DIGITS)
  const most = sizes.reduce((sum, size) => Math.max(sum, size.digits), digits)
  return most + sizes.reduce((sum, size) => Math.max(sum, size.scale), scale) <= MOST_DIGITS
}

const DATE = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d\d:\d\d:\d\d(?:\.(?<fraction>\d{1,9}))?$/
const TIMESTAMP = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.(?<fraction>\d{1,9}))?Z?)?)?$/

/**
 * The literal that a column of dates or times is compared with. A string is cast to the column's type, so it must not have more
 * digits than that. A DATE or TIMESTAMP literal keeps its own type where that is finer.
 */
function comparedTime(type: TimeType, literal: Literal): Compared | null {
  const { form, text } = literal
  const typedLiteral = written('string', text, duckType(type))
  const isRead = (pattern: RegExp, digits: number): boolean => {
    const match = pattern.exec(text)
    return match !== null && (match.groups?.['fraction'] ?? '').length <= digits
  }
  if (form === 'date' || (type.kind === 'date' && form === 'string'))
    return isRead(DATE, 0) && type.kind !== 'time' ? { cast: null, literal: typedLiteral } : null
  if (form === 'instant') return comparedInstant(type, text)
  switch (type.kind) {
    case 'time':
      return (form === 'string' && isRead(TIME, SECOND_DIGITS[type.unit])) ||
        (form === 'time' && isRead(TIME, 6))
        ? { cast: null, literal: typedLiteral }
        : null
    case 'date':
      return form === 'timestamp' && isRead(TIMESTAMP, 6)
        ? { cast: 'TIMESTAMP', literal: written('string', text, 'TIMESTAMP') }
        : null
    case 'timestamp': {
      const isText = form === 'string' && isRead(TIMESTAMP, SECOND_DIGITS[type.unit])
      return isText || (form === 'timestamp' && isRead(TIMESTAMP, 6))
        ? { cast: null, literal: typedLiteral }
        : null
    }
  }
}

/** A time with a zone, with which DuckDB compares times without one as times in UTC. */
function comparedInstant(type: TimeType, text: string): Compared | null {
  if (type.kind !== 'timestamp' || type.unit === 'nanosecond') return null
  const literal = written('string', `${text}Z`, ZONED_TIMESTAMP)
  return { cast: type.zone === null ? ZONED_TIMESTAMP : null, literal }
}

function unlike(type: DataType, { text, at }: Literal): never {
  return decline(`the comparison of ${typeName(type)} with ${text.slice(0, 40)}`, at)
}
