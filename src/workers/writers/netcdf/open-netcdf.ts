import { type NetcdfPlan, type NetcdfVariable, OBS, textDimension } from '../../../plan/output/netcdf-plan.ts'
import type { Field } from '../../../plan/types/schema.ts'
import type { ReadContext } from '../../formats/provider.ts'
import type { FileWriter } from '../file-writer.ts'
import { plainBatches } from '../plain-batches.ts'
import type { ColumnWriter } from './column-writer.ts'
import { constantColumns } from './constant-columns.ts'
import { createHeldRows } from './held-rows.ts'
import { plannedAttributes } from './nc4-attributes.ts'
import { createNc4File, type Nc4Dimension, type Nc4File, type Nc4Variable } from './nc4-file.ts'
import { numberWriter } from './number-writer.ts'
import { fixedTextWriter, textWriter } from './text-writer.ts'

/** The most rows of a chunk: 1 MiB of doubles, which the library writes at once. Twice as many take seven times as long. */
const CHUNK_ROWS = 131_072

/** The most bytes of values that are held. Chunks of wide rows have fewer rows, so that whole chunks are written of them, too. */
const HELD_BYTES = 16 << 20

/** Begins a flat file. */
export async function openNetcdf(
  { variables, attributes, compression }: NetcdfPlan,
  fields: readonly Field[],
  { descriptor }: { readonly descriptor: number },
): Promise<FileWriter> {
  const file = await createNc4File(descriptor)
  const columns = variables.map(columnWriter)
  const constants = constantColumns(
    attributes,
    attributes.map(({ column }) => column),
    fields,
  )
  const width = columns.reduce((sum, column) => sum + column.width, 0)
  const chunkRows = chunkOf(width)
  const held = createHeldRows(width, HELD_BYTES)
  let isDefined = false
  /** Rows that are written. */
  let rows = 0

  /** Writes the rows that are held. The first ones decide on the chunks, which are stored whole: a short file has short ones. */
  function writeHeld(chunk: number, { checkCancelled }: Pick<ReadContext, 'checkCancelled'>): void {
    if (!isDefined) define(file, variables, chunk, compression)
    isDefined = true
    const count = held.rows
    const slices = held.take()
    if (count === 0) return
    file.lengthen(0, rows + count)
    for (const column of columns) {
      checkCancelled()
      column.write(slices, rows, count, file)
    }
    rows += count
  }

  return {
    get bytes() {
      return file.bytes
    },
    setAside: 0,
    write(parts, context) {
      for (const whole of plainBatches(parts, fields, context)) {
        constants.observe(whole)
        const batch = { ...whole, arrays: variables.flatMap(({ column }) => whole.arrays[column] ?? []) }
        for (let from = 0; from < batch.rows; ) {
          const { added, isFull } = held.add(batch, from, chunkRows - (rows % chunkRows))
          from += added
          if (isFull) writeHeld(chunkRows, context)
        }
      }
    },
    finish(context) {
      writeHeld(Math.max(1, held.rows), context)
      for (const [index, column] of columns.entries()) {
        const fill = column.fillValue()
        if (fill !== null) file.addAttribute(index, fill)
      }
      constants.write(file)
      file.close()
      return true
    },
    close: () => file.discard(),
  }
}

/** The rows of a chunk: a power of two. */
function chunkOf(width: number): number {
  let rows = CHUNK_ROWS
  while (rows > 1 && rows * width > HELD_BYTES) rows /= 2
  return rows
}

function define(file: Nc4File, variables: NetcdfPlan['variables'], chunk: number, compression: number): void {
  const widths = [...new Set(variables.flatMap(({ width }) => (width === null ? [] : [width])))]
  const dimensions: Nc4Dimension[] = [
    { name: OBS, length: 0, isUnlimited: true },
    ...widths.map((length) => ({ name: textDimension(length), length, isUnlimited: false })),
  ]
  const fileVariables = variables.map(
    ({ name, type, width, attributes }): Nc4Variable => ({
      name,
      type,
      dimensions: width === null ? [0] : [0, 1 + widths.indexOf(width)],
      chunks: width === null ? [chunk] : [chunk, width],
      compression,
      attributes: plannedAttributes(attributes, type),
    }),
  )
  file.define(dimensions, fileVariables)
}

/** What writes the values of the column with this index. */
function columnWriter(variable: NetcdfVariable, index: number): ColumnWriter {
  const { type, width } = variable
  if (type === 'string') return textWriter(index)
  if (type === 'char') return fixedTextWriter(index, width ?? 1)
  return numberWriter(index, variable.name, type)
}
