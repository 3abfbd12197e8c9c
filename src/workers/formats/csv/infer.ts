import { field, type Schema } from '../../../plan/types/schema.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { ReadContext } from '../provider.ts'
import { type CsvFile, findRecords } from './records.ts'
import { typeOfKinds } from './types.ts'

/** What the first records of a file tell. */
export interface Inferred {
  readonly schema: Schema
  readonly records: number
  /** Of these records in the file, and of each column's fields in them. */
  readonly bytes: number
  readonly columnBytes: readonly number[]
}

/**
 * Types from the first `most` records, read a block at a time. A column that is empty in all of them is Null, so that
 * it has whatever type it has in other files.
 */
export function infer(
  file: CsvFile,
  source: ByteSource,
  most: number,
  context: Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>,
): Inferred {
  const { names, end } = file.header
  const kinds = new Uint16Array(names.length)
  const columnBytes = new Float64Array(names.length)
  let records = 0
  let begin = end
  while (begin < source.size && records < most) {
    const to = Math.min(source.size, begin + file.limits.block)
    const stretch = { from: begin, to, begin, most: most - records }
    using found = findRecords(file, source, stretch, context)
    context.stopwatch
      .time('decode', () => found.text.sample())
      .forEach((seen, column) => {
        kinds[column] = (kinds[column] ?? 0) | seen.kinds
        columnBytes[column] = (columnBytes[column] ?? 0) + seen.bytes
      })
    records += found.rows
    begin = found.ended
  }
  const fields = names.map((name, column) => field(name, typeOfKinds(kinds[column] ?? 0)))
  return {
    schema: { fields, metadata: {} },
    records,
    bytes: begin - end,
    columnBytes: Array.from(columnBytes),
  }
}
