import { all, any, negation } from '../../../../plan/condition/combine.ts'
import type { Comparison } from '../../../../plan/condition/compare.ts'
import {
  type Condition,
  FALSE,
  isNotNull,
  isNull,
  TRUE,
  within,
} from '../../../../plan/condition/condition.ts'
import type { TypedExpression } from '../../../../plan/expression.ts'
import { type DataType, typeName } from '../../../../plan/types/schema.ts'
import { decline } from '../../bind/declined.ts'
import { bindCall } from '../../bind/expressions/bind-call.ts'
import { bindComparison } from '../../bind/expressions/forms.ts'
import type { Literal } from '../../bind/expressions/literal.ts'
import { type Argument, isInRange } from '../../bind/expressions/literal-constant.ts'
import { COMPARISONS, MIRROR } from '../../explained/comparisons.ts'
import { range } from '../../explained/filter-text.ts'
import type { Call, SqlExpression, Within } from '../parse/ast.ts'
import { printLabel } from '../print/print-label.ts'
import { compareConstants } from './comparing/compare-constants.ts'
import { comparisonWith } from './comparing/compare-literal.ts'
import { isNarrowing, moveConstants } from './comparing/move-constants.ts'
import { readText, readTexts } from './comparing/read-texts.ts'

/**
 * Binds a condition to one that is true, false or unknown for exactly the rows for which DuckDB finds the condition so.
 * `operandOf` binds the values that it compares.
 */
export function bindCondition(
  condition: SqlExpression,
  operandOf: (value: SqlExpression) => TypedExpression,
): Condition {
  switch (condition.kind) {
    case 'column':
    case 'aggregate':
    case 'subquery':
      return flag(condition, operandOf)
    case 'literal':
      if (condition.form !== 'boolean') decline('a literal as a condition', condition.at)
      return condition.text === 'true' ? TRUE : FALSE
    case 'within':
      return bindWithin(condition, operandOf)
    case 'call':
      return bindTest(condition, operandOf)
  }
}

type OperandOf = (value: SqlExpression) => TypedExpression

function bindTest(call: Call, operandOf: OperandOf): Condition {
  const { name, args, at } = call
  const bind = (part: SqlExpression): Condition => bindCondition(part, operandOf)
  const [first, second] = args
  switch (name) {
    case 'and':
      return all(args.map(bind))
    case 'or':
      return any(args.map(bind))
    case 'not':
      return first === undefined ? decline('NOT', at) : negation(bind(first))
    case 'is_null':
    case 'is_not_null':
      if (first === undefined || first.kind === 'literal')
        return decline('a literal that is compared with NULL', at)
      return name === 'is_null' ? isNull(operandOf(first)) : isNotNull(operandOf(first))
    case 'between':
      return bindBetween(call, operandOf)
    case 'in':
      return bindIn(call, operandOf)
    case 'not_in':
      return negation(bindIn(call, operandOf))
    case '~~':
      return bindCall(name, argumentsOf(args, operandOf), at)
    case '!~~':
      return negation(bindCall('~~', argumentsOf(args, operandOf), at))
    case 'is_distinct_from':
    case 'is_not_distinct_from':
      return bindComparison(name, readTexts(argumentsOf(args, operandOf), at), at)
  }
  const comparison = COMPARISONS.get(name)
  if (comparison === undefined || first === undefined || second === undefined) return flag(call, operandOf)
  if (first.kind !== 'literal' && second.kind === 'literal')
    return compareMoved(operandOf(first), comparison, second)
  if (first.kind === 'literal' && second.kind !== 'literal')
    return compareMoved(operandOf(second), MIRROR[comparison], first)
  if (first.kind === 'literal' && second.kind === 'literal') return ofLiterals(comparison, first, second)
  return compareValues(name, args, operandOf, at)
}

/** The comparison of an operand with literals. With NULL it is unknown, whatever the others are. */
function comparedWith(
  operand: TypedExpression,
  literals: readonly Literal[],
): ReturnType<typeof comparisonWith> {
  for (const { form, text, at } of literals) if (form === 'null') decline(`the literal ${text}`, at)
  return comparisonWith(operand, literals)
}

function compareMoved(value: TypedExpression, comparison: Comparison, literal: Literal): Condition {
  const operand = comparison === 'eq' || comparison === 'neq' ? readText(value, [literal]) : value
  const compared = comparedWith(operand, [literal])(comparison, literal)
  // DuckDB compares another literal in another type, and moves nothing then.
  const isOfType = literal.form === 'integer' && isInRange(BigInt(literal.text), operand.type)
  return isOfType ? moveConstants(compared) : compared
}

/** A boolean that is a condition by itself. */
function flag(value: SqlExpression, operandOf: OperandOf): Condition {
  const operand = operandOf(value)
  if (operand.type.kind !== 'bool') decline(`the condition "${print(value)}"`, value.at)
  return operand
}

function print(value: SqlExpression): string {
  return value.kind === 'column' ? value.name : printLabel(value)
}

/** Only integers without a sign or leading zeros are compared here, as in `1 = 1`: they are equal if their texts are. */
function ofLiterals(comparison: Comparison, first: Literal, second: Literal): Condition {
  const isSimple = comparison === 'eq' && [first, second].every(({ text }) => /^[1-9]\d{0,8}$/.test(text))
  if (!isSimple) decline('a comparison of two literals', first.at)
  return first.text === second.text ? TRUE : FALSE
}

function bindBetween({ args, at }: Call, operandOf: OperandOf): Condition {
  const [value, low, high] = args
  if (value === undefined || low === undefined || high === undefined) return decline('BETWEEN', at)
  if (value.kind !== 'literal' && low.kind === 'literal' && high.kind === 'literal') {
    const compare = comparedWith(requireNoCast(operandOf(value), at), [low, high])
    return range(compare('gt_eq', low), compare('lt_eq', high))
  }
  return compareValues('between', args, operandOf, at)
}

function bindIn({ args, at }: Call, operandOf: OperandOf): Condition {
  const [value, ...options] = args
  if (value === undefined) return decline('IN', at)
  const literals = options.filter((option) => option.kind === 'literal')
  if (value.kind !== 'literal' && literals.length === options.length) {
    const operand = readText(requireNoCast(operandOf(value), at), literals)
    const compare = comparedWith(operand, literals)
    return any(literals.map((literal) => compare('eq', literal)))
  }
  return compareValues('in', args, operandOf, at)
}

/** Declines a cast of integers of which DuckDB may compare the argument instead. */
function requireNoCast(operand: TypedExpression, at: number): TypedExpression {
  return operand.kind === 'call' && isNarrowing(operand)
    ? decline('a cast in a list or a range', at)
    : operand
}

/** Conditions in which DuckDB casts a text to the time with which it is compared. In others it is an error. */
const READS_TEXTS: ReadonlySet<string> = new Set(['=', '<>', 'in'])

/** A condition of values that are not literals alone. */
function compareValues(
  name: string,
  args: readonly SqlExpression[],
  operandOf: OperandOf,
  at: number,
): Condition {
  const written = argumentsOf(args, operandOf)
  const values = READS_TEXTS.has(name) ? readTexts(written, at) : written
  return compareConstants(bindComparison(name, values, at), values)
}

function argumentsOf(args: readonly SqlExpression[], operandOf: OperandOf): readonly Argument[] {
  return args.map((arg) => (arg.kind === 'literal' ? arg : operandOf(arg)))
}

function bindWithin({ geometry, at, ...point }: Within, operandOf: OperandOf): Condition {
  const [longitude, latitude] = [operandOf(point.longitude), operandOf(point.latitude)]
  for (const { type } of [longitude, latitude])
    if (!isCoordinate(type)) decline(`a coordinate of ${typeName(type)}`, at)
  return within(longitude, latitude, geometry)
}

function isCoordinate({ kind }: DataType): boolean {
  return kind === 'int' || kind === 'float'
}
