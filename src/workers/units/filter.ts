import type { TypedExpression } from '../../plan/expression.ts'
import type { Predicate } from '../../plan/predicate/predicate.ts'
import type { Column, Mask } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { type ComputedFrom, computedMask, withColumn } from './computed-column.ts'

/** Evaluates a predicate for each row. What it compares is computed for the rows of `source`. The caller frees the mask. */
export function evaluate(core: Core, predicate: Predicate, source: ComputedFrom): Mask {
  const test = (operand: TypedExpression, use: (column: Column) => Mask): Mask =>
    withColumn(core, operand, source, use)
  switch (predicate.op) {
    case 'and':
    case 'or': {
      const join = predicate.op === 'and' ? core.and : core.or
      let result: Mask | null = null
      for (const arg of predicate.args) {
        const next = evaluate(core, arg, source)
        if (result === null) {
          result = next
          continue
        }
        const joined = join(result, next)
        core.freeMask(result)
        core.freeMask(next)
        result = joined
      }
      return result ?? core.filled(source.rows, predicate.op === 'and')
    }
    case 'not': {
      const mask = evaluate(core, predicate.arg, source)
      const negated = core.not(mask)
      core.freeMask(mask)
      return negated
    }
    case 'compare': {
      const { operand, comparison, value } = predicate
      const isItself = comparison === 'eq' && value.kind === 'bool' && value.value
      if (operand.kind === 'call' && isItself) return computedMask(core, operand, source)
      return test(operand, (column) => core.compare(column, operand.type, comparison, value))
    }
    case 'between': {
      const { operand, low, high } = predicate
      return test(operand, (column) => core.between(column, operand.type, low, high))
    }
    case 'in': {
      const { operand, values } = predicate
      return test(operand, (column) => core.isIn(column, operand.type, values))
    }
    case 'is_null':
      return test(predicate.operand, core.isNull)
    case 'is_not_null':
      return test(predicate.operand, core.isNotNull)
    case 'where_known':
      return test(predicate.operand, (column) => core.whereKnown(column, predicate.value))
    case 'within': {
      const { longitude, latitude, geometry } = predicate
      return test(longitude, (x) =>
        test(latitude, (y) => core.within(x, longitude.type, y, latitude.type, geometry)),
      )
    }
    case 'constant':
      return core.filled(source.rows, predicate.value)
  }
}
