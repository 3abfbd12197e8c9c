import type { Condition } from '../../../../plan/condition/condition.ts'
import { isServiceError } from '../../../../plan/errors.ts'
import { columnExpression } from '../../../../plan/expression.ts'
import { type Field, fieldIndexes } from '../../../../plan/types/schema.ts'
import type { Filter } from '../../request/filters/filter.ts'
import { namesIn } from '../../request/filters/mentioned.ts'
import type { JsonRequest } from '../../request/request.ts'
import { type ColumnFilter, NO_COLUMN_FILTER } from '../../source/column-filter.ts'
import { outputName } from '../terms.ts'
import { bindFilters } from './bind-filter.ts'

/** The filters of a request, before the columns of its source are known. */
export function requestFilter(request: Pick<JsonRequest, 'select' | 'filters'>): ColumnFilter {
  if (request.filters.length === 0) return NO_COLUMN_FILTER
  return { on: (columns) => impliedOn(columns, request) }
}

function impliedOn(
  columns: readonly Field[],
  { select, filters }: Pick<JsonRequest, 'select' | 'filters'>,
): Condition | null {
  /** The source columns that names of the request mean. Null: a name means a literal or the result of a function. */
  const meanings = new Map<string, string | null>()
  for (const entry of select) meanings.set(outputName(entry), entry.kind === 'column' ? entry.column : null)
  const indexes = fieldIndexes(columns)
  const fieldOf = (name: string): Field | undefined => {
    const meaning = meanings.get(name)
    return meaning === null ? undefined : columns[indexes.get(meaning ?? name) ?? -1]
  }
  const implied = filters.flatMap(
    (filter) => implication(filter, (name) => fieldOf(name) !== undefined) ?? [],
  )
  if (implied.length === 0) return null
  try {
    return bindFilters(implied, (name) => {
      const field = fieldOf(name)
      if (field === undefined) throw new TypeError(`the filter names "${name}"`)
      return { name: field.name, operand: columnExpression(field.name, field.type) }
    })
  } catch (error) {
    // A value that does not compare with its column is reported when all columns are known.
    if (isServiceError(error)) return null
    throw error
  }
}

/** A filter on known names that lets all rows pass that the filter does. Null: it says nothing of these names alone. */
function implication(filter: Filter, isKnown: (name: string) => boolean): Filter | null {
  if (filter.kind !== 'and' && filter.kind !== 'or') return namesIn([filter]).every(isKnown) ? filter : null
  const args = filter.args.map((arg) => implication(arg, isKnown))
  const implied = args.flatMap((arg) => arg ?? [])
  if (filter.kind === 'or' && implied.length < args.length) return null
  return filter.kind === 'and' && implied.length === 0 ? null : { kind: filter.kind, args: implied }
}
