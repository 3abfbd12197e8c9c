import { expressionKey, type TypedExpression } from '../../../plan/expression.ts'
import type { Projection } from '../../../plan/scan.ts'
import { type DataType, field } from '../../../plan/types/schema.ts'

/** Collects the projection of a scan, without duplicates. The name of each column is its index. */
export interface ProjectionList {
  readonly list: readonly Projection[]
  /** Adds an expression unless the list has it, and returns its index. */
  add(expression: TypedExpression): number
  typeAt(index: number): DataType
}

export function createProjectionList(): ProjectionList {
  const list: Projection[] = []
  const indexes = new Map<string, number>()
  return {
    list,
    add(expression) {
      const key = expressionKey(expression)
      const existingIndex = indexes.get(key)
      if (existingIndex !== undefined) return existingIndex
      const index = list.length
      list.push(Object.freeze({ expression, field: field(String(index), expression.type) }))
      indexes.set(key, index)
      return index
    },
    typeAt: (index) => list[index]?.field.type ?? { kind: 'null' },
  }
}
