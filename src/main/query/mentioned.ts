import type { Filter } from './filter.ts'
import type { JsonRequest } from './request.ts'

/**
 * Names of source columns that the filters may read, known before any file is: an output name of `select` stands for
 * its column, any other name for itself. Their statistics are asked for together with the schema.
 */
export function mentionedInFilters(request: Pick<JsonRequest, 'select' | 'filters'>): readonly string[] {
  const sources = new Map<string, string>()
  for (const entry of request.select) {
    if (entry.kind === 'column') sources.set(entry.alias ?? entry.column, entry.column)
  }
  const names = new Set<string>()
  const visit = (filter: Filter): void => {
    switch (filter.kind) {
      case 'and':
      case 'or':
        for (const arg of filter.args) visit(arg)
        break
      case 'within':
        names.add(sources.get(filter.longitude) ?? filter.longitude)
        names.add(sources.get(filter.latitude) ?? filter.latitude)
        break
      default:
        names.add(sources.get(filter.column) ?? filter.column)
    }
  }
  for (const filter of request.filters) visit(filter)
  return [...names]
}
