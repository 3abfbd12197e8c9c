import { all, any, negation } from '../../../../plan/condition/combine.ts'
import { type Condition, isOneOf, whereNotNull } from '../../../../plan/condition/condition.ts'
import { testOf } from '../../../../plan/condition/test.ts'
import type { Expression } from '../../../../plan/expression.ts'
import { getOrMake } from '../../../../plan/get-or-make.ts'
import type { SourceColumn } from '../../../../plan/scan.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { unlessDamaged } from '../unless-damaged.ts'
import { type BloomFilter, readBloomFilter } from './bloom-filter.ts'
import { plainValues } from './plain-value.ts'

/** The most values of a condition that are looked up. A list of more is most likely to have one that is present. */
const MAX_LOOKUPS = 64

/**
 * The condition without values that, by their bloom filters, the columns do not have. It holds for the same rows. Returns
 * `condition` itself if all values may be present.
 */
export function withoutAbsentValues(
  condition: Condition,
  columns: readonly FilterColumn[],
  source: ByteSource,
): Condition {
  const filters = new Map<string, BloomFilter | null>()
  let lookups = 0
  let areSomeAbsent = false

  const filterOf = ({ column, chunk }: FilterColumn): BloomFilter | null => {
    const range = chunk?.bloomFilter
    return getOrMake(filters, column.name, () =>
      range ? unlessDamaged(() => readBloomFilter(range, source)) : null,
    )
  }
  const isAbsent = (operand: Expression, value: Scalar): boolean => {
    if (operand.kind !== 'column') return false
    const filterColumn = columns.find(({ column }) => column.name === operand.column)
    const filter = filterColumn && lookups < MAX_LOOKUPS ? filterOf(filterColumn) : null
    if (!filterColumn?.chunk || filter === null) return false
    const values = plainValues(filterColumn.chunk.leaf, filterColumn.column.type, value)
    lookups++
    const isAbsent = values?.every((bytes) => !filter.mayHold(bytes)) ?? false
    areSomeAbsent ||= isAbsent
    return isAbsent
  }
  const without = (part: Condition): Condition => {
    const test = testOf(part)
    switch (test.op) {
      case 'and':
        return all(test.args.map(without))
      case 'or':
        return any(test.args.map(without))
      case 'not':
        return negation(without(test.arg))
      case 'compare': {
        const { operand, comparison, value } = test
        const isDecided = (comparison === 'eq' || comparison === 'neq') && isAbsent(operand, value)
        return isDecided ? whereNotNull(operand, comparison === 'neq') : part
      }
      case 'in': {
        const { operand } = test
        const values = test.values.filter((value) => !isAbsent(operand, value))
        return values.length === 0 ? whereNotNull(operand, false) : isOneOf(operand, values)
      }
      default:
        return part
    }
  }
  const narrowed = without(condition)
  return areSomeAbsent ? narrowed : condition
}

/** A column that a filter compares, in its type in the scan. */
export interface FilterColumn {
  readonly column: SourceColumn
  /** Its chunk; the column is flat. Null: the file has no such column. */
  readonly chunk: Chunk | null
}
