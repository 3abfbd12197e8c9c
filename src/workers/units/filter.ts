import type { Predicate } from '../../plan/predicate/predicate.ts'
import type { DataType } from '../../plan/types/schema.ts'
import type { Column, Mask } from '../../wasm/column.ts'
import type { Core } from '../../wasm/core.ts'

/** The columns a predicate reads, by source name. */
export interface FilterColumns {
  readonly rows: number
  column(name: string): Column
  type(name: string): DataType
}

/** Which rows a predicate holds for. The caller frees the mask; intermediate masks are freed here. */
export function evaluate(core: Core, predicate: Predicate, source: FilterColumns): Mask {
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
        source.column(predicate.column),
        predicate.type,
        predicate.comparison,
        predicate.value,
      )
    case 'between':
      return core.between(source.column(predicate.column), predicate.type, predicate.low, predicate.high)
    case 'in':
      return core.isIn(source.column(predicate.column), predicate.type, predicate.values)
    case 'is_null':
      return core.isNull(source.column(predicate.column))
    case 'is_not_null':
      return core.isNotNull(source.column(predicate.column))
    case 'where_known':
      return core.whereKnown(source.column(predicate.column), predicate.value)
    case 'within':
      return core.within(
        source.column(predicate.longitude),
        source.type(predicate.longitude),
        source.column(predicate.latitude),
        source.type(predicate.latitude),
        predicate.geometry,
      )
    case 'constant':
      return core.filled(source.rows, predicate.value)
  }
}
