import { columnExpression } from '../../../plan/expression.ts'
import type { Projection } from '../../../plan/scan.ts'
import type { Field } from '../../../plan/types/schema.ts'
import { quoteWord, writeLiteral } from '../../sql/duckdb/write.ts'
import type { SelectEntry } from '../request/select.ts'
import { type FieldOf, projectValue } from './columns.ts'
import { type CallableFunctions, printEntry, writeCall, writeWhole } from './functions.ts'

/** What stands in a statement for a name or an entry of the request. */
export interface Term {
  readonly sql: string
  /** Source columns that it is made of, as the statement calls them. */
  readonly columns: readonly StatementColumn[]
  /** What has a name of its own there: items of the inner select list, each after those that it takes. */
  readonly definitions: readonly string[]
  /** What a scan gives in its place; null: only a statement gives it. */
  readonly scanned: Projection | null
}

export interface StatementColumn {
  readonly source: Field
  readonly word: string
}

/** The term that a name means. Throws `unknown_column`; `path` is where the request has the name. */
export type Resolve = (name: string, path: string) => Term

/** The term of an entry whose columns mean what `resolve` says; `functions` are those that it may call. */
export function termOf(entry: SelectEntry, resolve: Resolve, functions: CallableFunctions): Term {
  if (entry.kind === 'column') return resolve(entry.column, entry.path)
  if (entry.kind === 'value')
    return { sql: writeLiteral(entry.value), columns: [], definitions: [], scanned: projectValue(entry) }
  const args = entry.args.map((arg) => termOf(arg, resolve, functions))
  const written = args.map(({ sql }, index) => writeWhole(entry, index, functions) ?? sql)
  return {
    sql: writeCall(entry, written, functions),
    columns: args.flatMap(({ columns }) => columns),
    definitions: args.flatMap(({ definitions }) => definitions),
    scanned: null,
  }
}

/** Source columns by their names; `words` is what the statement calls them. */
export function columnTerms(fieldOf: FieldOf, words: ReadonlyMap<string, string>): Resolve {
  return (name, path) => {
    const source = fieldOf(name, path)
    const word = words.get(name) ?? name
    return {
      sql: quoteWord(word),
      columns: [{ source, word }],
      definitions: [],
      scanned: { expression: columnExpression(name, source.type), field: source },
    }
  }
}

/** The same under a name by which other terms can take it. */
export function defineAs(word: string, { sql, columns, definitions, scanned }: Term): Term {
  const name = quoteWord(word)
  return { sql: name, columns, definitions: [...definitions, `${sql} AS ${name}`], scanned }
}

/** What the entry's output column is called. */
export function outputName(entry: SelectEntry): string {
  return entry.alias ?? (entry.kind === 'column' ? entry.column : printEntry(entry))
}
