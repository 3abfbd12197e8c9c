import type { Operand, Predicate } from '../../plan/predicate/predicate.ts'
import type { Column, Mask } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'

/** The columns that a predicate compares. */
export interface FilterColumns<O extends Operand> {
  readonly rows: number
  column(operand: O): Column
}

/** Evaluates a predicate for each row. The caller frees the mask. */
export function evaluate<O extends Operand>(
  core: Core,
  predicate: Predicate<O>,
  source: FilterColumns<O>,
): Mask {
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
    case 'compare':
      return core.compare(
        source.column(predicate.operand),
        predicate.operand.type,
        predicate.comparison,
        predicate.value,
      )
    case 'between': {
      const { operand, low, high } = predicate
      return core.between(source.column(operand), operand.type, low, high)
    }
    case 'in': {
      const { operand, values } = predicate
      return core.isIn(source.column(operand), operand.type, values)
    }
    case 'match':
      throw new TypeError('the core evaluates no patterns')
    case 'is_null':
      return core.isNull(source.column(predicate.operand))
    case 'is_not_null':
      return core.isNotNull(source.column(predicate.operand))
    case 'where_known':
      return core.whereKnown(source.column(predicate.operand), predicate.value)
    case 'within':
      return core.within(
        source.column(predicate.longitude),
        predicate.longitude.type,
        source.column(predicate.latitude),
        predicate.latitude.type,
        predicate.geometry,
      )
    case 'constant':
      return core.filled(source.rows, predicate.value)
  }
}
