import type { Predicate } from '../../../plan/predicate/predicate.ts'
import type { Field } from '../../../plan/types/schema.ts'
import { all, any, FALSE, TRUE } from '../../query/bind/combine.ts'
import { leave } from '../../query/bind/declined.ts'
import { range } from '../explained/filter-text.ts'
import type { Condition, Literal, Value } from './ast.ts'
import { comparisonWith } from './compare-literal.ts'

/** A condition over the columns that values stand for: true, false or unknown exactly where DuckDB says so. */
export function bindCondition(condition: Condition, columnOf: (value: Value) => Field): Predicate {
  const bind = (part: Condition): Predicate => bindCondition(part, columnOf)
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
      const field = columnOf(condition.value)
      if (field.type.kind !== 'bool') leave(`the condition "${field.name}"`, condition.value.at)
      const literal: Literal = { form: 'boolean', text: 'true', at: condition.value.at }
      return comparisonWith(field, [literal])('eq', literal)
    }
    case 'is_null':
      return Object.freeze({ op: 'is_null', column: columnOf(condition.value).name })
    case 'compare': {
      const { value, comparison, literal } = condition
      return comparisonWith(columnOf(value), [literal])(comparison, literal)
    }
    case 'between': {
      const { value, low, high } = condition
      const compare = comparisonWith(columnOf(value), [low, high])
      return range(compare('gt_eq', low), compare('lt_eq', high))
    }
    case 'in': {
      const { value, literals } = condition
      const compare = comparisonWith(columnOf(value), literals)
      return any(literals.map((literal) => compare('eq', literal)))
    }
  }
}

function negation(predicate: Predicate): Predicate {
  if (predicate.op === 'constant') return predicate.value ? FALSE : TRUE
  if (predicate.op === 'is_null') return Object.freeze({ op: 'is_not_null', column: predicate.column })
  return Object.freeze({ op: 'not', arg: predicate })
}

/** What a condition is about, in order. */
export function valuesIn(condition: Condition): readonly Value[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.args.flatMap(valuesIn)
    case 'not':
      return valuesIn(condition.arg)
    case 'constant':
      return []
    default:
      return [condition.value]
  }
}
