import { writeSync } from 'node:fs'
import type { Part } from '../../../src/plan/task/part.ts'
import type { Field } from '../../../src/plan/types/schema.ts'
import type { ReadContext } from '../../../src/workers/formats/provider.ts'
import { encoderOf } from '../../../src/workers/rows/encoder.ts'
import { rowTable } from '../../../src/workers/rows/row-table.ts'
import type { FileKinds } from '../../../src/workers/writers/file-kinds.ts'

/** Files of CSV: of the kind `parquet`, with a last line that tells of the runs, or of the kind `netcdf`, in slices of the end. */
export const TOY_KINDS: FileKinds = {
  encoders: {
    parquet: {
      encode({ parts, fields, from, rows }, context) {
        const summary = Buffer.alloc(4)
        summary.writeUInt32LE(rows)
        return { chunks: [csv(parts, fields, from, rows, context)], summary }
      },
      end({ runs, at }) {
        const told = runs.map((run) => `${run.at}+${Buffer.from(run.summary).readUInt32LE()}`)
        return [new Uint8Array(Buffer.from(`${told.join(' ')} of ${at}\n`)).buffer]
      },
    },
  },
  writers: {
    netcdf(_, fields, { descriptor }) {
      let bytes = 0
      let slices = 0
      return {
        get bytes() {
          return bytes
        },
        setAside: 0,
        write(parts, context) {
          const rows = parts.reduce((sum, part) => sum + part.rows, 0)
          bytes += writeSync(descriptor, new Uint8Array(csv(parts, fields, 0, rows, context)), 0, null, bytes)
        },
        finish: () => ++slices === 3,
        close() {},
      }
    },
  },
}

function csv(
  parts: readonly Part[],
  fields: readonly Field[],
  from: number,
  rows: number,
  context: ReadContext,
): ArrayBuffer {
  const { core } = context
  const { table, types } = rowTable(parts, fields, context)
  try {
    const { bytes } = encoderOf(core, 'csv')(table.columns, types, table.rows, null, from, rows, 1 << 30)
    return bytes
  } finally {
    for (const column of table.columns) core.free(column)
  }
}
