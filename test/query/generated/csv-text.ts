import type { DataType } from '../../../src/plan/types/schema.ts'
import type { fc } from '../../support/generate.ts'
import type { Cell, TestTable } from '../table.ts'
import { tables } from './generators.ts'

const INTEGER: DataType = { kind: 'int', bits: 64, signed: true }
const FLOAT: DataType = { kind: 'float', bits: 64 }
const TEXT: DataType = { kind: 'utf8' }

/**
 * Tables of types that are inferred from CSV. Their first row has a value in each column that tells its type. There are two columns at
 * least: a null alone in its row would be an empty line.
 */
export function csvTables(): fc.Arbitrary<TestTable> {
  return tables([INTEGER, FLOAT, TEXT])
    .filter(({ columns }) => columns.length > 1)
    .map(({ rows, columns }) => ({
      rows: rows + 1,
      columns: columns.map(({ name, type, cells }) => ({
        name,
        type,
        cells: [type === INTEGER ? 7n : type === FLOAT ? 7.5 : 'x', ...cells.map(distinguished)],
      })),
    }))
}

/** A value that CSV holds: an empty text is none there, and what is no number is text. */
function distinguished(cell: Cell): Cell {
  if (cell === '') return 'empty'
  return typeof cell === 'number' && !Number.isFinite(cell) ? 0.25 : cell
}

/** The text of a file with this table. */
export function csvText({ rows, columns }: TestTable): string {
  const lines = Array.from({ length: rows }, (_, row) =>
    columns.map(({ cells }) => field(cells[row] ?? null)),
  )
  return [columns.map(({ name }) => field(name)), ...lines].map((line) => `${line.join(',')}\n`).join('')
}

function field(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return `"${cell.replaceAll('"', '""')}"`
  return Object.is(cell, -0) ? '-0.0' : String(cell)
}
