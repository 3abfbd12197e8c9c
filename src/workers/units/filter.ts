import type { Condition } from '../../plan/condition/condition.ts'
import { conjunctsOf, isCombined, testOf } from '../../plan/condition/test.ts'
import type { TypedExpression } from '../../plan/expression.ts'
import { conditionMayFail } from '../../plan/kernels/may-fail.ts'
import type { Column, Mask } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { type ComputedFrom, computedMask, withColumn } from './computed-column.ts'
import { joinMasks } from './join-masks.ts'

/**
 * Evaluates a condition for each row. What it compares is computed for the rows of `source`: of conditions that all have to be true, in the
 * rows that the ones before have left, and of a part that may fail in the rows that ask for it. The caller frees the mask.
 */
export function evaluate(core: Core, condition: Condition, source: ComputedFrom): Mask {
  let result: Mask | null = null
  for (const part of conjunctsOf(condition)) {
    if (result === null) {
      result = evaluatePart(core, part, source)
      continue
    }
    const inSource = source.mask && core.and(result, source.mask)
    const next = evaluatePart(core, part, { ...source, mask: inSource ?? result })
    if (inSource !== null) core.freeMask(inSource)
    result = joinMasks(core, 'and', result, next)
  }
  return result ?? core.filled(source.rows, true)
}

function evaluatePart(core: Core, condition: Condition, source: ComputedFrom): Mask {
  const isAskedInPart = isCombined(condition) && conditionMayFail(condition)
  return isAskedInPart ? computedMask(core, condition, source) : evaluateTest(core, condition, source)
}

/** All parts of a condition, or one of them, evaluated for the same rows. */
function evaluateParts(
  core: Core,
  how: 'and' | 'or',
  parts: readonly Condition[],
  source: ComputedFrom,
): Mask {
  let result: Mask | null = null
  for (const part of parts) {
    const next = evaluateTest(core, part, source)
    result = result === null ? next : joinMasks(core, how, result, next)
  }
  return result ?? core.filled(source.rows, how === 'and')
}

function evaluateTest(core: Core, condition: Condition, source: ComputedFrom): Mask {
  const use = (operand: TypedExpression, maskOf: (column: Column) => Mask): Mask =>
    withColumn(core, operand, source, maskOf)
  const test = testOf(condition)
  switch (test.op) {
    case 'and':
    case 'or':
      return evaluateParts(core, test.op, test.args, source)
    case 'not': {
      const mask = evaluateTest(core, test.arg, source)
      const negated = core.not(mask)
      core.freeMask(mask)
      return negated
    }
    case 'compare': {
      const { operand, comparison, value } = test
      if (operand === condition && operand.kind === 'call') return computedMask(core, operand, source)
      return use(operand, (column) => core.compare(column, operand.type, comparison, value))
    }
    case 'between':
      return use(test.operand, (column) => core.between(column, test.operand.type, test.low, test.high))
    case 'in':
      return use(test.operand, (column) => core.isIn(column, test.operand.type, test.values))
    case 'is_null':
      return use(test.operand, core.isNull)
    case 'is_not_null':
      return use(test.operand, core.isNotNull)
    case 'within': {
      const { longitude, latitude, geometry } = test
      return use(longitude, (x) =>
        use(latitude, (y) => core.within(x, longitude.type, y, latitude.type, geometry)),
      )
    }
    case 'constant':
      return core.filled(source.rows, test.value)
  }
}
