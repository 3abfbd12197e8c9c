import { isUtf8 } from 'node:buffer'
import { WHITESPACE } from '../../../plan/format/csv-dialect-options.ts'
import type { TextRange } from '../../../plan/source/range.ts'
import { list, type SegmentList } from '../../../plan/source/segments.ts'
import { type DataType, typeName } from '../../../plan/types/schema.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import { collect } from '../collect.ts'
import { locateErrors, locateErrorsInFile } from '../error-location.ts'
import { fault } from '../fault.ts'
import type { FoundRows, OpenFile, Provider, ReadContext } from '../provider.ts'
import { blockOfText } from '../ranges.ts'
import { blockAt, blockSegments, countBlocks } from './blocks.ts'
import { foreignKind } from './foreign.ts'
import { ENCODING_ADVICE, readHeader } from './header.ts'
import { type Inferred, infer } from './infer.ts'
import { CSV_LIMITS, type CsvLimits } from './limits.ts'
import { lineAt } from './lines.ts'
import type { CsvOptions } from './options.ts'
import { type CsvFile, type FoundRecords, findRecords, MISPLACED } from './records.ts'
import { show } from './shown.ts'
import { type ToldDelimiter, tellAligned, tellDelimiter } from './tell-delimiter.ts'
import { isReadAs } from './types.ts'

/**
 * Reads CSV (RFC 4180 and its dialects). A segment is a block of bytes; a record belongs to the block in which it begins. What
 * is read and what is refused: docs/reference/csv.md.
 */
export function createCsv(options: CsvOptions, limits: CsvLimits = CSV_LIMITS): Provider {
  return {
    sniff(store) {
      const source = onlyObject(store)
      return foreignKind(source) === null && isText(source.read(0, Math.min(source.size, HEAD)))
    },
    open: (store, context) => locateErrorsInFile(store, 'CSV', () => open(store, options, limits, context)),
  }
}

/** The first bytes of a file, by which `sniff` decides whether it is text. */
const HEAD = 4096

/** Whether the bytes are UTF-8 without zero bytes. If they fill the head, the last character may be cut. */
function isText(head: Uint8Array): boolean {
  const cut = head.length - head.findLastIndex((byte) => (byte & 0xc0) !== 0x80)
  const isCut = head.length === HEAD && cut <= 4
  return !head.includes(0) && isUtf8(isCut ? head.subarray(0, head.length - cut) : head)
}

type Context = Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>

function open(opened: Store, options: CsvOptions, limits: CsvLimits, context: Context): OpenFile {
  const bytes = onlyObject(opened)
  const { size } = bytes
  const header = readHeader(bytes, options, limits, context)
  const file: CsvFile = { header, limits }
  const indexByName = new Map(header.names.map((name, index) => [name, index]))
  const blocks = countBlocks(header.end, size, limits)
  let inferred: Inferred | null = null
  let notices: readonly string[] = []
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
      segments ??= list(blockSegments(requireInferred(), header.end, size, limits))
      return segments
    },
    infer(store, context) {
      inferred ??= locateErrorsInFile(store, 'CSV', () => {
        const source = onlyObject(store)
        const inference = infer(file, source, options, context)
        const otherDelimiter = tellOther(source, context)
        notices =
          otherDelimiter === null
            ? inference.notices
            : [`${namedDelimiter(otherDelimiter)}, and it was read as one`]
        return inference
      })
    },
    get notices() {
      return notices
    },
    statistics: () => Array.from({ length: blocks }, () => null),
    typeOf: ({ name, type }) => (indexByName.has(name) ? readType(type) : null),
    find,
    read(store, range, asked, context) {
      using blockRows = find(store, blockOfText(range, blocks), context)
      return { rows: blockRows.rows, span: blockRows.span, columns: blockRows.read(asked) }
    },
  }

  /** The delimiter that gives several columns where the one of the options gives one. Null: none does. */
  function tellOther(source: ByteSource, context: Context): ToldDelimiter | null {
    if (header.names.length !== 1 || options.areTypesKnown) return null
    const delimiterFit = tellDelimiter(source, header.begin, options, limits, context)
    return delimiterFit?.isWhole === true
      ? delimiterFit
      : tellAligned(source, header.begin, options, limits, context)
  }

  function find(store: Store, range: TextRange, context: ReadContext): FoundRows {
    const { segment } = blockOfText(range, blocks)
    const { from, to } = blockAt(segment, header.end, size, limits)
    const begin = segment === 0 ? header.end : range.begin
    if (begin !== null && !(begin >= from && begin <= size))
      throw new RangeError(`block ${segment} does not begin at ${begin}`)
    const records = { from, to, begin, maxRecords: Number.POSITIVE_INFINITY }
    const source = onlyObject(store)
    const blockRecords = locateErrorsInFile(store, 'CSV', () => findRecords(file, source, records, context))
    return {
      rows: blockRecords.rows,
      span: { began: blockRecords.began, ended: blockRecords.ended },
      read(asked) {
        const wanted = asked.map(({ name, type }): WantedColumn => {
          const index = indexByName.get(name)
          if (index === undefined) throw new RangeError(`no column "${name}"`)
          return { name, index, type: readType(type) }
        })
        return locateErrorsInFile(store, 'CSV', () =>
          collect(context.core, (columns) => {
            for (const column of wanted)
              columns.push(readColumn(column, blockRecords, source, options, context))
          }),
        )
      },
      keep: (mask) => context.stopwatch.time('filter', () => blockRecords.text.keep(mask)),
      [Symbol.dispose]: blockRecords[Symbol.dispose],
    }
  }
}

/** The option with which a file has several columns, for a notice. */
function namedDelimiter({ delimiter, fields }: ToldDelimiter): string {
  if (delimiter === WHITESPACE) return `delimiter = '${WHITESPACE}' would give ${fields} columns`
  const written = delimiter === '\t' ? '\\t' : delimiter
  return `delimiter = '${written}', or 'auto', would give ${fields} columns`
}

/** The type in which a column is read: its own if the core can parse text as it, else text, which the caller converts. */
function readType(type: DataType): DataType {
  return isReadAs(type) ? type : { kind: 'utf8' }
}

interface WantedColumn {
  readonly name: string
  readonly index: number
  readonly type: DataType
}

function readColumn(
  { name, index, type }: WantedColumn,
  { text, start, isGuess }: FoundRecords,
  source: ByteSource,
  { dialect, types, areTypesKnown, inferRecords }: CsvOptions,
  { stopwatch, checkCancelled }: Context,
) {
  checkCancelled()
  return locateErrors(`column ${JSON.stringify(name)}`, () => {
    const read = stopwatch.time('decode', () => text.column(index, type))
    if (read.kind === 'values') return read.column
    if (isGuess) throw fault(MISPLACED)
    const value = show(source.read(start + read.from, read.to - read.from), dialect.encoding)
    const inferred = `the type of the first ${inferRecords} records; a larger infer_records takes more of them`
    const stored = 'its type in the table; unless it is declared, REFRESH finds the types of all files again'
    const origin = areTypesKnown ? stored : types.has(name) ? 'its type in types' : inferred
    const what =
      type.kind === 'utf8' ? `not UTF-8 text; ${ENCODING_ADVICE}` : `no ${typeName(type)}, ${origin}`
    throw fault(`line ${lineAt(source, start + read.from, checkCancelled)}: ${value} is ${what}`)
  })
}
