import { getOrMake } from '../../plan/get-or-make.ts'
import { memoize } from '../../plan/memoize.ts'

/**
 * One level of a path pattern. `*`, `?` and `[…]` match within one level; `**` matches any number of levels. There are no
 * braces and no extglobs. As in a shell, no wildcard matches the dot at the start of a name.
 *
 * The matching is our own because patterns come from requests: with fast-glob 3.3, which makes regular expressions of them,
 * `*0*0*0*0*0*0*0*x` takes 38 s on one name of 60 zeros, and its `**` does not match names with a line break. Here the number
 * of steps is at most the product of both lengths.
 */
export type Segment = typeof GLOBSTAR | readonly Token[]

export const GLOBSTAR = Symbol('**')

type Token = typeof STAR | CharacterTest

const STAR = Symbol('*')

/** A condition on one code point. */
type CharacterTest =
  | { readonly kind: 'literal'; readonly character: string }
  | { readonly kind: 'any' }
  /** Ranges of code points. Both bounds belong to the range. */
  | {
      readonly kind: 'set'
      readonly negated: boolean
      readonly ranges: readonly (readonly [number, number])[]
    }

export function hasWildcard(segment: string): boolean {
  return /[*?[]/.test(segment)
}

/** Parses one level. `**` is special only as a whole level, and elsewhere a `*`. A `[` without its `]` is a plain character. */
export function parseSegment(text: string): Segment {
  if (text === '**') return GLOBSTAR
  const characters = [...text]
  const tokens: Token[] = []
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] as string
    const set = character === '[' ? parseSet(characters, i) : null
    if (set !== null) {
      tokens.push(set.test)
      i = set.end
    } else if (character === '*') tokens.push(STAR)
    else tokens.push(character === '?' ? { kind: 'any' } : { kind: 'literal', character })
  }
  return tokens
}

/**
 * Parses `[abc]`, `[a-z]`, `[!a]` or `[^a]`. A `]` right after the opening is a member. `end` is the index of the closing `]`.
 * Null: there is none.
 */
function parseSet(characters: readonly string[], start: number): { test: CharacterTest; end: number } | null {
  const negated = characters[start + 1] === '!' || characters[start + 1] === '^'
  const first = start + (negated ? 2 : 1)
  const end = characters.indexOf(']', first + 1)
  if (end < 0) return null
  const codes = characters.map((character) => character.codePointAt(0) as number)
  const ranges: (readonly [number, number])[] = []
  for (let i = first; i < end; i++) {
    const isRange = characters[i + 1] === '-' && i + 2 < end
    ranges.push([codes[i] as number, codes[isRange ? i + 2 : i] as number])
    if (isRange) i += 2
  }
  return { test: { kind: 'set', negated, ranges }, end }
}

/** The test of names that a level makes, in which wildcards match a dot at the start of a name too. */
export function nameTest(text: string): (name: string) => boolean {
  const tokens = parseSegment(text)
  return tokens === GLOBSTAR ? () => true : testOf(tokens)
}

/**
 * The test of the names of one level, in which wildcards match a dot at the start of a name too. Most names are decided by the literal texts
 * of the level, without looking at them character by character.
 */
const testOf = memoize((tokens: readonly Token[]): ((name: string) => boolean) => {
  const texts = literalTexts(tokens)
  const [start = '', end = ''] = [texts[0], texts.at(-1)]
  if (tokens.every(isLiteral)) return (name) => name === start
  const least = start.length + end.length
  const longest = texts.slice(1, -1).reduce((a, b) => (b.length > a.length ? b : a), '')
  const isSimple = tokens.every((token) => token === STAR || isLiteral(token)) && texts.length <= 3
  return (name) =>
    name.length >= least &&
    name.startsWith(start) &&
    name.endsWith(end) &&
    (longest === '' || name.includes(longest)) &&
    (isSimple ? hasBetween(name, start.length, longest, end.length) : matchesTokens(tokens, name))
})

/** The literal texts before, between and after the wildcards. */
function literalTexts(tokens: readonly Token[]): readonly string[] {
  const texts = ['']
  for (const token of tokens)
    if (isLiteral(token)) texts[texts.length - 1] += token.character
    else texts.push('')
  return texts
}

/** Whether a text stands in a name between its start and its end. */
function hasBetween(name: string, start: number, text: string, end: number): boolean {
  const at = name.indexOf(text, start)
  return at >= 0 && at + text.length <= name.length - end
}

/** Whether a name of one level matches. */
function matchesName(tokens: readonly Token[], name: string, isDotPlain: boolean): boolean {
  if (!isDotPlain && name.startsWith('.') && !isDot(tokens[0])) return false
  return testOf(tokens)(name)
}

/**
 * Compares a name with the tokens of a level character by character. On a mismatch the last `*` takes one character more. Earlier ones need
 * no retry: what they could take, the last one can.
 */
function matchesTokens(tokens: readonly Token[], name: string): boolean {
  const characters = [...name]
  let token = 0
  let star = -1
  let resume = 0
  let at = 0
  while (at < characters.length) {
    const expected = tokens[token]
    if (expected === STAR) {
      star = token++
      resume = at
    } else if (expected !== undefined && matchesCharacter(expected, characters[at] as string)) {
      token++
      at++
    } else {
      if (star < 0) return false
      at = ++resume
      token = star + 1
    }
  }
  while (tokens[token] === STAR) token++
  return token === tokens.length
}

/** How much of a pattern the names so far have matched: the indexes of the segments that may match the next name. */
export type Progress = readonly number[]

export function begin(pattern: readonly Segment[]): Progress {
  return withSkips(pattern, [0])
}

/**
 * The progress after one more name. Empty: no path that begins like this matches. `isDotPlain`: wildcards match a dot at the start of the
 * name too.
 */
export function advance(
  pattern: readonly Segment[],
  progress: Progress,
  name: string,
  isDotPlain = false,
): Progress {
  const [only] = progress
  const level = only === undefined ? undefined : pattern[only]
  // In most folders each name is compared with one level: no name makes an array then.
  if (only !== undefined && progress.length === 1 && Array.isArray(level))
    return matchesName(level, name, isDotPlain) ? progressAfter(pattern, only) : NO_PROGRESS
  const next: number[] = []
  for (const index of progress) {
    const segment = pattern[index]
    if (segment === GLOBSTAR && (isDotPlain || !name.startsWith('.'))) next.push(index)
    else if (Array.isArray(segment) && matchesName(segment, name, isDotPlain)) next.push(index + 1)
  }
  return withSkips(pattern, next)
}

const NO_PROGRESS: Progress = Object.freeze([])

/** The progress after a level alone. */
function progressAfter(pattern: readonly Segment[], index: number): Progress {
  return getOrMake(progressesOf(pattern), index, () => withSkips(pattern, [index + 1]))
}

const progressesOf = memoize((_pattern: readonly Segment[]) => new Map<number, Progress>())

/** Whether the path so far matches the whole pattern. */
export function isComplete(pattern: readonly Segment[], progress: Progress): boolean {
  return progress.includes(pattern.length)
}

/** A `**` may also match no name at all. */
function withSkips(pattern: readonly Segment[], indexes: readonly number[]): Progress {
  const all = new Set(indexes)
  for (const index of all) if (pattern[index] === GLOBSTAR) all.add(index + 1)
  return [...all]
}

function matchesCharacter(token: CharacterTest, character: string): boolean {
  if (token.kind === 'any') return true
  if (token.kind === 'literal') return token.character === character
  const code = character.codePointAt(0) as number
  return token.ranges.some(([low, high]) => low <= code && code <= high) !== token.negated
}

function isLiteral(token: Token | undefined): token is Extract<Token, { kind: 'literal' }> {
  return typeof token === 'object' && token.kind === 'literal'
}

function isDot(token: Token | undefined): boolean {
  return isLiteral(token) && token.character === '.'
}
