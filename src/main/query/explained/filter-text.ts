import { NEGATION } from '../../../plan/condition/bounds.ts'
import { all, any, negation, unlessTrue } from '../../../plan/condition/combine.ts'
import type { Comparison } from '../../../plan/condition/compare.ts'
import {
  between,
  type Condition,
  FALSE,
  isNotNull,
  isNull,
  TRUE,
  within,
} from '../../../plan/condition/condition.ts'
import { testOf } from '../../../plan/condition/test.ts'
import { isServiceError } from '../../../plan/errors.ts'
import type { Geometry } from '../../../plan/geometry/geometry.ts'
import { parseWkt } from '../../../plan/geometry/parse-wkt.ts'
import type { FilterText } from '../../../plan/statement/statement.ts'
import { type Field, isNested, type Schema } from '../../../plan/types/schema.ts'
import { beginsWith } from '../bind/filters/bind-pattern.ts'
import { MIRROR } from './comparisons.ts'
import { type CastOperand, columnOperand, compareOperand } from './filter-comparison.ts'
import { type FilterExpression, type Literal, parseFilter } from './filter-expression.ts'

/**
 * A condition on the source's columns that is implied by the filters of a scan: every row for which DuckDB finds all filters
 * true passes it, and other rows may pass as well. Null: nothing is known of the rows that pass the filters.
 */
export function impliedByFilters(texts: readonly FilterText[], { fields }: Schema): Condition | null {
  return unlessTrue(all(texts.map((text) => imply(parseFilter(text), true, fields))))
}

/**
 * A condition that holds for every row in which the expression is `truth`. Rows in which it is unknown need not pass: a filter
 * drops them.
 */
function imply(expression: FilterExpression, truth: boolean, fields: readonly Field[]): Condition {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const args = expression.args.map((arg) => imply(arg, truth, fields))
      return truth === (expression.kind === 'and') ? all(args) : any(args)
    }
    case 'not':
      return imply(expression.arg, !truth, fields)
    case 'column': {
      const value: Literal = { kind: 'literal', form: 'word', text: 'true', type: null }
      return compareWith(expression, truth ? 'eq' : 'neq', value, fields)
    }
    case 'compare': {
      const { left, right, comparison } = expression
      return compareWith(left, truth ? comparison : NEGATION[comparison], right, fields)
    }
    case 'between': {
      const { arg, low, high } = expression
      return truth
        ? range(compareWith(arg, 'gt_eq', low, fields), compareWith(arg, 'lt_eq', high, fields))
        : any([compareWith(arg, 'lt_eq', low, fields), compareWith(arg, 'gt_eq', high, fields)])
    }
    case 'is_null': {
      const operand = columnOperand(expression.arg, fields)
      return operand === null ? TRUE : nullTest(operand, truth)
    }
    case 'same':
      return same(expression.left, expression.right, truth, fields)
    case 'call':
      if (expression.name === 'st_within_point') return withinTest(expression.args, truth, fields)
      return truth && PREFIX_FUNCTIONS.has(expression.name) ? prefixTest(expression.args, fields) : TRUE
    default:
      return TRUE
  }
}

/** The condition that a comparison implies. A comparison with NULL is unknown in every row. */
function compareWith(
  left: FilterExpression,
  comparison: Comparison,
  right: FilterExpression,
  fields: readonly Field[],
): Condition {
  if (left.kind === 'literal' && right.kind !== 'literal')
    return compareWith(right, MIRROR[comparison], left, fields)
  const operand = columnOperand(left, fields)
  if (operand === null || right.kind !== 'literal') return TRUE
  return isNullLiteral(right) ? FALSE : compareOperand(operand, comparison, right)
}

/** The condition that IS NOT DISTINCT FROM implies, if it is `truth`. It is never unknown. */
function same(
  left: FilterExpression,
  right: FilterExpression,
  truth: boolean,
  fields: readonly Field[],
): Condition {
  const operand = columnOperand(left, fields)
  if (operand === null || right.kind !== 'literal') return TRUE
  if (isNullLiteral(right)) return nullTest(operand, truth)
  return truth
    ? compareOperand(operand, 'eq', right)
    : any([nullTest(operand, true), compareOperand(operand, 'neq', right)])
}

function isNullLiteral({ form, text }: Literal): boolean {
  return form === 'word' && text === 'NULL'
}

/**
 * A test for null. A cast of null is null. A cast that is null may be one of another value that has failed (`TRY_CAST`), and one that
 * fails is an error of the statement, so that such rows are not left out.
 */
function nullTest({ operand, cast }: CastOperand, truth: boolean): Condition {
  if (isNested(operand.type) || (truth && cast !== null)) return TRUE
  return truth ? isNull(operand) : isNotNull(operand)
}

/** A range as one condition `between`, if both bounds are comparisons with values of the operand's type. */
export function range(from: Condition, to: Condition): Condition {
  const [low, high] = [testOf(from), testOf(to)]
  if (low.op !== 'compare' || low.comparison !== 'gt_eq') return all([from, to])
  if (high.op !== 'compare' || high.comparison !== 'lt_eq') return all([from, to])
  return between(low.operand, low.value, high.value)
}

/** The functions that DuckDB calls for `LIKE 'a%'` and for `starts_with`. */
const PREFIX_FUNCTIONS: ReadonlySet<string> = new Set(['prefix', 'starts_with'])

/** The condition of a call of one of them. `TRUE`: nothing is known of it. */
function prefixTest([text, beginning]: readonly FilterExpression[], fields: readonly Field[]): Condition {
  const operand = text === undefined ? null : columnOperand(text, fields)
  if (operand === null || beginning?.kind !== 'literal') return TRUE
  const from = compareOperand(operand, 'gt_eq', beginning)
  const test = testOf(from)
  if (test.op !== 'compare' || test.value.kind !== 'bytes' || test.value.value.length === 0) return from
  return beginsWith(test.operand, test.value.value)
}

/**
 * The condition that a call of `st_within_point` implies if it is `truth`. `TRUE`: nothing is known of it. The core tests the points of a
 * call too, so that the condition is true for the same rows.
 */
function withinTest(
  [wkt, ...coordinates]: readonly FilterExpression[],
  truth: boolean,
  fields: readonly Field[],
): Condition {
  if (wkt?.kind !== 'literal' || wkt.form !== 'string' || wkt.type !== null) return TRUE
  const [longitude, latitude] = coordinates.map((each) => {
    const column = columnOperand(each, fields)
    // Integers and floats become a DOUBLE in the same way in both engines.
    const isCast = column !== null && (column.cast === null || column.cast === 'DOUBLE')
    return isCast && ['int', 'float'].includes(column.operand.type.kind) ? column.operand : null
  })
  const geometry = geometryOf(wkt.text)
  if (!longitude || !latitude || geometry === null) return TRUE
  const test = within(longitude, latitude, geometry)
  return truth ? test : negation(test)
}

function geometryOf(text: string): Geometry | null {
  try {
    return parseWkt(text)
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}
