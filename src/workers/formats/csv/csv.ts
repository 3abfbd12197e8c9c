import { type DataType, typeName } from '../../../plan/schema.ts'
import type { Segment } from '../../../plan/unit.ts'
import { collect } from '../collect.ts'
import type { ByteSource, OpenFile, Provider, ReadContext } from '../provider.ts'
import { blockAt, countBlocks, segmentsOf } from './blocks.ts'
import { foreignKind, readHeader } from './header.ts'
import { type Inferred, infer } from './infer.ts'
import { CSV_LIMITS, type CsvLimits } from './limits.ts'
import { type CsvFile, MISPLACED, withRecords } from './records.ts'
import { isReadAs } from './types.ts'
import { lineAt, shown, unreadable } from './unreadable.ts'

export interface CsvOptions {
  /** One ASCII character. */
  readonly delimiter: string
  /** Records from which types are inferred. */
  readonly inferRecords: number
}

/**
 * CSV (RFC 4180) with a header, in UTF-8: segments are blocks of bytes, and a record belongs to the block in which its
 * line begins. See docs/reference/csv.md.
 */
export function createCsv(options: CsvOptions, limits: CsvLimits = CSV_LIMITS): Provider {
  return {
    sniff: (source) =>
      foreignKind(source) === null && !source.read(0, Math.min(source.size, 4096)).includes(0),
    open: (source, context) => open(source, options, limits, context),
  }
}

function open(
  opened: ByteSource,
  { delimiter, inferRecords }: CsvOptions,
  limits: CsvLimits,
  context: Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>,
): OpenFile {
  const { size } = opened
  const header = readHeader(opened, delimiter, limits, context)
  const file: CsvFile = { header, delimiter, limits }
  const places = new Map(header.names.map((name, index) => [name, index]))
  const blocks = countBlocks(header.end, size, limits)
  let inferred: Inferred | null = null
  let segments: readonly Segment[] | null = null
  const known = (): Inferred => {
    if (inferred === null) throw new TypeError(`the columns of "${opened.file.path}" have not been inferred`)
    return inferred
  }

  return {
    get schema() {
      return known().schema
    },
    get segments() {
      segments ??= segmentsOf(known(), header.end, size, limits)
      return segments
    },
    isColumnar: false,
    infer(source, context) {
      inferred ??= infer(file, source, inferRecords, context)
    },
    statistics: () => Array.from({ length: blocks }, () => null),
    typeOf: ({ name, type }) => (places.has(name) ? (isReadAs(type) ? type : TEXT) : null),
    read(source, range, asked, context) {
      const { segment } = range
      if (!(segment >= 0 && segment < blocks && range.from === 0 && range.to === Number.POSITIVE_INFINITY))
        throw new RangeError(`no rows ${range.from}..${range.to} of block ${segment}`)
      const { from, to } = blockAt(segment, header.end, size, limits)
      const begin = segment === 0 ? header.end : range.begin
      if (begin !== null && !(begin >= from && begin <= size))
        throw new RangeError(`block ${segment} does not begin at ${begin}`)
      const wanted = asked.map(({ name, type }) => {
        const index = places.get(name)
        if (index === undefined) throw new RangeError(`no column "${name}"`)
        return { name, index, type: isReadAs(type) ? type : TEXT }
      })
      const stretch = { from, to, begin, most: Number.POSITIVE_INFINITY }
      return withRecords(file, source, stretch, context, ({ text, start, rows, began, ended }) => ({
        rows,
        span: { began, ended },
        columns: collect(context.core, (columns) => {
          for (const column of wanted) {
            context.checkCancelled()
            const read = context.stopwatch.time('decode', () => text.column(column.index, column.type))
            if (read.kind === 'misfit') {
              if (begin === null) throw unreadable(source, MISPLACED)
              const [at, length] = [start + read.from, read.to - read.from]
              const line = lineAt(source, at, context.checkCancelled)
              const value = shown(source.read(at, length))
              throw unreadable(
                source,
                `line ${line}, column ${JSON.stringify(column.name)}: ${value} is ${notOf(column.type, inferRecords)}`,
              )
            }
            columns.push(read.column)
          }
        }),
      }))
    },
  }
}

function notOf(type: DataType, inferRecords: number): string {
  if (type.kind === 'utf8') return 'not UTF-8 text'
  return `no ${typeName(type)}, which the first ${inferRecords} records are; a larger infer_records takes more into account`
}

const TEXT: DataType = Object.freeze({ kind: 'utf8' })
