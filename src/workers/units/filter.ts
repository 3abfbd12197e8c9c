import type { Condition } from '../../plan/condition/condition.ts'
import { conjunctsOf, testOf } from '../../plan/condition/test.ts'
import type { TypedExpression } from '../../plan/expression.ts'
import { conditionMayFail } from '../../plan/kernels/may-fail.ts'
import type { Column, Mask } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { type ComputedFrom, computedMask, withColumn } from './computed-column.ts'

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
    const asked: Mask = source.mask === null ? result : core.and(result, source.mask)
    const next = evaluatePart(core, part, { ...source, mask: asked })
    const joined = core.and(result, next)
    for (const mask of new Set([asked, result, next])) core.freeMask(mask)
    result = joined
  }
  return result ?? core.filled(source.rows, true)
}

function evaluatePart(core: Core, condition: Condition, source: ComputedFrom): Mask {
  const isAskedInPart = isCombined(condition) && conditionMayFail(condition)
  return isAskedInPart ? computedMask(core, condition, source) : evaluateTest(core, condition, source)
}

/** Whether a condition is one of several others, or the negation of one. */
function isCombined(condition: Condition): boolean {
  const { op } = testOf(condition)
  return op === 'and' || op === 'or' || op === 'not'
}

function evaluateAll(
  core: Core,
  isAnd: boolean,
  conditions: readonly Condition[],
  source: ComputedFrom,
): Mask {
  const join = isAnd ? core.and : core.or
  let result: Mask | null = null
  for (const condition of conditions) {
    const next = evaluateTest(core, condition, source)
    if (result === null) {
      result = next
      continue
    }
    const joined = join(result, next)
    core.freeMask(result)
    core.freeMask(next)
    result = joined
  }
  return result ?? core.filled(source.rows, isAnd)
}

function evaluateTest(core: Core, condition: Condition, source: ComputedFrom): Mask {
  const use = (operand: TypedExpression, maskOf: (column: Column) => Mask): Mask =>
    withColumn(core, operand, source, maskOf)
  const test = testOf(condition)
  switch (test.op) {
    case 'and':
    case 'or':
      return evaluateAll(core, test.op === 'and', test.args, source)
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
