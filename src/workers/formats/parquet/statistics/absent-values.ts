import { columnIn, type Expression } from '../../../../plan/expression.ts'
import { getOrMake } from '../../../../plan/get-or-make.ts'
import type { Predicate } from '../../../../plan/predicate/predicate.ts'
import type { SourceColumn } from '../../../../plan/scan.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { unlessDamaged } from '../unless-damaged.ts'
import { type BloomFilter, readBloomFilter } from './bloom-filter.ts'
import { plainValues } from './plain-value.ts'

/** The most values of a predicate that are looked up. A list of more is most likely to have one that is present. */
const MAX_LOOKUPS = 64

/**
 * The predicate without values that, by their bloom filters, the columns do not have. It holds for the same rows. Returns
 * `predicate` itself if all values may be present.
 */
export function withoutAbsentValues(
  predicate: Predicate,
  columns: readonly FilterColumn[],
  source: ByteSource,
): Predicate {
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
    const name = columnIn(operand)
    const filterColumn = columns.find(({ column }) => column.name === name)
    const filter = filterColumn && lookups < MAX_LOOKUPS ? filterOf(filterColumn) : null
    if (!filterColumn?.chunk || filter === null) return false
    const values = plainValues(filterColumn.chunk.leaf, filterColumn.column.type, value)
    lookups++
    const isAbsent = values?.every((bytes) => !filter.mayHold(bytes)) ?? false
    areSomeAbsent ||= isAbsent
    return isAbsent
  }
  const without = (node: Predicate): Predicate => {
    switch (node.op) {
      case 'and':
      case 'or':
        return { ...node, args: node.args.map(without) }
      case 'not':
        return { ...node, arg: without(node.arg) }
      case 'compare': {
        const { operand, comparison, value } = node
        const isDecided = (comparison === 'eq' || comparison === 'neq') && isAbsent(operand, value)
        return isDecided ? { op: 'where_known', operand, value: comparison === 'neq' } : node
      }
      case 'in': {
        const { operand } = node
        const values = node.values.filter((value) => !isAbsent(operand, value))
        return values.length === 0 ? { op: 'where_known', operand, value: false } : { ...node, values }
      }
      default:
        return node
    }
  }
  const narrowed = without(predicate)
  return areSomeAbsent ? narrowed : predicate
}

/** A column that a filter compares, in its type in the scan. */
export interface FilterColumn {
  readonly column: SourceColumn
  /** Its chunk; the column is flat. Null: the file has no such column. */
  readonly chunk: Chunk | null
}
