import { closeSync, openSync } from 'node:fs'
import { gridPlan } from '../../../src/main/output/files/grid/grid-plan.ts'
import type { Part } from '../../../src/plan/task/part.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import { type DataType, type Field, field } from '../../../src/plan/types/schema.ts'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { openGrid } from '../../../src/workers/writers/grid/open-grid.ts'
import { columnOf } from '../../core/columns.ts'
import { readContext } from '../../formats/context.ts'

/** A column: its name, its type, and its values, of which null is a null. Numbers of an integer type are integers. */
export type Given = readonly [
  name: string,
  type: DataType,
  values: readonly (number | bigint | boolean | null)[],
]

const core = createCore({ maximumBytes: 256 << 20 })
const context = readContext(core)

/** Writes a gridded file of the columns, the first of which are its dimensions, in parts of so many rows. */
export async function writeGrid(
  path: string,
  dimensions: number,
  given: readonly Given[],
  { partRows = 3, maximumBytes = 1 << 30, compression = 0, spoolPath = `${path}.spool` } = {},
): Promise<void> {
  const fields = given.map(([name, type]) => field(name, type))
  const names = fields.slice(0, dimensions).map(({ name }) => name)
  const plan = gridPlan({ fields, metadata: {} }, { dimensionColumns: names, compression }, maximumBytes)
  const descriptor = openSync(path, modeOf(path))
  const spool = openSync(spoolPath, modeOf(spoolPath))
  const writer = await openGrid(plan, fields, { descriptor, spool }, context)
  try {
    const rows = given[0]?.[2].length ?? 0
    for (let from = 0; from < rows; from += partRows) {
      const values = given.map(([, type, all]) =>
        all.slice(from, from + partRows).map((value) => (value === null ? null : scalar(type, value))),
      )
      writer.write([partOf(fields, values)], context)
    }
    while (!writer.finish(context));
  } finally {
    writer.close()
    closeSync(descriptor)
    closeSync(spool)
  }
}

function partOf(fields: readonly Field[], values: readonly (readonly (Scalar | null)[])[]): Part {
  const columns = fields.map(({ type }, index) => columnOf(core, type, values[index] ?? []))
  const types = fields.map(({ type }) => type)
  const { bytes, metadataBytes, rows } = core.encodeBatch(
    columns,
    types,
    values[0]?.length ?? 0,
    null,
    0,
    1e9,
    1e9,
  )
  columns.forEach(core.free)
  return { rows, from: 0, payload: { kind: 'arrow', bytes, metadataBytes, dictionaries: [] } }
}

function scalar(type: DataType, value: number | bigint | boolean): Scalar {
  if (typeof value === 'boolean') return { kind: 'bool', value }
  return type.kind === 'float'
    ? { kind: 'float', value: Number(value) }
    : { kind: 'int', value: BigInt(value) }
}

function modeOf(path: string): string {
  return path.startsWith('/dev/') ? 'r+' : 'w+'
}
