import { ARROW, csvFormat, type FileFormat, PARQUET } from '../../../plan/formats.ts'
import { csvDelimiter } from '../../../plan/source/csv-delimiter.ts'
import { leave } from '../../query/bind/declined.ts'
import type { From, Select } from './ast.ts'
import { parseList } from './parse-list.ts'
import { expectString } from './parse-literal.ts'
import type { TokenReader } from './token-reader.ts'

/** The readers of files by name; only that of CSV has options. */
const READERS: ReadonlyMap<string, FileFormat['kind']> = new Map([
  ['read_parquet', 'parquet'],
  ['read_arrow', 'arrow'],
  ['read_csv', 'csv'],
])

/** One source, and its name. `parseSelect` reads a query in brackets. */
export function parseFrom(reader: TokenReader, parseSelect: () => Select): From {
  const at = reader.at()
  if (reader.takeSign('(')) {
    const select = parseSelect()
    reader.expectSign(')')
    return { kind: 'select', select, at, alias: parseAlias(reader) }
  }
  const token = reader.peek()
  const format = token?.kind === 'word' ? READERS.get(token.text.toLowerCase()) : undefined
  if (format === undefined) leave('a table that is no file', at)
  reader.next()
  reader.expectSign('(')
  const paths = parsePaths(reader)
  const source = { format: format === 'csv' ? parseCsvFormat(reader) : FORMATS[format], paths }
  reader.expectSign(')')
  return { kind: 'files', sources: [source], alias: parseAlias(reader) }
}

const FORMATS = Object.freeze({ parquet: PARQUET, arrow: ARROW })

function parsePaths(reader: TokenReader): readonly string[] {
  if (!reader.takeSign('[')) return [expectString(reader)]
  const paths = parseList(reader, expectString)
  reader.expectSign(']')
  return paths
}

/** `delimiter := ';'` and `infer_records := 1000`, each at most once. */
function parseCsvFormat(reader: TokenReader): FileFormat {
  let delimiter: string | null = null
  let records: number | null = null
  while (reader.takeSign(',')) {
    const at = reader.at()
    if (delimiter === null && reader.takeWords('DELIMITER')) {
      reader.expectSign(':=')
      delimiter = csvDelimiter(expectString(reader), (what) => leave(what, at))
    } else if (records === null && reader.takeWords('INFER_RECORDS')) {
      reader.expectSign(':=')
      records = expectCount(reader)
    } else reader.unexpected()
  }
  return csvFormat(delimiter ?? ',', records ?? 0)
}

/** A whole number that every engine has room for. */
export function expectCount(reader: TokenReader): number {
  const token = reader.peek()
  if (token?.kind !== 'number' || !/^\d{1,15}$/.test(token.text)) return reader.unexpected()
  return Number(reader.next().text)
}

/** Words that begin what may follow a source. */
const AFTER = ['WHERE', 'GROUP', 'HAVING', 'UNION', 'ORDER', 'LIMIT', 'OFFSET']

function parseAlias(reader: TokenReader): string | null {
  if (reader.takeWords('AS')) return reader.expectName()
  const token = reader.peek()
  if (token?.kind === 'quoted') return reader.expectName()
  if (token?.kind !== 'word' || AFTER.some((word) => reader.isWord(word))) return null
  return reader.expectName()
}
