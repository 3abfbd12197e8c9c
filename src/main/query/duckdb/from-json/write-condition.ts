import { type Comparison, SQL_OPERATORS } from '../../../../plan/condition/compare.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import type { Match } from '../../../../plan/condition/pattern.ts'
import { type TestOf, testOf } from '../../../../plan/condition/test.ts'
import { ServiceError } from '../../../../plan/errors.ts'
import type { TypedExpression } from '../../../../plan/expression.ts'
import { matchTestOf } from '../../../../plan/kernels/match-call.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type DataType, typeName } from '../../../../plan/types/schema.ts'
import { MOST_DIGITS } from '../../bind/column-type.ts'
import { printValue } from '../../explain/print-scalar.ts'
import { FINE_TIME } from '../../explained/filter-tokens.ts'
import { timestampType } from '../../explained/timestamp-type.ts'
import { writeConstant, writeText } from './write.ts'

/** Writes a condition in SQL. `sqlOf` writes an operand. Throws `not_supported` for a geometry. */
export function writeCondition(condition: Condition, sqlOf: (operand: TypedExpression) => string): string {
  const write = (part: Condition): string => writeCondition(part, sqlOf)
  const test = testOf(condition)
  switch (test.op) {
    case 'and':
    case 'or':
      return `(${test.args.map(write).join(` ${test.op.toUpperCase()} `)})`
    case 'not':
      return `(NOT ${write(test.arg)})`
    case 'constant':
      return String(test.value)
    case 'within':
      throw new ServiceError(
        'not_supported',
        'A geometry is compared with columns of files, in a filter of its own, not with what a function gives.',
      )
  }
  const operand = writeOperand(test.operand, sqlOf)
  const { type } = test.operand
  const compare = (comparison: Comparison, value: Scalar): string => {
    const side = sideOf(value, type)
    if (side !== null) return writeWhereNotNull(operand, holds(comparison, side))
    return `(${operand} ${SQL_OPERATORS[comparison]} ${writeScalar(value, type)})`
  }
  switch (test.op) {
    case 'is_null':
      return `(${operand} IS NULL)`
    case 'is_not_null':
      return `(${operand} IS NOT NULL)`
    case 'compare':
      return isTruth(test) ? operand : compare(test.comparison, test.value)
    case 'between': {
      const { low, high } = test
      if (sideOf(low, type) !== null || sideOf(high, type) !== null)
        return `(${compare('gt_eq', low)} AND ${compare('lt_eq', high)})`
      return `(${operand} BETWEEN ${writeScalar(low, type)} AND ${writeScalar(high, type)})`
    }
    case 'in': {
      const values = test.values.filter((value) => sideOf(value, type) === null)
      if (values.length === 0) return writeWhereNotNull(operand, false)
      return `(${operand} IN (${values.map((value) => writeScalar(value, type)).join(', ')}))`
    }
  }
}

/** What is compared, which may be whether a text matches a pattern. */
function writeOperand(operand: TypedExpression, sqlOf: (operand: TypedExpression) => string): string {
  const test = matchTestOf(operand)
  if (test === null) return sqlOf(operand)
  const text = test.operand.kind === 'constant' ? writeConstant(test.operand) : sqlOf(test.operand)
  return writeMatch(text, test.match, writeText(test.pattern))
}

/** Whether a test of a pattern is to be true, as a condition has it. */
function isTruth({ operand, comparison, value }: TestOf<'compare'>): boolean {
  return matchTestOf(operand) !== null && comparison === 'eq' && value.kind === 'bool' && value.value
}

function writeWhereNotNull(operand: string, value: boolean): string {
  return `(CASE WHEN ${operand} IS NOT NULL THEN ${value} END)`
}

function writeMatch(operand: string, match: Match, pattern: string): string {
  switch (match) {
    case 'like':
      return `(${operand} LIKE ${pattern})`
    case 'ilike':
      return `(${operand} ILIKE ${pattern})`
    case 'regex':
      return `regexp_matches(${operand}, ${pattern})`
  }
}

/** Writes a constant that is compared with a value of the type. */
function writeScalar(scalar: Scalar, type: DataType): string {
  if (scalar.kind !== 'bytes' || type.kind === 'uuid')
    return `CAST('${printValue(scalar, type)}' AS ${castType(scalar, type)})`
  if (type.kind === 'utf8') return writeText(Buffer.from(scalar.value).toString())
  return `from_hex('${Buffer.from(scalar.value).toString('hex')}')`
}

/** The type that a constant is cast to. It is wider than `type` where the constant may be out of that type's range. */
function castType(scalar: Scalar, type: DataType): string {
  switch (type.kind) {
    case 'bool':
      return 'BOOLEAN'
    case 'uuid':
      return 'UUID'
    case 'int':
      return 'HUGEINT'
    case 'float':
      return type.bits === 32 ? 'FLOAT' : 'DOUBLE'
    case 'decimal':
      return isLong(scalar) ? 'DOUBLE' : `DECIMAL(${MOST_DIGITS}, ${type.scale})`
    case 'date':
      return 'DATE'
    case 'time':
      return type.unit === 'nanosecond' ? FINE_TIME : 'TIME'
    case 'timestamp':
      return timestampType(type)
    default:
      throw new TypeError(`a literal of type ${typeName(type)}`)
  }
}

/** Whether a constant has more digits than a decimal of DuckDB can have. */
function isLong(scalar: Scalar): boolean {
  const bound = 10n ** BigInt(MOST_DIGITS)
  return scalar.kind === 'int' && (scalar.value >= bound || scalar.value <= -bound)
}

/**
 * On which side of all values of a decimal column a constant with too many digits lies. Null for another constant or column. As a
 * DOUBLE the constant could be rounded to a value of the column.
 */
function sideOf(scalar: Scalar, type: DataType): 'above' | 'below' | null {
  if (type.kind !== 'decimal' || type.precision > MOST_DIGITS || !isLong(scalar)) return null
  return Number(scalar.value) > 0 ? 'above' : 'below'
}

/** Whether any value compares so with a constant that lies on that side of it. */
function holds(comparison: Comparison, side: 'above' | 'below'): boolean {
  return comparison === 'neq' || comparison.startsWith(side === 'above' ? 'lt' : 'gt')
}
