import type { ParquetPlan } from '../../../src/plan/output/parquet-plan.ts'
import { segmentsOf } from '../../../src/plan/source/segments.ts'
import type { Part } from '../../../src/plan/task/part.ts'
import { type Field, valueType } from '../../../src/plan/types/schema.ts'
import type { Column } from '../../../src/wasm/core/column.ts'
import type { Core } from '../../../src/wasm/core/core.ts'
import { parquet } from '../../../src/workers/formats/parquet/parquet.ts'
import { memoryStore } from '../../../src/workers/store/memory-store.ts'
import { parquetEncoder } from '../../../src/workers/writers/parquet/parquet-encoder.ts'
import { readContext } from '../../formats/context.ts'

/** Columns of equally many rows. */
export interface TestTable {
  readonly fields: readonly Field[]
  readonly columns: readonly Column[]
  readonly rows: number
}

const PLAIN: ParquetPlan = { kind: 'parquet', points: null }
const cancel = new SharedArrayBuffer(4)

/** The file that runs of so many rows become. */
export function encodedFile(core: Core, table: TestTable, runRows: number, plan = PLAIN): Uint8Array {
  const context = readContext(core)
  const { fields, rows } = table
  const bytes: Buffer[] = [Buffer.from('PAR1')]
  const size = (): number => bytes.reduce((sum, { length }) => sum + length, 0)
  const runs: { at: number; summary: Uint8Array }[] = []
  for (let from = 0; from < rows; from += runRows) {
    const task = { kind: 'encode', plan, fields, cancel } as const
    const run = Math.min(runRows, rows - from)
    // The part has a row before those of the run, which is left out.
    const first = Math.max(0, from - 1)
    const { chunks, summary } = parquetEncoder.encode(
      { ...task, parts: [partOf(core, table, first, from + run - first)], from: from - first, rows: run },
      context,
    )
    runs.push({ at: size(), summary })
    bytes.push(...chunks.map((chunk) => Buffer.from(chunk)))
  }
  const end = parquetEncoder.end({ kind: 'encode_end', plan, fields, runs, at: size(), cancel }, context)
  return Buffer.concat([...bytes, ...end.map((chunk) => Buffer.from(chunk))])
}

function partOf(core: Core, { fields, columns, rows }: TestTable, from: number, count: number): Part {
  const types = fields.map(({ type }) => valueType(type))
  const batch = core.encodeBatch(columns, types, rows, null, from, count, 1 << 28)
  const { bytes, metadataBytes } = batch
  return { rows: batch.rows, from, payload: { kind: 'arrow', bytes, metadataBytes, dictionaries: [] } }
}

/** The schema of a file, and its rows as record batches, one of each row group. */
export function readBack(
  core: Core,
  file: Uint8Array,
): { readonly fields: readonly Field[]; readonly batches: readonly ArrayBuffer[] } {
  const context = readContext(core)
  const version = { device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n }
  const store = memoryStore(file, { path: 'output.parquet', location: '', version })
  const opened = parquet.open(store, context)
  const { fields } = opened.schema
  const segments = segmentsOf(opened.segments([], store, context))
  const batches = segments.map(({ rows }, segment) => {
    const range = { kind: 'rows', segment, from: 0, to: rows ?? 0 } as const
    const { columns } = opened.read(store, range, fields, context)
    const types = fields.map(({ type }) => type)
    const { bytes } = core.encodeBatch(columns, types, rows ?? 0, null, 0, rows ?? 0, 1 << 28)
    for (const column of columns) core.free(column)
    return bytes
  })
  return { fields, batches }
}
