import { ServiceError } from '../../../../plan/errors.ts'
import { areIn64Bits } from '../../../../plan/kernels/decimals.ts'
import type { Column as CoreColumn } from '../../../../wasm/core/column.ts'
import type { Core } from '../../../../wasm/core/core.ts'
import { type DecodedBatches, dropRows } from '../../../../wasm/parquet-wasm.ts'
import { collect, join } from '../../collect.ts'
import type { ReadContext } from '../../provider.ts'
import { Encoding } from '../metadata/metadata.ts'
import type { Column } from '../metadata/schema.ts'
import { encodingOf } from '../pages/pages.ts'
import { parquetWasm } from '../shared-parquet-wasm.ts'
import { flatColumnOf } from './flat.ts'
import { type MiniColumn, writeMiniFile } from './mini-file.ts'

/**
 * Decodes rows `offset`..`offset + limit` of columns whose pages all begin at the same row. Chooses the decoder of each column:
 * the core for flat ones, parquet-wasm for all others.
 */
export function decodePages(
  columns: readonly MiniColumn[],
  offset: number,
  limit: number,
  { core, stopwatch }: Pick<ReadContext, 'core' | 'stopwatch'>,
): CoreColumn[] {
  return stopwatch.time('decode', () => {
    const flat = columns.map((column) => flatColumnOf(column, offset, limit))
    const others = columns.filter((_, i) => flat[i] === null)
    const decoded = collect(core, (decodedColumns) => {
      if (others.length > 0) decodedColumns.push(...decodeByParquetWasm(others, offset, limit, core))
      for (const each of flat) if (each !== null) decodedColumns.push(core.flatColumn(each))
    })
    let nextOther = 0
    let nextFlat = others.length
    return flat.flatMap((each) => decoded[each === null ? nextOther++ : nextFlat++] ?? [])
  })
}

/** Decodes all of the columns by parquet-wasm. Otherwise as `decodePages`. */
export function decodeByParquetWasm(
  columns: readonly MiniColumn[],
  offset: number,
  limit: number,
  core: Core,
): CoreColumn[] {
  const skipped = columns.every(canSkip) ? offset : 0
  const rows = { offset: skipped, limit: offset + limit - skipped }
  return parquetWasm.readParquet(writeMiniFile(columns, offset + limit), rows, (decoded) =>
    collect(core, (imported) => {
      for (const [i, { column }] of columns.entries())
        imported.push(importColumn(core, decoded, i, column, offset - skipped, limit))
    }),
  )
}

const DELTA_ENCODINGS: readonly (number | undefined)[] = [
  Encoding.deltaBinaryPacked,
  Encoding.deltaLengthByteArray,
  Encoding.deltaByteArray,
]

/** Whether parquet-wasm can skip values: in delta pages with miniblocks of 256, as DuckDB writes them, it fails. */
function canSkip({ chunks }: MiniColumn): boolean {
  return chunks.every(({ pages }) =>
    pages.every((page) => 'gap' in page || !DELTA_ENCODINGS.includes(encodingOf(page.header))),
  )
}

/** Imports a decoded column into the core, without its first `drop` rows. Throws `unreadable_file` unless `rows` are left. */
function importColumn(
  core: Core,
  { memory, batches }: DecodedBatches,
  index: number,
  { field: { name, type }, leaves: [leaf] }: Column,
  drop: number,
  rows: number,
): CoreColumn {
  let rowsToDrop = drop
  const read = areIn64Bits(type) && leaf !== undefined ? leaf.type : type
  const parts = collect(core, (parts) => {
    for (const batch of batches) {
      const address = batch[index]
      if (address === undefined) continue
      rowsToDrop -= dropRows(memory, address.array, rowsToDrop)
      parts.push(core.importArray(memory, address.array, address.schema, read))
    }
    const got = parts.reduce((sum, part) => sum + core.rows(part), 0)
    if (got !== rows)
      throw new ServiceError('unreadable_file', `column "${name}" holds ${got} of ${rows} rows`)
  })
  const column = join(core, parts)
  if (read === type) return column
  try {
    return core.cast(column, read, type)
  } finally {
    core.free(column)
  }
}
