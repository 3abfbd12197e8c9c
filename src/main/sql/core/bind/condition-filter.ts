import { columnExpression } from '../../../../plan/expression.ts'
import type { Predicate } from '../../../../plan/predicate/predicate.ts'
import { foldSqlName, sqlNames } from '../../../../plan/statement/statement.ts'
import type { Field } from '../../../../plan/types/schema.ts'
import { decline, orDeclined } from '../../../query/bind/declined.ts'
import { all, any } from '../../../query/bind/filters/combine.ts'
import type { ColumnFilter } from '../../../query/source/column-filter.ts'
import type { Condition, Value } from '../parse/ast.ts'
import { bindCondition } from './bind-condition.ts'

type FieldOf = (value: Value) => Field | undefined

/** The condition of a query over a source with this alias, before the columns of the source are known. */
export function conditionFilter(where: Condition, alias: string | null): ColumnFilter {
  return {
    on(columns) {
      const fields = new Map(
        sqlNames({ fields: columns, metadata: {} }).map((name, index) => [foldSqlName(name), columns[index]]),
      )
      return implication(where, (value) => {
        if (value.kind !== 'column') return undefined
        const isOfSource =
          value.table === null || (alias !== null && foldSqlName(value.table) === foldSqlName(alias))
        return isOfSource ? fields.get(foldSqlName(value.name)) : undefined
      })
    },
  }
}

/** A predicate on known columns that is true for all rows that pass the condition. Null: the condition says nothing of them. */
function implication(condition: Condition, fieldOf: FieldOf): Predicate | null {
  switch (condition.kind) {
    case 'and': {
      const known = condition.args.flatMap((arg) => implication(arg, fieldOf) ?? [])
      return known.length === 0 ? null : all(known)
    }
    case 'or': {
      const known = condition.args.flatMap((arg) => implication(arg, fieldOf) ?? [])
      return known.length < condition.args.length ? null : any(known)
    }
    default: {
      const bound = orDeclined(() => bindCondition(condition, operandBy(fieldOf)))
      return 'done' in bound ? bound.done : null
    }
  }
}

function operandBy(fieldOf: FieldOf) {
  return (value: Value) => {
    const field = fieldOf(value)
    return field === undefined
      ? decline('a column that is not known yet', value.at)
      : columnExpression(field.name, field.type)
  }
}
