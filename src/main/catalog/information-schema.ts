import {
  type DataType,
  DECIMAL_DIGITS,
  type Field,
  SECOND_DIGITS,
  typeName,
} from '../../plan/types/schema.ts'
import type { CatalogTable } from './catalog.ts'

/** The values of a row, one for each column of its relation (plan/statement/system-relations.ts). */
export type InformationRow = readonly (string | number | null)[]

/** What `information_schema.tables` says of a table. `catalog` is the name of its catalog. */
export function tableRow(catalog: string, table: CatalogTable): InformationRow {
  return [...nameOf(catalog, table), table.type]
}

/** What `information_schema.views` says of a view. Those of the service itself have no definition. */
export function viewRow(catalog: string, view: CatalogTable): InformationRow {
  return [...nameOf(catalog, view), view.query]
}

/** What `information_schema.schemata` says of a schema. */
export function schemaRow(catalog: string, schema: string): InformationRow {
  return [catalog, schema, null, null, null, null, null]
}

/**
 * What `information_schema.columns` says of the columns of a table. A table whose columns are found by each query, because no file
 * was there when it was made, has none.
 */
export function columnRows(catalog: string, table: CatalogTable): readonly InformationRow[] {
  const name = nameOf(catalog, table)
  return (table.columns?.fields ?? []).map((field, index) => [...name, ...columnRow(field, index + 1)])
}

function nameOf(catalog: string, { schema, name }: CatalogTable): InformationRow {
  return [catalog, schema, name]
}

/** From `column_name` on. `position` counts from 1. */
function columnRow({ name, nullable, type }: Field, position: number): InformationRow {
  const { digits, radix, scale } = numberOf(type)
  return [
    name,
    position,
    null,
    nullable ? 'YES' : 'NO',
    typeName(type),
    null,
    null,
    digits,
    radix,
    scale,
    secondDigits(type),
    type.kind === 'interval' ? type.unit.toUpperCase().replaceAll('_', ' ') : null,
  ]
}

interface NumberFacts {
  readonly digits: number | null
  readonly radix: 2 | 10 | null
  readonly scale: number | null
}

/** The precision of a number: in bits if it is an integer or a float (of those its significand), in digits if it is a decimal. */
function numberOf(type: DataType): NumberFacts {
  switch (type.kind) {
    case 'int':
      return { digits: type.bits, radix: 2, scale: 0 }
    case 'float':
      return { digits: SIGNIFICAND_BITS[type.bits], radix: 2, scale: null }
    case 'decimal':
      return { digits: Math.min(type.precision, DECIMAL_DIGITS[type.bits]), radix: 10, scale: type.scale }
    default:
      return { digits: null, radix: null, scale: null }
  }
}

/** The bits of a float's significand (IEEE 754, table 3.5). */
const SIGNIFICAND_BITS = Object.freeze({ 16: 11, 32: 24, 64: 53 } as const)

/** The digits of the fraction of a second. */
function secondDigits(type: DataType): number | null {
  if (type.kind === 'time' || type.kind === 'timestamp') return SECOND_DIGITS[type.unit]
  return type.kind === 'date' ? 0 : null
}
