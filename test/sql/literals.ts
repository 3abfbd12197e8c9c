import { type DataType, field } from '../../src/plan/types/schema.ts'
import { inputType } from '../../src/wasm/duckdb/input-type.ts'
import type { Cell } from '../query/table.ts'

type Value = Exclude<Cell, null>

export function sqlType(type: DataType): string {
  const duck = inputType(field('', type))
  if (duck.kind === 'decimal') return `DECIMAL(${duck.width}, ${duck.scale})`
  if (duck.kind === 'column_time_ns') return 'TIME_NS'
  return duck.kind === 'timestamp_tz' ? 'TIMESTAMPTZ' : duck.kind.toUpperCase()
}

/** A cell as an expression of the column's type. */
export function sqlLiteral(cell: Cell, type: DataType): string {
  return cell === null ? 'NULL' : `CAST(${sqlText(textOf(cell, type))} AS ${sqlType(type)})`
}

export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

const UNIT_NS = { second: 10n ** 9n, millisecond: 10n ** 6n, microsecond: 10n ** 3n, nanosecond: 1n }
const DAY_NS = 86_400n * 10n ** 9n

/** The text of a value as it is written in SQL, without quotes. */
export function textOf(cell: Value, type: DataType): string {
  switch (type.kind) {
    case 'float':
      return Object.is(cell, -0) ? '-0.0' : String(cell)
    case 'decimal':
      return pointed(BigInt(cell), type.scale)
    case 'date':
      return iso(BigInt(cell) * (type.unit === 'day' ? DAY_NS : UNIT_NS.millisecond)).slice(0, 10)
    case 'time':
      return iso(BigInt(cell) * UNIT_NS[type.unit]).slice(11)
    case 'timestamp':
      return iso(BigInt(cell) * UNIT_NS[type.unit]) + (type.zone === null ? '' : '+00')
    default:
      return String(cell)
  }
}

function iso(ns: bigint): string {
  const fraction = ((ns % 10n ** 9n) + 10n ** 9n) % 10n ** 9n
  const seconds = new Date(Number((ns - fraction) / 10n ** 6n)).toISOString().slice(0, 19).replace('T', ' ')
  return fraction === 0n ? seconds : `${seconds}.${String(fraction).padStart(9, '0')}`
}

function pointed(unscaled: bigint, scale: number): string {
  const digits = String(unscaled)
    .replace('-', '')
    .padStart(scale + 1, '0')
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
