import { quoteSqlName, type Source, sqlNames } from '../../../../plan/statement/statement.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import type { WrittenRemoteTable } from '../../../remotes/remote-table-name.ts'
import { printTable } from '../../../remotes/sql/print-names.ts'
import { MOST_DIGITS } from '../../bind/column-type.ts'
import { decline } from '../../bind/declined.ts'
import { printType } from '../parse/parse-type.ts'
import type { StatementTemplate } from './statement-template.ts'

/** The indexes of the columns that are read of a table, in order. */
export type ReadColumns = readonly number[]

/**
 * Prints a statement with its tables: each is a list of the columns that are read of it, in the types that they have here, whatever they have there.
 * In place of others stands NULL, so that names and places mean what they mean here.
 */
export function printTemplate(
  { parts, sources }: StatementTemplate,
  schemas: readonly Pick<Source, 'schema'>[],
  read: readonly ReadColumns[],
  tableOf: (gap: number) => WrittenRemoteTable,
): string {
  const printGap = (gap: number): string => {
    const { schema, name } = tableOf(gap)
    const source = schemas[sources[gap] ?? -1] ?? decline('a table without columns')
    return `(SELECT ${printColumns(source, new Set(read[gap]))} FROM ${printTable(schema, name)})`
  }
  return parts.map((part) => (typeof part === 'string' ? part : printGap(part))).join('')
}

function printColumns({ schema }: Pick<Source, 'schema'>, read: ReadonlySet<number>): string {
  const names = sqlNames(schema)
  return schema.fields
    .map(({ name, type }, index) => {
      // Another name in SQL would be another one there too, but only if it has the same columns.
      if (name !== names[index] || name.includes('\0')) return decline('columns without names of their own')
      const column = quoteSqlName(name)
      if (read.has(index)) return `CAST(${column} AS ${printColumnType(type)}) AS ${column}`
      const typeText = columnType(type)
      return `${typeText === null ? 'NULL' : `CAST(NULL AS ${typeText})`} AS ${column}`
    })
    .join(', ')
}

function printColumnType(type: DataType): string {
  return columnType(type) ?? decline('a column of a type without a form')
}

/** The type that a column has in DuckDB here. Null: it is not certain that it has a form there. */
function columnType(type: DataType): string | null {
  if (type.kind !== 'decimal') return printType(type)
  const { precision, scale } = type
  const isExact = precision >= 1 && precision <= MOST_DIGITS && scale >= 0 && scale <= precision
  return isExact ? `DECIMAL(${precision}, ${scale})` : null
}
