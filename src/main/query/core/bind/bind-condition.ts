import type { Operand, Predicate } from '../../../../plan/predicate/predicate.ts'
import { typeName } from '../../../../plan/types/schema.ts'
import { decline } from '../../bind/declined.ts'
import { all, any, FALSE, negation, TRUE } from '../../bind/filters/combine.ts'
import { range } from '../../explained/filter-text.ts'
import type { Condition, Literal, Value } from '../parse/ast.ts'
import { comparisonWith } from './compare-literal.ts'

/**
 * Binds a condition to a predicate that is true, false or unknown for exactly the rows for which DuckDB finds the condition so.
 * `operandOf` gives the operand of a value in it.
 */
export function bindCondition<O extends Operand>(
  condition: Condition,
  operandOf: (value: Value) => O,
): Predicate<O> {
  const bind = (part: Condition): Predicate<O> => bindCondition(part, operandOf)
  switch (condition.kind) {
    case 'and':
      return all(condition.args.map(bind))
    case 'or':
      return any(condition.args.map(bind))
    case 'not':
      return negation(bind(condition.arg))
    case 'constant':
      return condition.value ? TRUE : FALSE
    case 'flag': {
      const { value } = condition
      const operand = operandOf(value)
      if (operand.type.kind !== 'bool') decline(`the condition "${nameOf(value)}"`, value.at)
      const literal: Literal = { form: 'boolean', text: 'true', at: value.at }
      return comparisonWith(operand, [literal])('eq', literal)
    }
    case 'is_null':
      return Object.freeze({ op: 'is_null', operand: operandOf(condition.value) })
    case 'compare': {
      const { value, comparison, literal } = condition
      return comparisonWith(operandOf(value), [literal])(comparison, literal)
    }
    case 'between': {
      const { value, low, high } = condition
      const compare = comparisonWith(operandOf(value), [low, high])
      return range(compare('gt_eq', low), compare('lt_eq', high))
    }
    case 'within': {
      const { geometry, at } = condition
      const [longitude, latitude] = [operandOf(condition.longitude), operandOf(condition.latitude)]
      for (const { type } of [longitude, latitude])
        if (type.kind !== 'int' && type.kind !== 'float') decline(`a coordinate of ${typeName(type)}`, at)
      return Object.freeze({ op: 'within', longitude, latitude, geometry })
    }
    case 'in': {
      const { value, literals } = condition
      const compare = comparisonWith(operandOf(value), literals)
      return any(literals.map((literal) => compare('eq', literal)))
    }
  }
}

function nameOf(value: Value): string {
  return value.kind === 'column' ? value.name : value.label
}

/** The columns and aggregates that a condition compares, in the order in which they are written. */
export function valuesIn(condition: Condition): readonly Value[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.args.flatMap(valuesIn)
    case 'not':
      return valuesIn(condition.arg)
    case 'constant':
      return []
    case 'within':
      return [condition.longitude, condition.latitude]
    default:
      return [condition.value]
  }
}
