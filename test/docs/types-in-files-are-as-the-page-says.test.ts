import { readFileSync } from 'node:fs'
import t from 'tap'
import { gridType } from '../../src/main/output/files/grid/grid-type.ts'
import { variableType } from '../../src/main/output/files/netcdf/variable-type.ts'
import { odvValueType, requireOdvType } from '../../src/main/output/files/odv/odv-types.ts'
import { requireParquetColumns } from '../../src/main/output/files/parquet/parquet-types.ts'
import { isServiceError } from '../../src/plan/errors.ts'
import { textDimension } from '../../src/plan/output/netcdf-plan.ts'
import { parseTypeName } from '../../src/plan/types/parse-type-name.ts'
import { type DataType, type Field, field } from '../../src/plan/types/schema.ts'
import {
  ConvertedType,
  PhysicalType,
  type SchemaElement,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { storedField } from '../../src/workers/writers/parquet/stored-field.ts'
import { writtenSchema } from '../../src/workers/writers/parquet/written-schema.ts'

/** What is written for a column, as the page says it. Throws the error of the 400. */
type Written = (column: Field) => string

/** The names of physical types in Parquet's specification. */
const PHYSICAL_NAMES = {
  boolean: 'BOOLEAN',
  int32: 'INT32',
  int64: 'INT64',
  float: 'FLOAT',
  double: 'DOUBLE',
  byteArray: 'BYTE_ARRAY',
  fixedLenByteArray: 'FIXED_LEN_BYTE_ARRAY',
} as const

/** The formats of the page, by the heads of their columns. */
const FORMATS: ReadonlyMap<string, Written> = new Map([
  ['parquet, geoparquet', parquetForm],
  ['netcdf', variableForm],
  ['nd_netcdf', gridType],
  ['odv', odvType],
])

/** The rows of the table of types: a type, and a cell for each format. */
const [head = [], , ...rows] = readFileSync('docs/reference/file-types.md', 'utf8')
  .split('\n\n')
  .filter((paragraph) => paragraph.startsWith('| Arrow |'))
  .flatMap((table) => table.trim().split('\n'))
  .map((line) => line.slice(2, -2).split(' | '))

t.ok(rows.length > 40, 'there is a table')
for (const [name = '', ...cells] of rows) {
  const type = parseTypeName(name)
  if (type === null) {
    t.fail(`${name} is no type`)
    continue
  }
  for (const [i, cell] of cells.entries()) {
    const written = FORMATS.get(head[i + 1] ?? '')
    if (written !== undefined) t.equal(formOf(type, written), cell, `${name} in ${head[i + 1]}`)
  }
}

/** The cell of a type. A 400 has to name the column and its type. */
function formOf(type: DataType, written: Written): string {
  try {
    return written(field('the column', type))
  } catch (error) {
    if (!isServiceError(error)) throw error
    t.match(error, { code: 'not_supported', message: /"the column" has the type .*; / })
    return '400'
  }
}

/** What the comments of a file say of the column. */
function odvType(column: Field): string {
  requireOdvType(column, 'output.format.odv')
  return odvValueType(column.type) ?? '400'
}

function variableForm(column: Field): string {
  const { type, width, attributes } = variableType(column)
  const unit = attributes['units']?.toString().split(' ')[0]
  return [
    type,
    ...(width === null ? [] : [textDimension(width)]),
    ...(unit === undefined ? [] : [unit]),
  ].join(', ')
}

function parquetForm(column: Field): string {
  requireParquetColumns([column])
  const { elements } = writtenSchema([storedField(column)])
  const [, element] = elements
  if (element === undefined) throw new TypeError('no element of the schema')
  const physical = Object.entries(PHYSICAL_NAMES).find(
    ([key]) => PhysicalType[key as keyof typeof PHYSICAL_NAMES] === element.type,
  )
  const length = element.typeLength === undefined ? '' : `(${element.typeLength})`
  return [...(physical ? [`${physical[1]}${length}`] : []), ...annotationNames(element)].join(', ') || 'group'
}

/** The annotation of an element, as LogicalTypes.md of apache/parquet-format names it. */
function annotationNames({ logicalType, convertedType }: SchemaElement): readonly string[] {
  if (logicalType === undefined) return convertedType === ConvertedType.interval ? ['INTERVAL'] : []
  const { integer, decimal, time, timestamp } = logicalType
  const unit = (of: { readonly millis?: unknown; readonly micros?: unknown }) =>
    of.millis ? 'MILLIS' : of.micros ? 'MICROS' : 'NANOS'
  if (integer) return [`INT(${integer.bitWidth}, ${integer.isSigned})`]
  if (decimal) return [`DECIMAL(${decimal.precision}, ${decimal.scale})`]
  if (time) return [`TIME(${unit(time.unit)}${time.isAdjustedToUtc ? ', UTC' : ''})`]
  if (timestamp) return [`TIMESTAMP(${unit(timestamp.unit)}${timestamp.isAdjustedToUtc ? ', UTC' : ''})`]
  return Object.keys(logicalType).map((name) => name.toUpperCase())
}
