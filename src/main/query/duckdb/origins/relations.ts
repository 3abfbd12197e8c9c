import { isName } from '../../../sql/text/keywords.ts'
import { isSign, type Token } from '../../../sql/text/tokens.ts'
import { indexOfClosing } from './split-block.ts'

/** What stands behind FROM: relations, and what joins them. */
export interface WrittenRelations {
  readonly list: readonly WrittenRelation[]
  /** The columns that USING makes one of two. */
  readonly merged: readonly string[]
}

interface WrittenRelation {
  /** The name before its columns. Null: it has none. */
  readonly alias: string | null
  readonly source: WrittenSource
}

export type WrittenSource =
  | { readonly kind: 'query'; readonly tokens: readonly Token[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Token[] }
  | { readonly kind: 'table'; readonly parts: readonly string[] }

const JOINS = new Set(['ASOF', 'INNER', 'LEFT', 'RIGHT', 'FULL', 'CROSS', 'SEMI', 'ANTI', 'OUTER', 'JOIN'])

/** Reads what stands behind FROM. Null: it is of another form. */
export function readRelations(tokens: readonly Token[]): WrittenRelations | null {
  const list: WrittenRelation[] = []
  const merged: string[] = []
  for (let at = 0; at < tokens.length; ) {
    const source = readSource(tokens, at)
    if (source === null) return null
    at = source.end
    list.push(source.relation)
    if (at === tokens.length) break
    if (isSign(tokens[at], ',')) {
      at++
      continue
    }
    const joined = readJoin(tokens, at)
    if (joined !== null) {
      at = joined
      continue
    }
    const condition = readCondition(tokens, at)
    if (condition === null) return null
    merged.push(...condition.merged)
    if (condition.end === tokens.length) break
    const next = isSign(tokens[condition.end], ',') ? condition.end + 1 : readJoin(tokens, condition.end)
    if (next === null) return null
    at = next
  }
  return { list, merged }
}

function readSource(
  tokens: readonly Token[],
  at: number,
): { readonly relation: WrittenRelation; readonly end: number } | null {
  const first = tokens[at]
  if (first === undefined) return null
  if (isSign(first, '(')) {
    const end = indexOfClosing(tokens, at)
    if (end === null) return null
    return withAlias(tokens, end + 1, { kind: 'query', tokens: tokens.slice(at + 1, end) }, null)
  }
  if (!isRelationName(first)) return null
  if (isSign(tokens[at + 1], '(')) {
    const end = indexOfClosing(tokens, at + 1)
    if (end === null) return null
    const args = tokens.slice(at + 2, end)
    return withAlias(tokens, end + 1, { kind: 'call', name: first.text, args }, null)
  }
  const parts = [first.text]
  let end = at + 1
  while (isSign(tokens[end], '.')) {
    const part = tokens[end + 1]
    if (part?.kind !== 'word' && part?.kind !== 'quoted') return null
    parts.push(part.text)
    end += 2
  }
  return withAlias(tokens, end, { kind: 'table', parts }, parts.at(-1) ?? null)
}

function withAlias(
  tokens: readonly Token[],
  at: number,
  source: WrittenSource,
  ownName: string | null,
): { readonly relation: WrittenRelation; readonly end: number } | null {
  const hasAs = tokens[at]?.word === 'AS'
  const place = hasAs ? at + 1 : at
  const token = tokens[place]
  const isAlias = token !== undefined && isRelationName(token) && !JOINS.has(token.word ?? '')
  if (!isAlias) return hasAs ? null : { relation: { alias: ownName, source }, end: at }
  // A list of names behind an alias renames columns.
  if (isSign(tokens[place + 1], '(')) return null
  return { relation: { alias: token.text, source }, end: place + 1 }
}

function isRelationName({ kind, text }: Token): boolean {
  return kind === 'quoted' || (kind === 'word' && isName(text))
}

/** The index behind the words of a join. Null: there are none. */
function readJoin(tokens: readonly Token[], at: number): number | null {
  let end = at
  while (JOINS.has(tokens[end]?.word ?? '')) end++
  return end > at && tokens[end - 1]?.word === 'JOIN' ? end : null
}

/** Reads `ON …` up to the next relation, or `USING (…)`. Null: something else stands there. */
function readCondition(
  tokens: readonly Token[],
  at: number,
): { readonly merged: readonly string[]; readonly end: number } | null {
  if (tokens[at]?.word === 'USING') {
    const end = isSign(tokens[at + 1], '(') ? indexOfClosing(tokens, at + 1) : null
    if (end === null) return null
    const names = tokens.slice(at + 2, end).filter((token) => !isSign(token, ','))
    return names.every(isRelationName) ? { merged: names.map(({ text }) => text), end: end + 1 } : null
  }
  if (tokens[at]?.word !== 'ON') return null
  for (let end = at + 1; ; end++) {
    if (end >= tokens.length || isSign(tokens[end], ',') || readJoin(tokens, end) !== null)
      return { merged: [], end: Math.min(end, tokens.length) }
    const close = isSign(tokens[end], '(') || isSign(tokens[end], '[') ? indexOfClosing(tokens, end) : end
    if (close === null) return null
    end = close
  }
}
