import type { Schema } from '../../../plan/types/schema.ts'
import { wordsFor } from '../../sql/duckdb/write.ts'
import type { SelectEntry } from '../request/select.ts'
import type { SupportedJson } from '../request/supported.ts'
import { byOutputName, type FieldOf, unknownColumn } from './columns.ts'
import type { CallableFunctions } from './functions.ts'
import { columnTerms, defineAs, outputName, type Resolve, type Term, termOf } from './terms.ts'

/** What the names and entries of a request mean in a statement. */
export interface Scope {
  /** The columns of the answer, by name. */
  readonly finals: ReadonlyMap<string, Term>
  /** One row stays for each combination of these, none twice; null: all rows. */
  readonly groups: readonly Term[] | null
  /** The most significant first, none twice. */
  readonly keys: readonly SortTerm[]
  /** Words that are free in the statement, for the number of a row and for a column of nothing. */
  readonly rowWord: string
  readonly fillerWord: string
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
  const sources = fields.map(({ name }) => name)
  const on = distinct?.on ?? []
  const words = wordsFor([...sources, ...select.map(outputName), ...on.map(outputName), 'row', 'filler'])
  const wordOf = new Map(sources.map((name, index) => [name, words[index] ?? name]))
  const column = columnTerms(fieldOf, wordOf)
  /** Of an entry that is no column, under the word at this place. */
  const namedTerm = (entry: SelectEntry, resolve: Resolve, word: number): Term => {
    const term = termOf(entry, resolve, functions)
    return entry.kind === 'column' ? term : defineAs(words[word] ?? '', term)
  }

  const outputs = byName(select, (entry, index) => namedTerm(entry, column, sources.length + index))
  const output: Resolve = (name, path) =>
    outputs.get(name) ?? unknownColumn(name, path, 'select', [...outputs.keys()])
  const outputOrColumn: Resolve = (name, path) => outputs.get(name) ?? column(name, path)
  const columnOrOutput: Resolve = (name, path) =>
    wordOf.has(name) ? column(name, path) : outputOrColumn(name, path)

  // Without `select`, `distinct.select` is in its place (docs/reference/json-language.md), and `on` may name any column.
  const isAlone = select === distinct?.select
  const firstOn = sources.length + select.length
  const groups = on.map((entry, index) =>
    namedTerm(entry, isAlone ? columnOrOutput : output, firstOn + index),
  )
  const keys = sortBy.map(({ column: name, direction }, index) => {
    const known = [name, asIdentifier(name)].find((each) => outputs.has(each) || wordOf.has(each))
    const path = `sort_by[${index}].${direction === 'asc' ? 'Asc' : 'Desc'}`
    return { ...outputOrColumn(known ?? name, path), direction }
  })
  return {
    finals:
      distinct === null || isAlone
        ? outputs
        : byName(distinct.select, (entry) => termOf(entry, output, functions)),
    groups: distinct === null ? null : eachOnce(groups),
    keys: eachOnce(keys),
    rowWord: words.at(-2) ?? '',
    fillerWord: words.at(-1) ?? '',
    outputOrColumn,
  }
}

function byName(
  entries: readonly SelectEntry[],
  termAt: (entry: SelectEntry, index: number) => Term,
): ReadonlyMap<string, Term> {
  const named = entries.map((entry, index) => ({ name: outputName(entry), term: termAt(entry, index) }))
  const terms = byOutputName(
    named,
    ({ name }) => name,
    (index) => entries[index]?.path ?? '',
  )
  return new Map([...terms].map(([name, { term }]) => [name, term]))
}

/** Without those that an earlier one is equal to. */
function eachOnce<T extends Term>(terms: readonly T[]): readonly T[] {
  const first = new Map(terms.toReversed().map((term) => [term.sql, term]))
  return terms.filter((term) => first.get(term.sql) === term)
}

/** As the reference reads a name to sort by (docs/reference/json-language.md): in lower case unless in double quotes. */
function asIdentifier(name: string): string {
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"')
  return isQuoted ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase()
}
