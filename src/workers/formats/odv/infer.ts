import { type DataType, type Field, field, type TimeUnit } from '../../../plan/types/schema.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { CONSTANT_TEXT } from '../arrays/attributes.ts'
import type { Inferred } from '../csv/infer.ts'
import { type CsvFile, findRecords } from '../csv/records.ts'
import { TEXT_KIND, typeOfKinds } from '../csv/types.ts'
import type { ReadContext } from '../provider.ts'
import type { OdvColumn } from './columns.ts'
import type { OdvHeader } from './header.ts'
import { FLOAT64, TIME, UTF8 } from './labels.ts'
import type { OdvOptions } from './options.ts'

/** The records of a file that declares all its columns from which the sizes of columns are estimated, and columns of times are seen. */
const FEW_RECORDS = 200

/** The most fields of a sample. Rows may lack any number of fields, so that a file of few bytes may have many. */
const MOST_FIELDS = 1 << 24

/** The most characters of a unit or a comment in the metadata of a field. */
const MOST_CHARACTERS = 1024

type Context = Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>

/** The schema of a file: types by its declarations and labels, and others by its first records. */
export function inferOdv(
  file: CsvFile,
  header: OdvHeader,
  source: ByteSource,
  options: OdvOptions,
  context: Context,
): Inferred {
  const { columns, end } = header
  const constants = header.constants.map(({ name }) => field(name, CONSTANT_TEXT))
  const withConstants = (fields: readonly Field[]) => ({ fields: [...fields, ...constants], metadata: {} })
  const none = constants.map(() => 0)
  if (options.areTypesKnown)
    return {
      schema: withConstants(columns.map((column) => fieldOf(column, { kind: 'null' }))),
      records: 0,
      bytes: 1,
      columnBytes: [...columns.map(() => 1 / columns.length), ...none],
      notices: header.notices,
    }
  const isInferred = columns.some(({ type }) => type === null)
  const wanted = isInferred || options.areTypesChecked ? options.inferRecords : FEW_RECORDS
  const maxRecords = Math.min(wanted, Math.max(FEW_RECORDS, Math.floor(MOST_FIELDS / columns.length)))
  const kinds = new Uint16Array(columns.length)
  const columnBytes = new Float64Array(columns.length)
  const misfits = new Set<number>()
  let records = 0
  let begin = end
  for (let block = file.limits.firstBlock; begin < source.size && records < maxRecords; ) {
    const to = Math.min(source.size, begin + block)
    const range = { from: begin, to, begin, maxRecords: maxRecords - records }
    using blockRecords = findRecords(file, source, range, context)
    const sample = context.stopwatch.time('decode', () => blockRecords.text.sample())
    for (const [column, seen] of sample.entries()) {
      kinds[column] = (kinds[column] ?? 0) | seen.kinds
      columnBytes[column] = (columnBytes[column] ?? 0) + seen.bytes
    }
    if (options.areTypesChecked)
      for (const [column, { name }] of columns.entries()) {
        const type = options.types.get(name)
        if (type === undefined) continue
        const read = context.stopwatch.time('decode', () => blockRecords.text.column(column, type))
        if (read.kind === 'values') context.core.free(read.column)
        else misfits.add(column)
      }
    records += blockRecords.rows
    begin = blockRecords.ended
    block = file.limits.block
  }
  const isWhole = begin >= source.size
  const fields = columns.map((column, index) => {
    const given = misfits.has(index) ? undefined : options.types.get(column.name)
    return fieldOf(column, given ?? typeOf(column, kinds[index] ?? 0, isWhole))
  })
  return {
    schema: withConstants(fields),
    records,
    bytes: begin - end,
    columnBytes: [...columnBytes, ...none],
    notices: [...header.notices, ...timeNotices(columns, fields)],
  }
}

/** What says that columns that should have times have text. */
function timeNotices(columns: readonly OdvColumn[], fields: readonly Field[]): readonly string[] {
  return columns.flatMap(({ name, type }, index) =>
    type?.kind === 'timestamp' && fields[index]?.type.kind === 'utf8'
      ? [`${JSON.stringify(name)} has other text than times in ISO 8601, and was read as text`]
      : [],
  )
}

/** Units in which times are read if those of the sample have fractions of milliseconds. */
const FINE_UNITS: ReadonlySet<TimeUnit> = new Set(['microsecond', 'nanosecond'])

/**
 * The type of a column. One of times is text if the sample has other texts in it. Without a declaration numbers are Float64, so that the files of a cruise agree; a column that is empty in all
 * records of the sample is one of numbers too, unless the sample is the whole file: then it takes the type that it has in other files.
 */
function typeOf({ type, isDeclared }: OdvColumn, kinds: number, isWhole: boolean): DataType {
  const inferred = typeOfKinds(kinds, '')
  const isTime = inferred.kind === 'timestamp' || inferred.kind === 'date'
  const time = inferred.kind === 'timestamp' && FINE_UNITS.has(inferred.unit) ? inferred : TIME
  if (type?.kind === 'timestamp') return (kinds & TEXT_KIND) === 0 ? time : UTF8
  // Times are declared as numbers, as which the ODV software keeps them.
  if (type !== null) return isDeclared && isTime && type.kind !== 'utf8' ? time : type
  if (isTime) return time
  if (inferred.kind === 'int' || inferred.kind === 'float') return FLOAT64
  return inferred.kind === 'null' && !isWhole ? FLOAT64 : inferred
}

function fieldOf({ name, units, comment }: OdvColumn, type: DataType): Field {
  const metadata = Object.fromEntries(
    Object.entries({ units, comment }).filter(([, text]) => text !== '' && text.length <= MOST_CHARACTERS),
  )
  const plain = field(name, type)
  return Object.keys(metadata).length === 0
    ? plain
    : Object.freeze({ ...plain, metadata: Object.freeze(metadata) })
}
