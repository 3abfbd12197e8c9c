import { ServiceError } from '../../plan/errors.ts'
import type { FileFormat, Projection, ScanPlan, SourceColumn } from '../../plan/plan.ts'
import { columnsOf } from '../../plan/predicate.ts'
import type { Scalar } from '../../plan/scalar.ts'
import { type DataType, type Field, field, type Schema, valueType } from '../../plan/schema.ts'
import type { FileRef } from '../../plan/unit.ts'
import { bindFilters } from './bind-filter.ts'
import { didYouMean, listNames } from './names.ts'
import type { ColumnEntry, ValueEntry } from './select.ts'
import { reject } from './shape.ts'
import type { SupportedJson } from './supported.ts'

/** What a query reads: a table name or a format and its paths, for messages, and the files. */
export interface Source {
  readonly relation: string
  readonly format: FileFormat
  readonly files: readonly FileRef[]
}

/**
 * The plan of a request over files that are read as `schema`: names resolved, values converted to the type of their
 * column. Filters may name output columns and, beyond the reference, any source column (http-api.md §4.2).
 * Throws `invalid_query`, `unknown_column` and `type_mismatch`, with the
 * JSON path.
 */
export function bind(request: SupportedJson, source: Source, schema: Schema): ScanPlan {
  const { relation, format, files } = source
  const fields = new Map(schema.fields.map((each) => [each.name, each]))
  const fieldOf = (name: string, path: string): Field =>
    fields.get(name) ?? unknownColumn(name, path, relation, [...fields.keys()])

  const projection = request.select.map((entry) =>
    entry.kind === 'column' ? projectColumn(entry, fieldOf) : projectValue(entry),
  )
  const outputs = new Map<string, Projection>()
  for (const [index, output] of projection.entries()) {
    const { name } = output.field
    if (outputs.has(name)) {
      reject(`select[${index}]`, `an earlier output column is named ${JSON.stringify(name)}; give an alias`)
    }
    outputs.set(name, output)
  }

  const filter = bindFilters(request.filters, (name, path) => {
    const output = outputs.get(name)
    if (output?.kind === 'constant') {
      return { kind: 'constant', name, type: output.field.type, value: output.value }
    }
    const { name: column, type } = fieldOf(output?.column ?? name, path)
    return { kind: 'column', name: column, type: valueType(type) }
  })
  const passesAll = filter.op === 'constant' && filter.value

  return Object.freeze({
    engine: 'core',
    scan: Object.freeze({
      format,
      columns: columnsRead(columnsOf(filter), projection, fields),
      filter: passesAll ? null : filter,
      projection: Object.freeze(projection),
    }),
    relation,
    files,
    output: Object.freeze({
      fields: Object.freeze(projection.map((each) => each.field)),
      metadata: schema.metadata,
    }),
    offset: request.offset,
    limit: request.limit,
  })
}

function projectColumn(entry: ColumnEntry, fieldOf: (name: string, path: string) => Field): Projection {
  const source = fieldOf(entry.column, entry.path)
  const output = Object.freeze({ ...source, name: entry.alias ?? source.name })
  return Object.freeze({ kind: 'column', column: source.name, field: output })
}

const UTF8: DataType = Object.freeze({ kind: 'utf8' })
const BOOL: DataType = Object.freeze({ kind: 'bool' })
const NULL: DataType = Object.freeze({ kind: 'null' })
const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })

/** Without an alias the column is named as the reference's engine prints the literal. */
function projectValue({ value, alias }: ValueEntry): Projection {
  const constant = (name: string, type: DataType, scalar: Scalar | null): Projection =>
    Object.freeze({ kind: 'constant', value: scalar, field: field(alias ?? name, type, scalar === null) })
  if (value === null) return constant('NULL', NULL, null)
  if (typeof value === 'boolean') return constant(`Boolean(${value})`, BOOL, { kind: 'bool', value })
  if (typeof value === 'number') return constant(`Float64(${value})`, FLOAT64, { kind: 'float', value })
  return constant(`Utf8("${value}")`, UTF8, { kind: 'bytes', value: new TextEncoder().encode(value) })
}

/** Each column once, those of the filter first: they decide whether the others are needed. */
function columnsRead(
  filtered: readonly string[],
  projection: readonly Projection[],
  fields: ReadonlyMap<string, Field>,
): readonly SourceColumn[] {
  const projected = projection.flatMap((output) => (output.kind === 'column' ? [output.column] : []))
  const sources = [...new Set([...filtered, ...projected])].flatMap((name) => fields.get(name) ?? [])
  return Object.freeze(sources.map(({ name, type }) => Object.freeze({ name, type })))
}

function unknownColumn(name: string, path: string, relation: string, names: readonly string[]): never {
  const has = names.length === 0 ? 'no columns' : listNames(names)
  const hint = name === '*' ? ', "*" has no special meaning' : didYouMean(name, names)
  throw new ServiceError(
    'unknown_column',
    `${path}: there is no column ${JSON.stringify(name)} in ${relation}${hint}; it has ${has}`,
  )
}
