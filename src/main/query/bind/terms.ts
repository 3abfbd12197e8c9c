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

/** What a name or an entry of the request stands for, and what the request and the files say of it. */
export interface Term {
  /** Over columns of the files. What several terms are made of is one object, which is evaluated once. */
  readonly expression: Expression
  /** What its column is called if it has no other name. */
  readonly name: string
  /** What the files say of it, if it is one of their columns. */
  readonly metadata: Field['metadata']
}

/** The term that a name means. Throws `unknown_column`; `path` is where the request has the name. */
export type Resolve = (name: string, path: string) => Term

/** The term of an entry whose columns mean what `resolve` says; `functions` are those that it may call. */
export function termOf(entry: SelectEntry, resolve: Resolve, functions: CallableFunctions): Term {
  switch (entry.kind) {
    case 'column':
      return resolve(entry.column, entry.path)
    case 'value':
      return { expression: projectValue(entry).expression, name: outputName(entry), metadata: NONE }
    case 'function': {
      const name = functionOf(entry, functions)
      const takesIntegers = functions.takingIntegers.has(name)
      const args = entry.args.map(
        (arg) => (takesIntegers ? wholeNumber(arg) : null) ?? termOf(arg, resolve, functions).expression,
      )
      return { expression: callExpression(name, args), name: outputName(entry), metadata: NONE }
    }
  }
}

const NONE: Field['metadata'] = Object.freeze({})
const INT64: DataType = Object.freeze({ kind: 'int', bits: 64, signed: true })

/** A whole number as an integer; null: the entry is none. */
function wholeNumber(entry: SelectEntry): Expression | null {
  if (entry.kind !== 'value' || !Number.isSafeInteger(entry.value)) return null
  return constantExpression({ kind: 'int', value: BigInt(entry.value ?? 0) }, INT64)
}

/** Source columns by their names. */
export function sourceTerms(fieldOf: FieldOf): Resolve {
  return (name, path) => {
    const { type, metadata } = fieldOf(name, path)
    return { expression: columnExpression(name, type), name, metadata }
  }
}

/**
 * Equal for terms that have the same value in each row: those of one structure. A call is equal to itself alone, wherever it is
 * named: another one that is written the same may give something else (`random()`).
 */
export function termKey({ expression }: Term): string | Expression {
  return expression.kind === 'call' ? expression : expressionKey(expression)
}

/** Without those that an earlier one is equal to. */
export function eachOnce<T extends Term>(terms: readonly T[]): readonly T[] {
  const keys = new Set<string | Expression>()
  return terms.filter((term) => {
    const key = termKey(term)
    return !keys.has(key) && keys.add(key)
  })
}

/** Whether each of the terms is one of the others. */
export function isPartOf(part: readonly Term[], whole: readonly Term[]): boolean {
  const keys = new Set(whole.map(termKey))
  return part.every((term) => keys.has(termKey(term)))
}

/** What the entry's output column is called. */
export function outputName(entry: SelectEntry): string {
  return entry.alias ?? (entry.kind === 'column' ? entry.column : printEntry(entry))
}

/** An entry as the reference's engine prints it, where it stands for the alias that is missing: `abs(tmp.latitude)`. */
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
