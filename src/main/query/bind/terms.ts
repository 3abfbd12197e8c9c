import {
  callExpression,
  columnExpression,
  constantExpression,
  type Expression,
  expressionKey,
} from '../../../plan/expression.ts'
import type { DataType, Field } from '../../../plan/types/schema.ts'
import type { SelectEntry } from '../request/select.ts'
import { type FieldOf, projectValue } from './columns.ts'
import { type CallableFunctions, functionOf } from './functions.ts'

/** The meaning of a name or an entry of the request: an expression over source columns. */
export interface Term {
  /** Terms of the same function call share its expression object, which is evaluated once for all of them. */
  readonly expression: Expression
  /** The name of its output column, unless that gets another one. */
  readonly name: string
  /** The metadata of the source column that it is; empty if it is none. */
  readonly metadata: Field['metadata']
}

/** Finds the term that a name means. Throws `unknown_column`. `path` is the JSON path of the name. */
export type ResolveTerm = (name: string, path: string) => Term

/** The term of an entry. `resolve` finds the meanings of its column names, and `functions` are those that it may call. */
export function termOf(entry: SelectEntry, resolve: ResolveTerm, functions: CallableFunctions): Term {
  if (entry.kind === 'column') return resolve(entry.column, entry.path)
  const expression = expressionOf(entry, resolve, functions)
  return { expression, name: outputName(entry), metadata: NONE }
}

const NONE: Field['metadata'] = Object.freeze({})

function expressionOf(entry: SelectEntry, resolve: ResolveTerm, functions: CallableFunctions): Expression {
  switch (entry.kind) {
    case 'column':
      return resolve(entry.column, entry.path).expression
    case 'value':
      return projectValue(entry).expression
    case 'function': {
      const name = functionOf(entry, functions)
      const takesIntegers = functions.takingIntegers.has(name)
      const args = entry.args.map(
        (arg) => (takesIntegers ? wholeNumber(arg) : null) ?? expressionOf(arg, resolve, functions),
      )
      return callExpression(name, args, null, { path: entry.path })
    }
  }
}

const INT64: DataType = Object.freeze({ kind: 'int', bits: 64, signed: true })

/** The integer of an entry that is a whole number. Null: it is something else. */
function wholeNumber(entry: SelectEntry): Expression | null {
  if (entry.kind !== 'value' || !Number.isSafeInteger(entry.value)) return null
  return constantExpression({ kind: 'int', value: BigInt(entry.value ?? 0) }, INT64)
}

/** Resolves names to source columns. */
export function sourceTerms(fieldOf: FieldOf): ResolveTerm {
  return (name, path) => {
    const { type, metadata } = fieldOf(name, path)
    return { expression: columnExpression(name, type), name, metadata }
  }
}

/**
 * A key that is equal for terms which have the same value in each row: terms of the same structure. A call is equal to itself
 * alone, because another call that is written the same may have other values (`random()`).
 */
function termKey({ expression }: Term): string | Expression {
  return expression.kind === 'call' ? expression : expressionKey(expression)
}

/** Removes duplicates. The first of equal terms is kept. */
export function eachOnce<T extends Term>(terms: readonly T[]): readonly T[] {
  const keys = new Set<string | Expression>()
  return terms.filter((term) => {
    const key = termKey(term)
    return !keys.has(key) && keys.add(key)
  })
}

/** Whether each term of `part` is equal to one of `whole`. */
export function isPartOf(part: readonly Term[], whole: readonly Term[]): boolean {
  const keys = new Set(whole.map(termKey))
  return part.every((term) => keys.has(termKey(term)))
}

/** The name of the entry's output column. */
export function outputName(entry: SelectEntry): string {
  return entry.alias ?? (entry.kind === 'column' ? entry.column : printEntry(entry))
}

/** The name that an entry without an alias gets, as the reference's engine prints it: `abs(tmp.latitude)`. */
function printEntry(entry: SelectEntry): string {
  switch (entry.kind) {
    case 'column':
      return `tmp.${entry.column}`
    case 'value':
      return projectValue({ ...entry, alias: null }).field.name
    case 'function':
      return `${entry.name}(${entry.args.map(printEntry).join(',')})`
  }
}
