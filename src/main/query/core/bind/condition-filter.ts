import { all, any } from '../../../../plan/condition/combine.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { columnExpression } from '../../../../plan/expression.ts'
import { foldSqlName, sqlNames } from '../../../../plan/statement/statement.ts'
import type { Field } from '../../../../plan/types/schema.ts'
import { decline, orDeclined } from '../../bind/declined.ts'
import { compareArguments } from '../../bind/preimages/compare-arguments.ts'
import { type ColumnFilter, NO_COLUMN_FILTER } from '../../source/column-filter.ts'
import type { SqlExpression, Value } from '../parse/ast.ts'
import type { SourceCondition } from '../views/source-reading.ts'
import { bindCondition } from './bind-condition.ts'
import { bindExpression, type Resolve } from './bind-expression.ts'

type FieldOf = (value: Value) => Field | undefined

/** The conditions of a query over a source, before the columns of the source are known. */
export function conditionFilter(conditions: readonly SourceCondition[]): ColumnFilter {
  if (conditions.length === 0) return NO_COLUMN_FILTER
  return {
    on(columns) {
      const fields = fieldsByName(columns)
      const implied = conditions.flatMap(
        ({ where, columnOf }) =>
          implication(where, (value) => {
            const name = value.kind === 'column' ? columnOf(value) : null
            return name === null ? undefined : fields.get(foldSqlName(name))
          }) ?? [],
      )
      return implied.length === 0 ? null : all(implied)
    },
  }
}

/** Columns by their names in SQL, folded. */
export function fieldsByName(columns: readonly Field[]): ReadonlyMap<string, Field | undefined> {
  const names = sqlNames({ fields: columns, metadata: {} })
  return new Map(names.map((name, index) => [foldSqlName(name), columns[index]]))
}

/** A condition on known columns that is true for all rows that pass the condition. Null: the condition says nothing of them. */
function implication(condition: SqlExpression, fieldOf: FieldOf): Condition | null {
  if (condition.kind === 'call' && (condition.name === 'and' || condition.name === 'or')) {
    const implied = condition.args.flatMap((arg) => implication(arg, fieldOf) ?? [])
    if (condition.name === 'or') return implied.length < condition.args.length ? null : any(implied)
    return implied.length === 0 ? null : all(implied)
  }
  const bound = orDeclined(() =>
    bindCondition(condition, (value) => bindExpression(value, resolveBy(fieldOf))),
  )
  return 'done' in bound ? compareArguments(bound.done) : null
}

function resolveBy(fieldOf: FieldOf): Resolve {
  return (part) => {
    if (part.kind !== 'column' && part.kind !== 'aggregate') return null
    const field = fieldOf(part)
    return field === undefined
      ? decline('a column that is not known yet', part.at)
      : columnExpression(field.name, field.type)
  }
}
