import { all, unlessTrue } from '../../../../plan/condition/combine.ts'
import { TRUE } from '../../../../plan/condition/condition.ts'
import {
  type ColumnExpression,
  columnExpression,
  type GroupExpression,
  type TypedExpression,
  withColumns,
} from '../../../../plan/expression.ts'
import { memoize } from '../../../../plan/memoize.ts'
import type { ScanSpec } from '../../../../plan/scan.ts'
import { field, type Schema } from '../../../../plan/types/schema.ts'
import { scanSpec } from '../../bind/columns.ts'
import { compareArguments } from '../../bind/preimages/compare-arguments.ts'
import { createGrowth, createUses } from '../bind/growth.ts'
import type { Relation } from '../bind/relation.ts'

/**
 * The columns of a relation, with the names and types that they have in SQL. Queries over the same view and files share the relation, and
 * so the schema.
 */
export const schemaOf = memoize(({ names, fields }: Relation): Schema => {
  const columns = fields.map(({ type, metadata }, index) =>
    Object.freeze({ ...field(names[index] ?? '', type), metadata }),
  )
  return Object.freeze({ fields: Object.freeze(columns), metadata: Object.freeze({}) })
})

/** A scan of a relation's rows, given by its columns in SQL, as a scan of the files. Declines one that names computed columns too often. */
export function throughRelation({ format, filter, projection }: ScanSpec, relation: Relation): ScanSpec {
  const { names, fields, expressions, source } = relation
  const indexes = new Map(names.map((name, index) => [name, index]))
  const uses = createUses(createGrowth())
  const columnInFiles = (each: ColumnExpression | GroupExpression): TypedExpression => {
    if (each.kind !== 'column') return each
    const index = indexes.get(each.column) ?? -1
    const [column, expression] = [fields[index], expressions?.[index]]
    if (column === undefined) throw new RangeError(`the column ${each.column} of a view`)
    if (expression === undefined || expression.kind === 'column')
      return columnExpression(column.name, each.type)
    uses.ofRow(expression, null)
    return expression
  }
  const condition = all([relation.filter, compareArguments(withColumns(filter ?? TRUE, columnInFiles))])
  const list = projection.map((each) =>
    Object.freeze({ ...each, expression: withColumns(each.expression, columnInFiles) }),
  )
  return scanSpec(format, unlessTrue(condition), list, source, relation.rowsOf ?? [])
}
