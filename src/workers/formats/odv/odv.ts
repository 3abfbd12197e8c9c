import { isUtf8 } from 'node:buffer'
import type { SourceColumn } from '../../../plan/scan.ts'
import type { TextRange } from '../../../plan/source/range.ts'
import { list, type SegmentList } from '../../../plan/source/segments.ts'
import type { Span } from '../../../plan/source/text.ts'
import { type DataType, typeName } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import { CONSTANT_TEXT } from '../arrays/attributes.ts'
import { collect } from '../collect.ts'
import { blockAt, blockSegments, countBlocks } from '../csv/blocks.ts'
import { foreignKind, isWide } from '../csv/foreign.ts'
import type { Inferred } from '../csv/infer.ts'
import { CSV_LIMITS, type CsvLimits } from '../csv/limits.ts'
import { lineAt } from '../csv/lines.ts'
import { type CsvFile, type FoundRecords, findRecords, MISPLACED } from '../csv/records.ts'
import { show } from '../csv/shown.ts'
import { isReadAs } from '../csv/types.ts'
import { locateErrors, locateErrorsInFile } from '../error-location.ts'
import { fault } from '../fault.ts'
import type { FoundRows, OpenFile, Provider, ReadContext } from '../provider.ts'
import { blockOfText } from '../ranges.ts'
import { splitTitle } from './columns.ts'
import { type OdvHeader, readOdvHeader } from './header.ts'
import { inferOdv } from './infer.ts'
import { isStandardMetadata } from './labels.ts'
import type { OdvOptions } from './options.ts'
import { recordAt, stationAbove } from './station-above.ts'

const TITLE = 'ODV'

/**
 * Reads the generic spreadsheet format of Ocean Data View: comments that declare columns, a row of column names, and records between
 * tabs. A segment is a block of bytes; a record belongs to the block in which it begins. What is read and what is refused:
 * docs/reference/odv-files.md.
 */
export function createOdv(options: OdvOptions, limits: CsvLimits = CSV_LIMITS): Provider {
  return {
    sniff: (store) => isOdv(onlyObject(store)),
    open: (store, context) => locateErrorsInFile(store, TITLE, () => open(store, options, limits, context)),
  }
}

/** The first bytes of a file, by which `sniff` decides. */
const HEAD = 4096

/** Whether a file begins with a comment, or has a standard label in its first line. Its text may be in any encoding of ASCII characters. */
function isOdv(source: ByteSource): boolean {
  const head = source.read(0, Math.min(source.size, HEAD))
  if (foreignKind(source) !== null || isWide(source) || head.includes(0)) return false
  const text = Buffer.from(head)
    .toString(isUtf8(head) ? 'utf8' : 'latin1')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (text.startsWith('//')) return true
  const [line = ''] = text.split(/[\r\n]/, 1)
  return (
    line.includes('\t') && line.split('\t').some((title) => isStandardMetadata(splitTitle(title.trim()).name))
  )
}

function open(opened: Store, options: OdvOptions, limits: CsvLimits, openContext: ReadContext): OpenFile {
  const { size } = onlyObject(opened)
  const header = readOdvHeader(onlyObject(opened), limits, openContext)
  const file: CsvFile = { header, limits }
  const indexByName = new Map(header.names.map((name, index) => [name, index]))
  const constants = new Map(header.constants.map(({ name, value }) => [name, value]))
  const blocks = header.columns.length === 0 ? 0 : countBlocks(header.end, size, limits)
  let inferred: Inferred | null = null
  let segments: SegmentList | null = null
  const requireInferred = (): Inferred => {
    if (inferred === null) throw new TypeError(`the columns of "${opened.file.path}" have not been inferred`)
    return inferred
  }

  return {
    get schema() {
      return requireInferred().schema
    },
    segments() {
      segments ??= list(blocks === 0 ? [] : blockSegments(requireInferred(), header.end, size, limits))
      return segments
    },
    infer(store, context) {
      inferred ??= locateErrorsInFile(store, TITLE, () =>
        inferOdv(file, header, onlyObject(store), options, context),
      )
    },
    get notices() {
      return inferred?.notices ?? []
    },
    statistics: () => Array.from({ length: blocks }, () => null),
    typeOf: ({ name, type }) =>
      indexByName.has(name) ? readType(type) : constants.has(name) ? CONSTANT_TEXT : null,
    find,
    read(store, range, asked, context) {
      using rows = find(store, blockOfText(range, blocks), context)
      const columns = rows.read(asked)
      return { rows: rows.rows, span: rows.span, columns }
    },
  }

  function find(
    store: Store,
    range: TextRange,
    context: ReadContext,
    wanted?: readonly SourceColumn[],
  ): FoundRows {
    const { segment } = blockOfText(range, blocks)
    const { from, to } = blockAt(segment, header.end, size, limits)
    const begin = segment === 0 ? header.end : range.begin
    if (begin !== null && !(begin >= from && begin <= size))
      throw new RangeError(`block ${segment} does not begin at ${begin}`)
    const source = onlyObject(store)
    const bounds = { from, to, begin, maxRecords: Number.POSITIVE_INFINITY }
    const records = locateErrorsInFile(store, TITLE, () => findRecords(file, source, bounds, context))
    const block = { file, header, options, source, records, range }
    // Looking for stations takes a sixth of the time of reading a column of data.
    const stations = createStations(block, wanted?.some(isOfStation) ?? true, context)
    let rows = records.rows
    return {
      rows,
      get span(): Span {
        return { began: records.began, ended: records.ended, ...stations.span() }
      },
      read: (asked) =>
        locateErrorsInFile(store, TITLE, () =>
          collect(context.core, (columns) => {
            for (const { name, type } of asked) {
              context.checkCancelled()
              columns.push(
                readConstant(name, rows, context) ??
                  readColumn(name, readType(type), block, stations, context),
              )
            }
          }),
        ),
      keep(mask) {
        context.stopwatch.time('filter', () => records.text.keep(mask))
        rows = context.core.count(mask)
      },
      [Symbol.dispose]: records[Symbol.dispose],
    }
  }

  function isOfStation({ name }: SourceColumn): boolean {
    const index = indexByName.get(name)
    return index !== undefined && header.columns[index]?.isMetadata === true
  }

  function readConstant(name: string, rows: number, { core }: ReadContext): Column | null {
    const value = constants.get(name)
    if (value === undefined) return null
    return core.constant(CONSTANT_TEXT, { kind: 'bytes', value: Buffer.from(value) }, rows)
  }

  function readColumn(
    name: string,
    type: DataType,
    block: Block,
    stations: Stations,
    context: ReadContext,
  ): Column {
    const index = indexByName.get(name)
    if (index === undefined) throw new RangeError(`no column "${name}"`)
    return locateErrors(`column ${JSON.stringify(name)}`, () => {
      const isCarried = header.columns[index]?.isMetadata === true && stations.carry()
      const read = context.stopwatch.time('decode', () => block.records.text.column(index, type, isCarried))
      if (read.kind === 'values') return read.column
      throw misfit(index, type, read, block, stations, context)
    })
  }
}

/** A block of a file whose records are found. */
interface Block {
  readonly file: CsvFile
  readonly header: OdvHeader
  readonly options: OdvOptions
  readonly source: ByteSource
  readonly records: FoundRecords
  readonly range: TextRange
}

/** The stations of a block. */
interface Stations {
  /** Whether records take metadata of stations. If so, the station before the block is looked for when it is first needed. */
  carry(): boolean
  /** The byte of the file for a position in the block, behind which the record of the station before lies. */
  byteAt(position: number): number
  span(): Pick<Span, 'station' | 'carried'>
}

/** `areWanted` false: no column of metadata is read. */
function createStations(
  { file, header, options, source, records, range }: Block,
  areWanted: boolean,
  context: ReadContext,
): Stations {
  const { start, length, began, rows, text } = records
  const isCarried = areWanted && options.isCarried && header.keys.length > 0
  const stations = isCarried && rows > 0 ? text.stations(header.keys) : null
  let carried: number | null = null
  return {
    carry() {
      if (stations?.needsLead === true && carried === null) {
        carried = stationAbove(file, header, source, range, began, context)
        if (carried > 0 && !text.lead(recordAt(file, source, carried, context)))
          throw new RangeError(`no record at ${carried}`)
      }
      return stations !== null
    },
    byteAt: (position) => (position < length ? start + position : (carried ?? 0) + position - length),
    span: () => ({
      ...(stations !== null && stations.last !== null && { station: start + stations.last }),
      ...(carried !== null && { carried }),
    }),
  }
}

/** The error for a field that is no value of its column's type. */
function misfit(
  index: number,
  type: DataType,
  field: { readonly from: number; readonly to: number },
  { header, options, source, records }: Block,
  stations: Stations,
  { checkCancelled }: ReadContext,
): Error {
  if (records.isGuess) return fault(MISPLACED)
  const column = header.columns[index]
  const from = stations.byteAt(field.from)
  const value = show(source.read(from, field.to - field.from), header.dialect.encoding)
  const stored = 'its type in the table; unless it is declared, REFRESH finds the types of all files again'
  const inferred = `the type of the first ${options.inferRecords} records; a larger infer_records takes more of them`
  const isOfFile = column !== undefined && column.type !== null
  const origin = options.areTypesKnown ? stored : isOfFile ? 'the type of its column' : inferred
  const what =
    type.kind === 'utf8' ? 'not UTF-8 text, as the file says it is' : `no ${typeName(type)}, ${origin}`
  return fault(`line ${lineAt(source, from, checkCancelled)}: ${value} is ${what}`)
}

/** The type in which a column is read: its own if the core can parse text as it, else text, which the caller converts. */
function readType(type: DataType): DataType {
  return isReadAs(type) ? type : { kind: 'utf8' }
}
