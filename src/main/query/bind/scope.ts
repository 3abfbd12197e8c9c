import { placesOf, type Schema } from '../../../plan/types/schema.ts'
import type { SelectEntry } from '../request/select.ts'
import type { SupportedJson } from '../request/supported.ts'
import { byOutputName, type FieldOf, unknownColumn } from './columns.ts'
import type { CallableFunctions } from './functions.ts'
import { eachOnce, outputName, type Resolve, sourceTerms, type Term, termOf } from './terms.ts'

/** What the names and entries of a request mean. */
export interface Scope {
  /** The columns of `select`, by name. */
  readonly outputs: ReadonlyMap<string, Term>
  /** The columns of the answer, by name. */
  readonly finals: ReadonlyMap<string, Term>
  /** One row stays for each combination of these, none twice; null: all rows. */
  readonly groups: readonly Term[] | null
  /** The most significant first, none twice. */
  readonly keys: readonly SortTerm[]
  /** Output columns of `select`, then columns of the files (docs/reference/json-language.md). */
  readonly outputOrColumn: Resolve
}

export interface SortTerm extends Term {
  readonly direction: 'asc' | 'desc'
}

/** Throws `unknown_column` and `invalid_query` with the JSON path. */
export function createScope(
  { select, distinct, sortBy }: Pick<SupportedJson, 'select' | 'distinct' | 'sortBy'>,
  { fields }: Schema,
  fieldOf: FieldOf,
  functions: CallableFunctions,
): Scope {
  const sources = placesOf(fields)
  const column = sourceTerms(fieldOf)
  const outputs = byName(select, (entry) => termOf(entry, column, functions))
  const output: Resolve = (name, path) =>
    outputs.get(name) ?? unknownColumn(name, path, 'select', [...outputs.keys()])
  const outputOrColumn: Resolve = (name, path) => outputs.get(name) ?? column(name, path)
  const columnOrOutput: Resolve = (name, path) =>
    sources.has(name) ? column(name, path) : outputOrColumn(name, path)

  // Without `select`, `distinct.select` is in its place (docs/reference/json-language.md), and `on` may name any column.
  const isAlone = select === distinct?.select
  const groups = distinct?.on.map((entry) => termOf(entry, isAlone ? columnOrOutput : output, functions))
  const keys = sortBy.map(({ column: name, direction }, index) => {
    const known = [name, asIdentifier(name)].find((each) => outputs.has(each) || sources.has(each))
    const path = `sort_by[${index}].${direction === 'asc' ? 'Asc' : 'Desc'}`
    return { ...outputOrColumn(known ?? name, path), direction }
  })
  return {
    outputs,
    finals:
      distinct === null || isAlone
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

/** As the reference reads a name to sort by (docs/reference/json-language.md): in lower case unless in double quotes. */
function asIdentifier(name: string): string {
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"')
  return isQuoted ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase()
}
