import { type DataType, type Field, field, type Schema } from '../../../plan/types/schema.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { ReadContext } from '../provider.ts'
import { firstRecords, nanNotices, noticesOf } from './notices.ts'
import type { CsvOptions } from './options.ts'
import { type CsvFile, type FoundRecords, findRecords } from './records.ts'
import { TEXT_KIND, typeOfKinds } from './types.ts'

/** The schema that the first records of a file imply, and the sizes of those records. */
export interface Inferred {
  readonly schema: Schema
  /** How many records were read. */
  readonly records: number
  /** What those records take in the file. */
  readonly bytes: number
  /** What the fields of each column take of that. */
  readonly columnBytes: readonly number[]
  /** What looks as if other options were meant. */
  readonly notices: readonly string[]
}

/**
 * Infers the column types from the first records, read a block at a time. A column that is empty in all of them gets the type
 * Null, so that it takes the type that it has in other files. Columns may have types and units of their own.
 */
export function infer(
  file: CsvFile,
  source: ByteSource,
  options: Pick<CsvOptions, 'types' | 'areTypesKnown' | 'areTypesChecked' | 'inferRecords'>,
  context: Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>,
): Inferred {
  if (options.areTypesKnown) return withoutSample(file)
  const { types, inferRecords: maxRecords } = options
  const { names, units, end, dialect } = file.header
  /** Columns that cannot be read as their types. */
  const misfits = new Set<number>()
  const kinds = new Uint16Array(names.length)
  const columnBytes = new Float64Array(names.length)
  let records = 0
  let begin = end
  let first: readonly (readonly string[])[] = []
  while (begin < source.size && records < maxRecords) {
    const to = Math.min(source.size, begin + file.limits.block)
    const range = { from: begin, to, begin, maxRecords: maxRecords - records }
    using blockRecords = findRecords(file, source, range, context)
    context.stopwatch
      .time('decode', () => blockRecords.text.sample())
      .forEach((seen, column) => {
        kinds[column] = (kinds[column] ?? 0) | seen.kinds
        columnBytes[column] = (columnBytes[column] ?? 0) + seen.bytes
      })
    if (options.areTypesChecked)
      for (const [column, name] of names.entries()) {
        const type = types.get(name)
        if (type !== undefined && !isReadable(blockRecords.text, column, type, context)) misfits.add(column)
      }
    // Notices are about columns of text alone.
    if (records === 0 && kinds.some((each) => (each & TEXT_KIND) !== 0))
      first = firstRecords(blockRecords.text, blockRecords.rows, names.length)
    records += blockRecords.rows
    begin = blockRecords.ended
  }
  const fields = names.map((name, column) => {
    const given = misfits.has(column) ? undefined : types.get(name)
    const type = given ?? typeOfKinds(kinds[column] ?? 0, dialect.dateFormat)
    return withUnits(field(name, type), units[column] ?? '')
  })
  return {
    schema: { fields, metadata: {} },
    records,
    bytes: begin - end,
    columnBytes: Array.from(columnBytes),
    notices: [
      ...noticesOf(
        file.header,
        fields.map(({ type }) => type),
        first,
      ),
      ...nanNotices(fields, kinds),
    ],
  }
}

/** The schema of a file whose columns have types in a table. Its columns are taken to have equal parts of its bytes. */
function withoutSample({ header: { names, units } }: CsvFile): Inferred {
  const fields = names.map((name, column) => withUnits(field(name, { kind: 'null' }), units[column] ?? ''))
  return {
    schema: { fields, metadata: {} },
    records: 0,
    bytes: 1,
    columnBytes: names.map(() => 1 / names.length),
    notices: [],
  }
}

/** Whether all fields of a column can be read as this type. */
function isReadable(
  text: FoundRecords['text'],
  column: number,
  type: DataType,
  { core, stopwatch }: Pick<ReadContext, 'core' | 'stopwatch'>,
): boolean {
  const read = stopwatch.time('decode', () => text.column(column, type))
  if (read.kind !== 'values') return false
  core.free(read.column)
  return true
}

/** The key of metadata under which the CF conventions have the units of a variable. */
const UNITS = 'units'

function withUnits(plain: Field, units: string): Field {
  return units === '' ? plain : Object.freeze({ ...plain, metadata: Object.freeze({ [UNITS]: units }) })
}
