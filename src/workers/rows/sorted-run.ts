import { BATCH_ROWS } from '../../plan/limits.ts'
import type { Part } from '../../plan/task/part.ts'
import {
  blockNumber,
  type SortedBlock,
  type SortedRun,
  type SortRunTask,
} from '../../plan/task/sort-tasks.ts'
import type { DataType } from '../../plan/types/schema.ts'
import type { Column, Order } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { collect } from '../formats/collect.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import { encodeParts } from './encode-rows.ts'
import { dictionariesOf, shortTransferTypes } from './part-dictionaries.ts'
import { takeRows } from './take-rows.ts'
import { at, type TypedTable, tableOf } from './typed-table.ts'

const BLOCK_NUMBER: DataType = Object.freeze({ kind: 'int', bits: 32, signed: false })

/** The blocks of a run, of a table in its order. */
export function sortedRun(
  { run, order: keys, blockBytes }: Pick<SortRunTask, 'run' | 'order' | 'blockBytes'>,
  { table, types }: TypedTable,
  context: ReadContext,
): SortedRun {
  const { core } = context
  const { order, columns, rows } = table
  if (order === null) throw new TypeError('a run without an order')
  if (rows === 0) return { chunks: [], blocks: [], ends: [], dictionaries: [] }
  const sent = shortTransferTypes(core, columns, types, rows)
  const { chunks, blocks } = blocksOf({ columns, order, rows }, sent, blockBytes, context)
  const keyColumns = keys.map(({ column }) => at(columns, column))
  const keyTypes = keys.map(({ column }) => at(types, column))
  const ends = endsOf(run, blocks, { columns: keyColumns, order, rows }, keyTypes, context)
  const dictionaries = dictionariesOf(core, columns, sent, 'arrow').map(({ id, key, bytes }) => ({
    id,
    key,
    bytes: new Uint8Array(bytes),
  }))
  return { chunks, blocks, ends, dictionaries }
}

type OrderedRows = Pick<DecodedUnit, 'columns' | 'rows'> & { readonly order: Order }

function blocksOf(
  { columns, order, rows }: OrderedRows,
  types: readonly DataType[],
  blockBytes: number,
  { core, stopwatch, checkCancelled }: ReadContext,
): Pick<SortedRun, 'chunks' | 'blocks'> {
  const chunks: ArrayBuffer[] = []
  const blocks: SortedBlock[] = []
  for (let from = 0; from < rows; from += BATCH_ROWS) {
    checkCancelled()
    const count = Math.min(BATCH_ROWS, rows - from)
    const taken = stopwatch.time('sort', () => takeRows(core, columns, order, from, from + count))
    try {
      const rowBytes = bytesOf(core, taken) / count
      stopwatch.time('encode', () => {
        for (let row = 0; row < count; ) {
          const batch = core.encodeBatch(taken, types, count, null, row, count, blockBytes, 'lz4')
          chunks.push(batch.bytes)
          const bytes = batch.bytes.byteLength
          blocks.push({ rows: batch.rows, bytes, size: Math.max(bytes, Math.ceil(rowBytes * batch.rows)) })
          row = batch.next
        }
      })
    } finally {
      for (const column of new Set(taken)) core.free(column)
    }
  }
  return { chunks, blocks }
}

function bytesOf(core: Core, columns: readonly Column[]): number {
  return [...new Set(columns)].reduce((sum, column) => sum + core.columnBytes(column), 0)
}

/** The keys of the last row of each block, and the numbers of the blocks. */
function endsOf(
  run: number,
  blocks: readonly SortedBlock[],
  { columns, order, rows }: OrderedRows,
  types: readonly DataType[],
  context: ReadContext,
): readonly Part[] {
  const { core } = context
  let to = 0
  const last = blocks.map((block) => {
    to += block.rows
    return { from: to - 1, to }
  })
  const mask = core.inRuns(rows, last)
  try {
    const ends = collect(core, (endColumns) => {
      for (const column of columns)
        endColumns.push(taken(core, column, order, rows, (all) => core.filter(all, mask)))
      const numbers = Uint32Array.from(blocks, (_, block) => blockNumber(run, block))
      const bytes = new Uint8Array(numbers.buffer)
      endColumns.push(
        core.assemble({ layout: 'fixed', parameter: 4, rows: numbers.length, buffers: [null, bytes] }),
      )
    })
    try {
      return encodeParts(ALL_ROWS, tableOf(ends, blocks.length), [...types, BLOCK_NUMBER], 0, context).parts
    } finally {
      for (const column of ends) core.free(column)
    }
  } finally {
    core.freeMask(mask)
  }
}

const ALL_ROWS = Object.freeze({
  take: Number.POSITIVE_INFINITY,
  encoding: 'arrow',
  answerBytes: Number.POSITIVE_INFINITY,
})

/** Calls `use` with a column in an order, and frees that afterwards. */
function taken<T>(core: Core, column: Column, order: Order, rows: number, use: (taken: Column) => T): T {
  const all = core.take(column, order, 0, rows)
  try {
    return use(all)
  } finally {
    core.free(all)
  }
}
