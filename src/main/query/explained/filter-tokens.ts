import type { FilterText } from '../../../plan/statement/statement.ts'

/** A token of a filter's text. `index` is the index of a column. */
export type FilterToken =
  | { readonly kind: 'column'; readonly index: number }
  | { readonly kind: 'number'; readonly text: string }
  /** Without its quotes. */
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'sign'; readonly text: string }

/** DuckDB's name for the type of times of day in nanoseconds. */
export const FINE_TIME = 'TIME_NS'

/** DuckDB prints constants of this type alone without quotes and without their type. */
const TOKEN =
  /\s+|(?<time>\d\d:\d\d:\d\d(?:\.\d+)?)(?![\w.:])|'(?<string>(?:[^']|'')*)'|(?<number>-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b|(?<word>[A-Za-z_]\w*)|(?<sign>::|[!<>]=|[^\s\w'"])/y

/** Splits a filter's text into tokens. Null: some of it is not a token, because the text was cut or has a name in quotes. */
export function filterTokens(text: FilterText): readonly FilterToken[] | null {
  const tokens: FilterToken[] = []
  for (const item of text) {
    if (typeof item === 'number') {
      tokens.push({ kind: 'column', index: item })
      continue
    }
    TOKEN.lastIndex = 0
    while (TOKEN.lastIndex < item.length) {
      const groups = TOKEN.exec(item)?.groups
      if (groups === undefined) return null
      const { time, string, number, word, sign } = groups
      if (time !== undefined)
        tokens.push(
          { kind: 'string', text: time },
          { kind: 'sign', text: '::' },
          { kind: 'word', text: FINE_TIME },
        )
      else if (string !== undefined) tokens.push({ kind: 'string', text: string.replaceAll("''", "'") })
      else if (number !== undefined) tokens.push({ kind: 'number', text: number })
      else if (word !== undefined) tokens.push({ kind: 'word', text: word })
      else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    }
  }
  return tokens
}
