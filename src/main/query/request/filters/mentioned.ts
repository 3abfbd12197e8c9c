import type { JsonRequest } from '../request.ts'
import type { Filter } from './filter.ts'

/**
 * The names of the source columns that the filters may read. They are derived from the request alone, before any file is
 * opened, so that workers read the statistics of these columns together with the schema. The name of an output column of
 * `select` stands for its source column, any other name for itself.
 */
export function mentionedInFilters(request: Pick<JsonRequest, 'select' | 'filters'>): readonly string[] {
  const sources = new Map<string, string>()
  for (const entry of request.select) {
    if (entry.kind === 'column') sources.set(entry.alias ?? entry.column, entry.column)
  }
  return [...new Set(namesIn(request.filters).map((name) => sources.get(name) ?? name))]
}

/** The column names in filters, as they are written, without duplicates. */
export function namesIn(filters: readonly Filter[]): readonly string[] {
  const names = new Set<string>()
  visitNames(filters, (name) => names.add(name))
  return [...names]
}

/** Calls `visit` with each column name in filters, and with the JSON path of the filter that it stands in. */
export function visitNames(filters: readonly Filter[], visit: (name: string, path: string) => void): void {
  for (const filter of filters) {
    switch (filter.kind) {
      case 'and':
      case 'or':
        visitNames(filter.args, visit)
        break
      case 'not':
        visitNames([filter.arg], visit)
        break
      case 'within':
        visit(filter.longitude, filter.path)
        visit(filter.latitude, filter.path)
        break
      default:
        visit(filter.column, filter.path)
    }
  }
}
