import type { ParquetPlan } from '../../../plan/output/parquet-plan.ts'
import type { EncodeEndTask, EncodeTask } from '../../../plan/task/file-tasks.ts'
import type { ReadContext } from '../../formats/provider.ts'
import { rowTable } from '../../rows/row-table.ts'
import { at } from '../../rows/typed-table.ts'
import type { EncodedRows, FileEncoder } from '../file-encoder.ts'
import { fileEnd } from './file-end.ts'
import { type Box, GEOMETRY, geoMetadata, joinedBox, withGeometry } from './geometry.ts'
import { packRun, unpackRun } from './row-group.ts'
import { encodeRowGroups } from './row-groups.ts'
import { storedField } from './stored-field.ts'

/** Parquet files, with a column of points if the plan has one. Each run becomes a row group, or several if it has nested columns. */
export const parquetEncoder: FileEncoder<ParquetPlan> = Object.freeze({ encode, end })

function encode(task: EncodeTask & { readonly plan: ParquetPlan }, context: ReadContext): EncodedRows {
  const { core } = context
  const { table, types } = rowTable(task.parts, task.fields, context)
  const columns = [...table.columns]
  const fields = task.fields.map((field, i) => ({ ...field, type: at(types, i) }))
  try {
    let box: Box | null = null
    if (task.plan.points !== null && columns.length > 0) {
      const { longitude, latitude } = task.plan.points
      const points = core.points(
        at(columns, longitude),
        at(types, longitude),
        at(columns, latitude),
        at(types, latitude),
      )
      columns.push(points.column)
      fields.push(GEOMETRY)
      box = points.box
    }
    const encoded = encodeRowGroups({ fields, columns, rows: table.rows }, task.from, task.rows, context)
    return { chunks: encoded.chunks, summary: packRun({ groups: encoded.groups, box }) }
  } finally {
    for (const column of columns) core.free(column)
  }
}

function end({
  plan,
  fields,
  runs,
  at,
}: EncodeEndTask & { readonly plan: ParquetPlan }): readonly ArrayBuffer[] {
  const unpackedRuns = runs.map(({ at, summary }) => ({ at, ...unpackRun(summary) }))
  const groups = unpackedRuns.flatMap(({ at, groups }) => groups.map((group) => ({ at, group })))
  const box = unpackedRuns.reduce<Box | null>((joined, { box }) => joinedBox(joined, box), null)
  const keyValues = plan.points === null ? [] : [geoMetadata(box)]
  return [fileEnd(withGeometry(fields, plan).map(storedField), groups, keyValues, at)]
}
