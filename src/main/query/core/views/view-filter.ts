import { all } from '../../../../plan/condition/combine.ts'
import { columnExpression, withColumns } from '../../../../plan/expression.ts'
import { foldSqlName } from '../../../../plan/statement/statement.ts'
import type { Field } from '../../../../plan/types/schema.ts'
import { requestFilter } from '../../bind/filters/request-filter.ts'
import { mentionedInFilters } from '../../request/filters/mentioned.ts'
import type { JsonRequest } from '../../request/request.ts'
import type { ColumnFilter } from '../../source/column-filter.ts'
import { conditionFilter, fieldsByName } from '../bind/condition-filter.ts'
import type { SourceReading } from './source-reading.ts'

/** The conditions of a view and the filters of a JSON request over it, before the columns of the view's source are known. */
export function viewFilter(reading: SourceReading, request: JsonRequest): ColumnFilter {
  const ofView = conditionFilter(reading.conditions)
  if (request.filters.length === 0) return ofView
  const ofRequest = requestFilter(request)
  return {
    on(columns) {
      const sources = sourcesOf(reading, request, columns)
      const implied = ofRequest.on([...sources].map(([name, field]) => ({ ...field, name })))
      const overSource =
        implied &&
        withColumns(implied, (column) =>
          column.kind === 'column'
            ? columnExpression(sources.get(column.column)?.name ?? column.column, column.type)
            : column,
        )
      const args = [ofView.on(columns), overSource].filter((condition) => condition !== null)
      return args.length === 0 ? null : all(args)
    },
  }
}

/** The columns of the source that the filters of a request over the view read, by their names in the request. */
function sourcesOf(
  { columnOf }: SourceReading,
  request: JsonRequest,
  columns: readonly Field[],
): ReadonlyMap<string, Field> {
  const fields = fieldsByName(columns)
  return new Map(
    mentionedInFilters(request).flatMap((name): [string, Field][] => {
      const source = columnOf?.({ table: null, name }) ?? null
      const field = source === null ? undefined : fields.get(foldSqlName(source))
      return field === undefined ? [] : [[name, field]]
    }),
  )
}
