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
  return [...new Set(namesIn(request.filters).map((name) => sources.get(name) ?? name))]
}

/** The names in filters, as they are written, each once. */
export function namesIn(filters: readonly Filter[]): readonly string[] {
  const names = new Set<string>()
  visitNames(filters, (name) => names.add(name))
  return [...names]
}

/** Calls `visit` with each name in filters, and the path of the filter. */
export function visitNames(filters: readonly Filter[], visit: (name: string, path: string) => void): void {
  for (const filter of filters) {
    switch (filter.kind) {
      case 'and':
      case 'or':
        visitNames(filter.args, visit)
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
