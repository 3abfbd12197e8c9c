import { isServiceError } from '../../../plan/errors.ts'
import type { ColumnExpression } from '../../../plan/expression.ts'
import { parseWkt } from '../../../plan/geometry/parse-wkt.ts'
import { NEGATION } from '../../../plan/predicate/bounds.ts'
import type { Comparison, Geometry, Operand, Predicate } from '../../../plan/predicate/predicate.ts'
import type { FilterText } from '../../../plan/statement/statement.ts'
import { type Field, isNested, type Schema } from '../../../plan/types/schema.ts'
import { beginsWith } from '../bind/filters/bind-pattern.ts'
import { all, any, FALSE, negation, TRUE } from '../bind/filters/combine.ts'
import { MIRROR } from './comparisons.ts'
import { type CastOperand, columnOperand, compareOperand } from './filter-comparison.ts'
import { type FilterExpression, type Literal, parseFilter } from './filter-expression.ts'

/**
 * A predicate on the source's columns that is implied by the filters of a scan: every row for which DuckDB finds all filters
 * true passes it, and other rows may pass as well. Null: nothing is known of the rows that pass the filters.
 */
export function predicateOf(texts: readonly FilterText[], { fields }: Schema): Predicate | null {
  const predicate = all(texts.map((text) => imply(parseFilter(text), true, fields)))
  return predicate.op === 'constant' && predicate.value ? null : predicate
}

/**
 * A predicate that holds for every row in which the expression is `truth`. Rows in which it is unknown need not pass: a filter
 * drops them.
 */
function imply(expression: FilterExpression, truth: boolean, fields: readonly Field[]): Predicate {
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
      return compare(expression, truth ? 'eq' : 'neq', value, fields)
    }
    case 'compare': {
      const { left, right, comparison } = expression
      return compare(left, truth ? comparison : NEGATION[comparison], right, fields)
    }
    case 'between': {
      const { arg, low, high } = expression
      return truth
        ? range(compare(arg, 'gt_eq', low, fields), compare(arg, 'lt_eq', high, fields))
        : any([compare(arg, 'lt_eq', low, fields), compare(arg, 'gt_eq', high, fields)])
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

/** The predicate that a comparison implies. A comparison with NULL is unknown in every row. */
function compare(
  left: FilterExpression,
  comparison: Comparison,
  right: FilterExpression,
  fields: readonly Field[],
): Predicate {
  if (left.kind === 'literal' && right.kind !== 'literal')
    return compare(right, MIRROR[comparison], left, fields)
  const operand = columnOperand(left, fields)
  if (operand === null || right.kind !== 'literal') return TRUE
  return isNull(right) ? FALSE : compareOperand(operand, comparison, right)
}

/** The predicate that IS NOT DISTINCT FROM implies, if it is `truth`. It is never unknown. */
function same(
  left: FilterExpression,
  right: FilterExpression,
  truth: boolean,
  fields: readonly Field[],
): Predicate {
  const operand = columnOperand(left, fields)
  if (operand === null || right.kind !== 'literal') return TRUE
  if (isNull(right)) return nullTest(operand, truth)
  return truth
    ? compareOperand(operand, 'eq', right)
    : any([nullTest(operand, true), compareOperand(operand, 'neq', right)])
}

function isNull({ form, text }: Literal): boolean {
  return form === 'word' && text === 'NULL'
}

/**
 * A test for null. A cast of null is null. A cast that is null may be one of another value that has failed (`TRY_CAST`), and one that
 * fails is an error of the statement, so that such rows are not left out.
 */
function nullTest({ operand, cast }: CastOperand<ColumnExpression>, isNull: boolean): Predicate {
  if (isNested(operand.type) || (isNull && cast !== null)) return TRUE
  return Object.freeze({ op: isNull ? 'is_null' : 'is_not_null', operand })
}

/** A range as one predicate `between`, if both bounds are comparisons with values of the operand's type. */
export function range<O extends Operand>(low: Predicate<O>, high: Predicate<O>): Predicate<O> {
  if (low.op !== 'compare' || low.comparison !== 'gt_eq') return all([low, high])
  if (high.op !== 'compare' || high.comparison !== 'lt_eq') return all([low, high])
  return Object.freeze({ op: 'between', operand: low.operand, low: low.value, high: high.value })
}

/** The functions that DuckDB calls for `LIKE 'a%'` and for `starts_with`. */
const PREFIX_FUNCTIONS: ReadonlySet<string> = new Set(['prefix', 'starts_with'])

/** The predicate of a call of one of them. `TRUE`: nothing is known of it. */
function prefixTest([text, beginning]: readonly FilterExpression[], fields: readonly Field[]): Predicate {
  const operand = text === undefined ? null : columnOperand(text, fields)
  if (operand === null || beginning?.kind !== 'literal') return TRUE
  const from = compareOperand(operand, 'gt_eq', beginning)
  if (from.op !== 'compare' || from.value.kind !== 'bytes' || from.value.value.length === 0) return from
  return beginsWith(from.operand, from.value.value)
}

/**
 * The predicate that a call of `st_within_point` implies if it is `truth`. `TRUE`: nothing is known of it. The core tests the points of a
 * call too, so that the predicate is true for the same rows.
 */
function withinTest(
  [wkt, ...coordinates]: readonly FilterExpression[],
  truth: boolean,
  fields: readonly Field[],
): Predicate {
  if (wkt?.kind !== 'literal' || wkt.form !== 'string' || wkt.type !== null) return TRUE
  const [longitude, latitude] = coordinates.map((each) => {
    const column = columnOperand(each, fields)
    // Integers and floats become a DOUBLE in the same way in both engines.
    const isCast = column !== null && (column.cast === null || column.cast === 'DOUBLE')
    return isCast && ['int', 'float'].includes(column.operand.type.kind) ? column.operand : null
  })
  const geometry = geometryOf(wkt.text)
  if (!longitude || !latitude || geometry === null) return TRUE
  const within: Predicate = Object.freeze({ op: 'within', longitude, latitude, geometry })
  return truth ? within : negation(within)
}

function geometryOf(text: string): Geometry | null {
  try {
    return parseWkt(text)
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}
