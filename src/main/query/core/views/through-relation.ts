import { columnExpression, type Expression, type TypedExpression } from '../../../../plan/expression.ts'
import { memoize } from '../../../../plan/memoize.ts'
import { withOperands } from '../../../../plan/predicate/predicate.ts'
import type { ScanSpec } from '../../../../plan/scan.ts'
import { type Field, field, type Schema } from '../../../../plan/types/schema.ts'
import { scanSpec, unlessTrue } from '../../bind/columns.ts'
import { all, TRUE } from '../../bind/filters/combine.ts'
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

/** A scan of a relation's rows, given by its columns in SQL, as a scan of the files. */
export function throughRelation({ format, filter, projection }: ScanSpec, relation: Relation): ScanSpec {
  const { names, fields, source } = relation
  const columns = new Map<string, Field | undefined>(names.map((name, index) => [name, fields[index]]))
  const inFiles = <E extends Expression>(expression: E): E | TypedExpression => {
    if (expression.kind !== 'column') return expression
    const column = columns.get(expression.column)
    if (column === undefined) throw new RangeError(`the column ${expression.column} of a view`)
    return columnExpression(column.name, expression.type)
  }
  const condition = all([relation.filter, withOperands(filter ?? TRUE, inFiles)])
  const list = projection.map((each) => Object.freeze({ ...each, expression: inFiles(each.expression) }))
  return scanSpec(format, unlessTrue(condition), list, source, relation.rowsOf ?? [])
}
