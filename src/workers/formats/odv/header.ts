import type { CsvDialect, CsvEncoding } from '../../../wasm/core/text/csv-dialect.ts'
import { EITHER, textOf } from '../../../wasm/core/text/csv-dialect.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { adviceForForeign, foreignKind, isWide, markBytes } from '../csv/foreign.ts'
import { type Header, readRecords } from '../csv/header.ts'
import type { CsvLimits } from '../csv/limits.ts'
import { show } from '../csv/shown.ts'
import { fault } from '../fault.ts'
import type { ReadContext } from '../provider.ts'
import { columnsOf, type OdvColumn, splitTitle } from './columns.ts'
import { type Declaration, declarationIn } from './declaration.ts'
import { headerLines } from './header-lines.ts'
import { isKey } from './labels.ts'

/** The header of a file. */
export interface OdvHeader extends Header {
  readonly columns: readonly OdvColumn[]
  /** The indexes of the columns by which a record is a station. None: records are not arranged in stations. */
  readonly keys: readonly number[]
  /** Text that has one value in all rows: units, schemes of flags and comments. */
  readonly constants: readonly { readonly name: string; readonly value: string }[]
  readonly notices: readonly string[]
}

type Context = Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>

/**
 * Reads the comments at the beginning of a file, and the row of column names after them. A file without that row has no columns and no
 * rows. Throws `unreadable_file` if it is no text, or if a line is too long or has too many columns.
 */
export function readOdvHeader(source: ByteSource, limits: CsvLimits, context: Context): OdvHeader {
  const foreign = foreignKind(source) ?? (isWide(source) ? 'UTF-16' : null)
  if (foreign !== null)
    throw fault(`it is ${foreign}, and ODV files are plain text${adviceForForeign(foreign)}`)
  const begin = markBytes(source)
  const { encoding, end, hasTags, notices } = findEncoding(source, begin, limits, context)
  const dialect = dialectOf(encoding)
  const { texts, end: rowsBegin } = readRecords(source, end, 1, dialect, limits, context)
  const titles = texts[0] ?? []
  if (titles.length > limits.columns) throw fault(`it has ${titles.length} columns, over ${limits.columns}`)
  const declarations = hasTags ? declarationsOf(titles, source, begin, encoding, limits, context) : []
  const columns = columnsOf(titles, declarations)
  const names = columns.map(({ name }) => name)
  return {
    names,
    units: columns.map(({ units }) => units),
    origin: 'its row of column names',
    begin: end,
    end: rowsBegin,
    dialect,
    columns,
    keys: columns.flatMap(({ name }, index) => (isKey(name) ? [index] : [])),
    constants: constantsOf(columns, new Set(names)),
    notices,
  }
}

function dialectOf(encoding: CsvEncoding): CsvDialect {
  return Object.freeze({
    delimiter: '\t',
    quote: '"',
    comment: '//',
    decimal: '.',
    encoding,
    na: [],
    dateFormat: '',
    isRagged: true,
  })
}

const ENCODINGS: ReadonlyMap<string, CsvEncoding> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['iso-8859-1', 'latin-1'],
  ['iso8859-1', 'latin-1'],
  ['latin-1', 'latin-1'],
  ['latin1', 'latin-1'],
  ['windows-1252', 'windows-1252'],
  ['cp-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
])

const ENCODING = /^\/\/\s{0,16}<Encoding>([^<]{0,64})</i

/** The encoding that a file says it has, and the byte at which its row of column names begins. */
function findEncoding(
  source: ByteSource,
  begin: number,
  limits: CsvLimits,
  { checkCancelled }: Context,
): {
  readonly encoding: CsvEncoding
  readonly end: number
  readonly hasTags: boolean
  readonly notices: readonly string[]
} {
  const lines = headerLines(source, begin, limits.record, checkCancelled)
  let written: string | null = null
  let hasTags = false
  for (;;) {
    const line = lines.next()
    if (line.done === true) {
      const encoding = written === null ? EITHER : ENCODINGS.get(written.toLowerCase())
      const notices =
        encoding === undefined
          ? [`its encoding ${JSON.stringify(written)} is not read; text was read as UTF-8 or windows-1252`]
          : []
      return { encoding: encoding ?? EITHER, end: line.value, hasTags, notices }
    }
    hasTags = true
    written ??= ENCODING.exec(line.value.toString('latin1', 0, 128))?.[1]?.trim() ?? null
  }
}

/** The declarations of these columns, as far as the header has them. */
function declarationsOf(
  titles: readonly string[],
  source: ByteSource,
  begin: number,
  encoding: CsvEncoding,
  limits: CsvLimits,
  { checkCancelled }: Context,
): readonly Declaration[] {
  const wanted = new Set(titles.flatMap((title) => [title.trim(), splitTitle(title.trim()).name]))
  const declarations = new Map<string, Declaration>()
  for (const line of headerLines(source, begin, limits.record, checkCancelled)) {
    const declaration = declarationIn(textOf(line, encoding))
    if (declaration === null || declarations.has(declaration.label)) continue
    if (encoding === 'utf-8' && declaration.label.includes('\ufffd'))
      throw fault(`its header is not UTF-8 text, as it says: ${show(line, encoding)}`)
    if (wanted.has(declaration.label) || wanted.has(splitTitle(declaration.label).name))
      declarations.set(declaration.label, declaration)
  }
  return [...declarations.values()]
}

/** For each column its units, its scheme of flags and its comment, as far as it has them, under names that no column has. */
function constantsOf(columns: readonly OdvColumn[], taken: ReadonlySet<string>): OdvHeader['constants'] {
  return columns
    .flatMap(({ name, units, qfSchema, comment }) => [
      { name: `${name}.units`, value: units },
      { name: `${name}.qf_schema`, value: qfSchema },
      { name: `${name}.comment`, value: comment },
    ])
    .filter(({ name, value }) => value !== '' && !taken.has(name))
}
