import { unlessTrue } from '../../../plan/condition/combine.ts'
import type { Condition } from '../../../plan/condition/condition.ts'
import {
  columnExpression,
  columnNameOf,
  columnsOfExpressions,
  constantExpression,
  type Expression,
  expressionKey,
  type TypedExpression,
} from '../../../plan/expression.ts'
import { areRowsOfColumns, type FileFormat } from '../../../plan/format/file-format.ts'
import { expressionsOf, type Projection, type ScanSpec } from '../../../plan/scan.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { type DataType, type Field, field, fieldIndexes, type Schema } from '../../../plan/types/schema.ts'
import { reject } from '../../json/shape.ts'
import type { Filter } from '../request/filters/filter.ts'
import type { ColumnEntry, ValueEntry } from '../request/select.ts'
import { askedInOrder } from './expressions/asked-in-order.ts'
import { bindFilters, type Meaning } from './filters/bind-filter.ts'
import { compareArguments } from './preimages/compare-arguments.ts'
import { unknownColumn } from './unknown-column.ts'

/** Finds a source column by its exact name. Throws `unknown_column`. `path` is the JSON path of the name. */
export type FieldOf = (name: string, path: string) => Field

/** Looks up the columns of a schema. `relation` is its name in messages. */
function fieldsOf({ fields }: Schema, relation: string): FieldOf {
  const indexes = fieldIndexes(fields)
  return (name, path) => {
    const field = fields[indexes.get(name) ?? -1]
    return field ?? unknownColumn(name, path, relation, [...indexes.keys()])
  }
}

/** A lookup that remembers which columns it has found. */
export interface NamingFieldOf {
  readonly fieldOf: FieldOf
  /** The names of these columns, each once. */
  named(): readonly string[]
}

/** As `fieldsOf`. The rows of arrays depend on the columns that a request names, even those that its plan does not read. */
export function namingFieldsOf(schema: Schema, relation: string): NamingFieldOf {
  const find = fieldsOf(schema, relation)
  const names = new Set<string>()
  return {
    fieldOf(name, path) {
      const field = find(name, path)
      names.add(field.name)
      return field
    },
    named: () => [...names],
  }
}

/** The output column of an entry. Throws `unknown_column`. */
export function projectEntry(entry: ColumnEntry | ValueEntry, fieldOf: FieldOf): Projection {
  if (entry.kind === 'value') return projectValue(entry)
  const source = fieldOf(entry.column, entry.path)
  const output = Object.freeze({ ...source, name: entry.alias ?? source.name })
  return Object.freeze({ expression: columnExpression(source.name, source.type), field: output })
}

const UTF8: DataType = Object.freeze({ kind: 'utf8' })
const BOOL: DataType = Object.freeze({ kind: 'bool' })
const NULL: DataType = Object.freeze({ kind: 'null' })
const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })

/** The output column of a literal. Without an alias its name is the literal as the reference's engine prints it. */
export function projectValue({ value, alias }: ValueEntry): Projection {
  const constant = (name: string, type: DataType, scalar: Scalar | null): Projection =>
    Object.freeze({
      expression: constantExpression(scalar, type),
      field: field(alias ?? name, type, scalar === null),
    })
  if (value === null) return constant('NULL', NULL, null)
  if (typeof value === 'boolean') return constant(`Boolean(${value})`, BOOL, { kind: 'bool', value })
  if (typeof value === 'number') return constant(`Float64(${value})`, FLOAT64, { kind: 'float', value })
  return constant(`Utf8("${value}")`, UTF8, { kind: 'bytes', value: new TextEncoder().encode(value) })
}

/**
 * A map from the names of output columns to what `outputs` has for them. Throws `invalid_query` if two have the same name;
 * `pathOf` gives the JSON path of an output.
 */
export function byOutputName<T>(
  outputs: readonly T[],
  nameOf: (output: T) => string,
  pathOf: (index: number) => string,
): ReadonlyMap<string, T> {
  const byName = new Map<string, T>()
  for (const [index, output] of outputs.entries()) {
    const name = nameOf(output)
    if (byName.has(name)) {
      const other = `an earlier output column is named ${JSON.stringify(name)}`
      reject(pathOf(index), `${other}; give an alias`)
    }
    byName.set(name, output)
  }
  return byName
}

/** The expressions of output columns, by their names. */
type Outputs = ReadonlyMap<string, { readonly expression: Expression }>

/**
 * Binds filters to a condition on source columns. A name means an output column or, which the reference does not allow, a
 * source column (docs/reference/json-language.md). Null: every row passes.
 */
export function bindRowFilter(
  filters: readonly Filter[],
  outputs: Outputs,
  fieldOf: FieldOf,
): Condition | null {
  const constants = constantsOf(outputs)
  const filter = bindFilters(filters, (name, path) => {
    const constant = constants.get(name)
    if (constant !== undefined) return constant
    const output = outputs.get(name)
    if (output?.expression.kind === 'call' && output.expression.type !== null)
      return { name, operand: output.expression as TypedExpression }
    const { name: column, type } = fieldOf((output && columnNameOf(output.expression)) ?? name, path)
    return { name: column, operand: columnExpression(column, type) }
  })
  return unlessTrue(askedInOrder(compareArguments(filter)))
}

/** The meanings of output columns that are literals, for filters. */
export function constantsOf(outputs: Outputs): ReadonlyMap<string, Meaning> {
  return new Map(
    [...outputs].flatMap(([name, { expression }]): [string, Meaning][] =>
      expression.kind === 'constant' ? [[name, { name, operand: expression }]] : [],
    ),
  )
}

/**
 * The scan of files with these fields. Its columns have no duplicates, and those of the filter come first: they are read
 * first, and decide which rows of the others are needed. `named` are the columns that the request or the SELECT block names
 * (`ScanSpec.rowsOf`). Throws a `TypeError` for a call that only DuckDB evaluates.
 */
export function scanSpec(
  format: FileFormat,
  filter: Condition | null,
  projection: readonly Projection[],
  fields: readonly Field[],
  named: readonly string[],
): ScanSpec {
  const indexes = fieldIndexes(fields)
  const expressions = expressionsOf({ filter, projection })
  const call = expressions.find(({ type }) => type === null)
  if (call !== undefined) throw new TypeError(`DuckDB alone evaluates ${expressionKey(call)}`)
  const sources = columnsOfExpressions(expressions).flatMap((name) => fields[indexes.get(name) ?? -1] ?? [])
  const columns = Object.freeze(sources.map(({ name, type }) => Object.freeze({ name, type })))
  return Object.freeze({
    format,
    columns,
    ...(areRowsOfColumns(format) && { rowsOf: Object.freeze(named) }),
    filter,
    projection: Object.freeze(projection.map(withoutMetadata)),
  })
}

/** Workers read rows, and do not need to know what they mean. */
function withoutMetadata(projection: Projection): Projection {
  const { name, type, nullable, metadata } = projection.field
  if (Object.keys(metadata).length === 0) return projection
  return Object.freeze({ ...projection, field: field(name, type, nullable) })
}
