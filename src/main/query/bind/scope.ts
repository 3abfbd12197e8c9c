import { fieldIndexes, type Schema } from '../../../plan/types/schema.ts'
import type { JsonRequest } from '../request/request.ts'
import type { SelectEntry } from '../request/select.ts'
import { byOutputName, type FieldOf } from './columns.ts'
import type { CallableFunctions } from './functions.ts'
import { eachOnce, outputName, type ResolveTerm, sourceTerms, type Term, termOf } from './terms.ts'
import { unknownColumn } from './unknown-column.ts'

/** The meanings of the names in a request, and of what it selects, groups and sorts by. */
export interface Scope {
  /** The columns of `select`, by name. */
  readonly outputs: ReadonlyMap<string, Term>
  /** The columns of the answer, by name. */
  readonly finals: ReadonlyMap<string, Term>
  /** One row is kept for each combination of their values. They have no duplicates. Null: all rows are kept. */
  readonly groups: readonly Term[] | null
  /** The keys to sort by, the most significant first, without duplicates. */
  readonly keys: readonly SortTerm[]
  /** Resolves a name to an output column of `select`, or else to a source column (docs/reference/json-language.md). */
  readonly outputOrColumn: ResolveTerm
}

interface SortTerm extends Term {
  readonly direction: 'asc' | 'desc'
}

/** Resolves the names in a request over files with this schema. Throws `unknown_column` and `invalid_query`, with the JSON path. */
export function createScope(
  { select, distinct, sortBy }: Pick<JsonRequest, 'select' | 'distinct' | 'sortBy'>,
  { fields }: Schema,
  fieldOf: FieldOf,
  functions: CallableFunctions,
): Scope {
  const sources = fieldIndexes(fields)
  const column = sourceTerms(fieldOf)
  const outputs = byName(select, (entry) => termOf(entry, column, functions))
  const output: ResolveTerm = (name, path) =>
    outputs.get(name) ?? unknownColumn(name, path, 'select', [...outputs.keys()])
  const outputOrColumn: ResolveTerm = (name, path) => outputs.get(name) ?? column(name, path)
  const columnOrOutput: ResolveTerm = (name, path) =>
    sources.has(name) ? column(name, path) : outputOrColumn(name, path)

  // Without `select` a request has `distinct.select` instead (docs/reference/json-language.md). `on` may then name any column.
  const isDistinctOnly = select === distinct?.select
  const groups = distinct?.on.map((entry) =>
    termOf(entry, isDistinctOnly ? columnOrOutput : output, functions),
  )
  const keys = sortBy.map(({ column: name, direction }, index) => {
    const columnName = [name, asIdentifier(name)].find((each) => outputs.has(each) || sources.has(each))
    const path = `sort_by[${index}].${direction === 'asc' ? 'Asc' : 'Desc'}`
    return { ...outputOrColumn(columnName ?? name, path), direction }
  })
  return {
    outputs,
    finals:
      distinct === null || isDistinctOnly
        ? outputs
        : byName(distinct.select, (entry) => termOf(entry, output, functions)),
    groups: groups === undefined ? null : eachOnce(groups),
    keys: eachOnce(keys),
    outputOrColumn,
  }
}

function byName(
  entries: readonly SelectEntry[],
  termAt: (entry: SelectEntry) => Term,
): ReadonlyMap<string, Term> {
  const named = entries.map((entry) => ({ name: outputName(entry), term: termAt(entry) }))
  const terms = byOutputName(
    named,
    ({ name }) => name,
    (index) => entries[index]?.path ?? '',
  )
  return new Map([...terms].map(([name, { term }]) => [name, term]))
}

/** A name to sort by as the reference reads it (docs/reference/json-language.md): in lower case, unless it is in double quotes. */
function asIdentifier(name: string): string {
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"')
  return isQuoted ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase()
}
