import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableToIPC } from 'apache-arrow'
import {
  type EnabledStatistics,
  Table as ParquetTable,
  WriterPropertiesBuilder,
  writeParquet,
} from 'parquet-wasm'
import { fc } from '../support/generate.ts'
import { toArrow } from './arrow-table.ts'
import { narrowed } from './file-summaries.ts'
import { FILTERABLE } from './generated/generators.ts'
import type { TestTable } from './table.ts'

/** Parquet has no timestamps in seconds: they would be read in another unit. */
export const WRITABLE = FILTERABLE.filter((type) => !(type.kind === 'timestamp' && type.unit === 'second'))

/** How a table is divided into files. */
export interface Layout {
  readonly files: number
  readonly rowGroupRows: number
  /** For columns of files after the first: the number of a narrower type, or whether a column of nulls is left out. */
  readonly choices: readonly number[]
}

export const layouts: fc.Arbitrary<Layout> = fc.record({
  files: fc.integer({ min: 1, max: 3 }),
  rowGroupRows: fc.integer({ min: 1, max: 12 }),
  choices: fc.array(fc.nat(), { minLength: 15, maxLength: 15 }),
})

/** Consecutive rows in each file. The first file has every column in the type of the table. */
export function writeFiles(
  folder: string,
  table: TestTable,
  layout: Layout,
  statistics: EnabledStatistics,
): void {
  mkdirSync(folder, { recursive: true })
  const step = Math.ceil(table.rows / layout.files)
  for (let file = 0; file < layout.files; file++) {
    const [from, to] = [file * step, Math.min(table.rows, (file + 1) * step)]
    const columns = table.columns.flatMap((column, index) => {
      const slice = { ...column, cells: column.cells.slice(from, to) }
      const choice = layout.choices[5 * file + index] ?? 0
      if (file === 0) return [slice]
      const isLeftOut = index > 0 && choice % 2 === 1 && slice.cells.every((cell) => cell === null)
      return isLeftOut ? [] : [narrowed(slice, choice)]
    })
    const properties = new WriterPropertiesBuilder()
      .setStatisticsEnabled(statistics)
      .setMaxRowGroupSize(layout.rowGroupRows)
      .build()
    const stream = tableToIPC(toArrow({ rows: Math.max(0, to - from), columns }), 'stream')
    const bytes = writeParquet(ParquetTable.fromIPCStream(stream), properties)
    writeFileSync(join(folder, `${file}.parquet`), bytes)
  }
}
