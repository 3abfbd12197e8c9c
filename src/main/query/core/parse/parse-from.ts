import type { Formats } from '../../../../plan/format/create-formats.ts'
import type { FormatOptions } from '../../../../plan/format/file-format.ts'
import type { FormatRow } from '../../../../plan/format/format-row.ts'
import { pathOptionsOf, requestOptions } from '../../../../plan/format/path-options.ts'
import { readOptions } from '../../../../plan/format/read-options.ts'
import type { FilesRequest } from '../../../../plan/statement/statement.ts'
import { printIdentifier } from '../../../sql/text/keywords.ts'
import { parseList } from '../../../sql/text/parse-list.ts'
import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { isSign } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'
import type { From, FromSources, Select } from './ast.ts'
import { expectString } from './parse-literal.ts'

/** Parses a source of rows and its alias. `parseSelect` parses a query in brackets. */
export function parseFrom(reader: TokenReader, formats: Formats, parseSelect: () => Select): From {
  const at = reader.at()
  if (reader.takeSign('(')) {
    const select = parseSelect()
    reader.expectSign(')')
    return { kind: 'select', select, view: null, at, alias: parseAlias(reader) }
  }
  if (!isSign(reader.peek(1), '(')) return parseTable(reader)
  const written = printCall(reader)
  const request = parseCall(reader, formats)
  const alias = parseAlias(reader)
  return { kind: 'sources', sources: [request], at, alias, written: written && withAlias(written, alias) }
}

/** A call of a function that reads files, whose arguments are constants. */
export function parseCall(reader: TokenReader, formats: Formats): FilesRequest {
  const token = reader.peek()
  const row = token?.kind === 'word' ? formats.functions.get(token.text.toLowerCase()) : undefined
  if (row === undefined) decline('a function that reads no file', reader.at())
  reader.next()
  reader.expectSign('(')
  const paths = parsePaths(reader)
  const options = parseOptions(reader, row)
  reader.expectSign(')')
  return { kind: 'files', format: formats.withOptions(row, options), paths, ...pathOptionsOf(options) }
}

/** The call that comes next as DuckDB prints it. Null: it has options. */
function printCall(reader: TokenReader): string | null {
  const name = printIdentifier(reader.peek()?.text.toLowerCase() ?? '')
  const first = reader.peek(2)
  if (first?.kind === 'string') return isSign(reader.peek(3), ')') ? `${name}(${first.text})` : null
  if (!isSign(first, '[')) return null
  const texts: string[] = []
  for (let ahead = 3; ; ahead += 2) {
    const [text, sign] = [reader.peek(ahead), reader.peek(ahead + 1)]
    if (text?.kind !== 'string') return null
    texts.push(text.text)
    if (isSign(sign, ']') && isSign(reader.peek(ahead + 2), ')'))
      return `${name}(main.list_value(${texts.join(', ')}))`
    if (!isSign(sign, ',')) return null
  }
}

function withAlias(printed: string, alias: string | null): string {
  return alias === null ? printed : `${printed} AS ${printIdentifier(alias)}`
}

/** A table or a view of the catalog, which goes by its name. */
function parseTable(reader: TokenReader): FromSources {
  const at = reader.at()
  const parts = [reader.expectName()]
  while (parts.length < 3 && reader.takeSign('.')) parts.push(expectMember(reader))
  if (reader.isSign('.') || reader.isSign('(')) return reader.unexpected()
  const [name = '', schema = null, catalog = null] = parts.toReversed()
  const alias = parseAlias(reader)
  return {
    kind: 'sources',
    sources: [{ kind: 'table', catalog, schema, name }],
    at,
    alias: alias ?? name,
    written: withAlias(parts.map(printIdentifier).join('.'), alias),
  }
}

/** Takes a name behind a dot, which may be any word. */
function expectMember(reader: TokenReader): string {
  const { kind, text } = reader.peek() ?? reader.unexpected()
  if (kind !== 'word' && kind !== 'quoted') return reader.unexpected()
  reader.next()
  return text
}

function parsePaths(reader: TokenReader): readonly string[] {
  if (!reader.takeSign('[')) return [expectString(reader)]
  const paths = parseList(reader, expectString)
  reader.expectSign(']')
  return paths
}

/**
 * Parses `, ['lat', 'lon']` or `, delimiter := ';', infer_records => 1000`: options in their order, and then those with their names, each at
 * most once. Undefined: there are no options.
 */
function parseOptions(reader: TokenReader, row: FormatRow): FormatOptions | undefined {
  if (!reader.isSign(',')) return undefined
  const at = reader.at()
  const options = requestOptions(row)
  const given = new Map<string, Constant>()
  let areNamed = false
  while (reader.takeSign(',')) {
    const assignment = takenByName(reader)
    const isNamed = assignment > 0
    const token = reader.peek()
    const name = token?.kind === 'word' || token?.kind === 'quoted' ? token.text.toLowerCase() : ''
    const option = isNamed
      ? options.find((each) => each.name === name && !given.has(name))
      : areNamed
        ? undefined
        : options[given.size]
    if (option === undefined) return reader.unexpected()
    areNamed = isNamed
    if (isNamed) {
      for (let taken = 0; taken <= assignment; taken++) reader.next()
    }
    given.set(option.name, parseConstant(reader))
  }
  // DuckDB is given the statement then, whose functions throw the same error.
  return readOptions(row, given, (what) => decline(what, at))
}

/** The tokens of `:=` or `=>` behind the name of an option. 0: the option is one by position. */
function takenByName(reader: TokenReader): number {
  const [sign, after] = [reader.peek(1), reader.peek(2)]
  if (isSign(sign, ':=')) return 1
  return isSign(sign, '=') && isSign(after, '>') && after?.start === sign?.end ? 2 : 0
}

type Constant = string | bigint | boolean | readonly string[] | null

/** Parses the value of an option: a string, a whole number, `TRUE`, `FALSE`, `NULL`, or a list of strings. */
function parseConstant(reader: TokenReader): Constant {
  if (reader.peek()?.kind === 'number') return BigInt(expectCount(reader))
  if (reader.takeWords('TRUE')) return true
  if (reader.takeWords('FALSE')) return false
  if (reader.takeWords('NULL')) return null
  if (!reader.takeSign('[')) return expectString(reader)
  const texts = parseList(reader, expectString)
  reader.expectSign(']')
  return texts
}

/** Takes a whole number of at most 15 digits, which a 64-bit float holds exactly. */
export function expectCount(reader: TokenReader): number {
  const token = reader.peek()
  if (token?.kind !== 'number' || !/^\d{1,15}$/.test(token.text)) return reader.unexpected()
  return Number(reader.next().text)
}

/** Keywords that may follow a source. */
const AFTER = ['WHERE', 'GROUP', 'HAVING', 'QUALIFY', 'UNION', 'ORDER', 'LIMIT', 'OFFSET']

function parseAlias(reader: TokenReader): string | null {
  if (reader.takeWords('AS')) return reader.expectName()
  const token = reader.peek()
  if (token?.kind === 'quoted') return reader.expectName()
  if (token?.kind !== 'word' || AFTER.some((word) => reader.isWord(word))) return null
  return reader.expectName()
}
