import type { Formats } from '../../../../plan/format/create-formats.ts'
import { isKeyword } from '../../../sql/text/keywords.ts'
import { parseList } from '../../../sql/text/parse-list.ts'
import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { isSign, type Token } from '../../../sql/text/tokens.ts'
import { type Declinable, decline, orDeclined } from '../../bind/declined.ts'
import { writtenKey } from '../print/written-key.ts'
import type {
  FirstsOfSelect,
  FromSources,
  GroupBy,
  Item,
  OrderItem,
  Ordinal,
  Select,
  SqlExpression,
} from './ast.ts'
import { createDecliningReader } from './declining-reader.ts'
import { parseExpression } from './parse-expression.ts'
import { numberIn, type Parsers, parseDistinctOn, parseQualify, parseRowNumber } from './parse-firsts.ts'
import { expectCount, parseFrom } from './parse-from.ts'
import { hasAggregate } from './values-in.ts'

/** The deepest nesting of queries in brackets. */
const MOST_DEEP = 16

/**
 * Parses the tokens of a statement that has passed the gate. Declines what is not a `SELECT` of the simple shape
 * (docs/reference/sql.md, "Engines"). Names are not resolved yet.
 */
export function parseSelect(tokens: readonly Token[], formats: Formats): Declinable<Select> {
  return orDeclined(() => {
    const reader = createDecliningReader(tokens)
    const select = parseQuery(reader, formats, 0)
    if (reader.peek() !== undefined) reader.unexpected()
    return select
  })
}

/** Parses a query that stands in brackets. */
type ParseInner = () => Select

function parseQuery(reader: TokenReader, formats: Formats, depth: number): Select {
  if (depth > MOST_DEEP) decline(`queries nested more than ${MOST_DEEP} deep`, reader.at())
  let query = parseSingle(reader, formats, depth)
  const isUnion = reader.isWord('UNION', 'ALL')
  while (reader.isWord('UNION', 'ALL')) {
    const at = reader.at()
    reader.takeWords('UNION', 'ALL')
    query = unite(query, parseSingle(reader, formats, depth), at)
  }
  const at = reader.at()
  const parseInner = (): Select => parseQuery(reader, formats, depth + 1)
  const orderBy = reader.takeWords('ORDER', 'BY')
    ? parseList(reader, () => parseOrderItem(reader, parseInner))
    : []
  // Unlike that of a SELECT, the ORDER BY of a UNION ALL knows only the names of the select list.
  if (isUnion && orderBy.some(({ value }) => value.kind !== 'ordinal')) decline('ORDER BY of a UNION ALL', at)
  return { ...query, orderBy, ...parseLimits(reader) }
}

/** Parses one SELECT of a UNION ALL, without the ORDER BY and the limits that follow the last one. */
function parseSingle(reader: TokenReader, formats: Formats, depth: number): Single {
  const parseInner = (): Select => parseQuery(reader, formats, depth + 1)
  const at = reader.at()
  if (!reader.takeWords('SELECT')) reader.unexpected()
  const hasDistinct = reader.takeWords('DISTINCT')
  const distinctOn = hasDistinct ? parseDistinctOn(reader, PARSERS) : null
  const items = parseList(reader, () => parseItem(reader, parseInner))
  if (!reader.takeWords('FROM')) reader.unexpected()
  const from = parseFrom(reader, formats, parseInner)
  if (reader.isSign(',')) decline('a join', reader.at())
  const where = reader.takeWords('WHERE') ? parseExpression(reader, parseInner) : null
  const groupBy = reader.takeWords('GROUP', 'BY') ? parseGroupBy(reader, parseInner) : null
  const having = reader.takeWords('HAVING') ? parseExpression(reader, parseInner) : null
  const qualify = reader.takeWords('QUALIFY') ? parseQualify(reader, PARSERS, items) : null
  const window = numberIn(items)
  if (distinctOn !== null && (qualify !== null || window !== null)) decline('DISTINCT ON with a window', at)
  const numbered: FirstsOfSelect | null = window && { kind: 'row_number', window, most: null }
  const firsts = distinctOn ?? qualify ?? numbered
  const isDistinct = hasDistinct && distinctOn === null
  return { isDistinct, items, from, where, groupBy, having, ...(firsts && { firsts }) }
}

const PARSERS: Parsers = Object.freeze({ parsePlace, parseOrderItem })

function parseItem(reader: TokenReader, parseInner: ParseInner): Item {
  const at = reader.at()
  if (reader.takeSign('*')) return { kind: 'star', table: null, at }
  if (isSign(reader.peek(1), '.') && isSign(reader.peek(2), '*')) {
    const table = reader.expectName()
    reader.next()
    reader.next()
    return { kind: 'star', table, at }
  }
  const window = parseRowNumber(reader, PARSERS)
  if (window !== null) {
    const alias = parseItemAlias(reader) ?? decline('a window without a name', at)
    return { kind: 'row_number', window, alias, at }
  }
  return { kind: 'value', value: parseExpression(reader, parseInner), alias: parseItemAlias(reader) }
}

/** Parses the alias of an item. After AS it may be any word, without AS it must not be a keyword. */
function parseItemAlias(reader: TokenReader): string | null {
  const hasAs = reader.takeWords('AS')
  const token = reader.peek()
  if (!isAlias(token, hasAs)) return hasAs ? reader.unexpected() : null
  reader.next()
  return token.text
}

function isAlias(token: Token | undefined, hasAs: boolean): token is Token {
  return token?.kind === 'quoted' || (token?.kind === 'word' && (hasAs || !isKeyword(token.text)))
}

function parseGroupBy(reader: TokenReader, parseInner: ParseInner): GroupBy {
  const at = reader.at()
  if (reader.takeWords('ALL')) return { kind: 'all', at }
  return { kind: 'values', values: parseList(reader, () => parsePlace(reader, parseInner)) }
}

/** Parses an expression, or a number that stands for an item of the select list. */
function parsePlace(reader: TokenReader, parseInner: ParseInner): SqlExpression | Ordinal {
  const expression = parseExpression(reader, parseInner)
  if (expression.kind !== 'literal') return expression
  const { form, text, at } = expression
  if (form !== 'integer' || !/^\d{1,15}$/.test(text)) decline('a constant that is no number of a column', at)
  return { kind: 'ordinal', number: Number(text), at }
}

/**
 * Parses a key of ORDER BY. By default nulls are last in ascending and first in descending order (docs/reference/sql.md,
 * "Dialect").
 */
function parseOrderItem(reader: TokenReader, parseInner: ParseInner): OrderItem {
  const value = parsePlace(reader, parseInner)
  const isDescending = reader.takeWords('DESC')
  const direction = isDescending ? ' DESC' : reader.takeWords('ASC') ? ' ASC' : ''
  const isFirst = reader.takeWords('NULLS', 'FIRST')
  const nulls = isFirst ? ' NULLS FIRST' : reader.takeWords('NULLS', 'LAST') ? ' NULLS LAST' : ''
  const areNullsFirst = nulls === '' ? isDescending : isFirst
  return { value, isDescending, areNullsFirst, written: `${direction}${nulls}` }
}

/** Parses LIMIT and OFFSET, in either order and each at most once. */
function parseLimits(reader: TokenReader): Limits {
  let limit: number | null = null
  let offset: number | null = null
  for (;;) {
    if (limit === null && reader.takeWords('LIMIT')) limit = expectCount(reader)
    else if (offset === null && reader.takeWords('OFFSET')) offset = expectCount(reader)
    else {
      const writtenLimits = `${limit === null ? '' : ` LIMIT ${limit}`}${offset === null ? '' : ` OFFSET ${offset}`}`
      return { limit, offset: offset ?? 0, writtenLimits }
    }
  }
}

/** A `SELECT` without ORDER BY and limits. */
type Single = Omit<Select, 'orderBy' | keyof Limits>

type Limits = Pick<Select, 'limit' | 'offset' | 'writtenLimits'>

const MOST_QUERIES = 64

/** Unites two queries with `UNION ALL` between them, which are equal except for their files, to one over the files of both. */
function unite(one: Single, other: Single, at: number): Single {
  const [files, others] = [filesOf(one), filesOf(other)]
  if (files !== null && files.sources.length === MOST_QUERIES)
    decline(`UNION ALL of over ${MOST_QUERIES} queries`, at)
  if (files === null || others === null || written(one) !== written(other) || !isSameFormat(files, others))
    return decline('UNION ALL of different queries', at)
  return { ...one, from: { ...files, sources: [...files.sources, ...others.sources], written: null } }
}

/** The files of a query. Null: it does more than choose rows and columns of files. */
function filesOf({ isDistinct, firsts, items, from, groupBy, having }: Single): FromSources | null {
  const isPlain = items.every((item) => item.kind !== 'value' || !hasAggregate(item.value))
  if (isDistinct || firsts !== undefined || !isPlain || groupBy !== null || having !== null) return null
  return from.kind === 'sources' ? from : null
}

/** A key of what a query chooses. */
function written({ items, where, from }: Single): string {
  return writtenKey([items, where, from.alias])
}

function isSameFormat({ sources: [one] }: FromSources, { sources: [other] }: FromSources): boolean {
  return one?.kind === 'files' && other?.kind === 'files' && one.format.key === other.format.key
}
