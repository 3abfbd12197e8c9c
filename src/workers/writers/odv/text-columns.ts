import type { OdvPlan } from '../../../plan/output/odv-plan.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { collect } from '../../formats/collect.ts'
import { at, type TypedTable } from '../../rows/typed-table.ts'
import type { ProfileNumbers } from './station-runs.ts'

/** The columns of the lines of a text, and the numbers behind their first fields (`Core.encodeOdv`). */
export interface TextColumns {
  readonly columns: readonly Column[]
  readonly types: readonly DataType[]
  readonly profiles: Column | null
  free(): void
}

const UINT32: DataType = Object.freeze({ kind: 'int', bits: 32, signed: false })
const UTF8: DataType = Object.freeze({ kind: 'utf8' })

/** Makes the columns that a line has besides those of the table. `numbers` null: all are 1. */
export function textColumns(
  core: Core,
  { line }: OdvPlan,
  { table, types }: TypedTable,
  numbers: Uint32Array | null,
  profiles: ProfileNumbers | null,
): TextColumns {
  const { rows } = table
  const coreColumns = collect(core, (columns) => {
    columns.push(
      numbers === null
        ? core.constant(UINT32, { kind: 'int', value: 1n }, rows)
        : core.assemble({ layout: 'fixed', parameter: 4, rows, buffers: [null, bytesOf(numbers)] }),
      core.constant(UTF8, { kind: 'bytes', value: Buffer.from('*') }, rows),
    )
    if (profiles === null) return
    const buffers = [profiles.validity, bytesOf(profiles.numbers)]
    columns.push(core.assemble({ layout: 'fixed', parameter: 4, rows, buffers }))
  })
  const generated = {
    station: { column: at(coreColumns, 0), type: UINT32 },
    type: { column: at(coreColumns, 1), type: UTF8 },
  }
  const fields = line.map(({ value }) =>
    typeof value === 'number'
      ? { column: at(table.columns, value), type: at(types, value) }
      : generated[value],
  )
  return {
    columns: fields.map(({ column }) => column),
    types: fields.map(({ type }) => type),
    profiles: coreColumns[2] ?? null,
    free: () => coreColumns.forEach(core.free),
  }
}

/** Frees the columns of a table. */
export function freeTable(core: Core, { table }: TypedTable): void {
  for (const column of new Set(table.columns)) core.free(column)
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
