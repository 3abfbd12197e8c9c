import { isKeyword } from '../../../sql/text/keywords.ts'
import { isSign, type Token, wordOf } from '../../../sql/text/tokens.ts'

/** Words that no statement can have, for literals of what a statement asks of the clock. They have no name as columns. */
export const CLOCK_DATE = 'CURRENT DATE'
export const CLOCK_TIMESTAMP = 'CURRENT TIMESTAMP'
/** A time with a zone. */
export const CLOCK_INSTANT = 'CURRENT INSTANT'

type ClockWord = typeof CLOCK_DATE | typeof CLOCK_INSTANT

const CALLED: ReadonlyMap<string, ClockWord> = new Map([
  ['NOW', CLOCK_INSTANT],
  ['TRANSACTION_TIMESTAMP', CLOCK_INSTANT],
  ['TODAY', CLOCK_DATE],
])
const WRITTEN: ReadonlyMap<string, ClockWord> = new Map([
  ['CURRENT_TIMESTAMP', CLOCK_INSTANT],
  ['CURRENT_DATE', CLOCK_DATE],
])

export interface ReadClock {
  readonly tokens: readonly Token[]
  /** Whether the statement asks for the time, so that its answer changes with it. */
  readonly isAsked: boolean
  /** Words among them that mean columns, if there are such columns. */
  readonly words: readonly string[]
}

/**
 * The tokens of a statement in which `now()`, `current_date` and the like are literals of one time, in milliseconds since 1970, and
 * intervals of a fixed length that are added to one or subtracted from it are part of the literal.
 */
export function readClock(tokens: readonly Token[], now: number): ReadClock {
  const read: Token[] = []
  const words: string[] = []
  let isAsked = false
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]
    if (token === undefined) break
    const word = beginsValue(tokens[index - 1]) ? wordOf(token) : null
    const isCall = isSign(tokens[index + 1], '(') && isSign(tokens[index + 2], ')')
    const clock = isCall ? CALLED.get(word ?? '') : WRITTEN.get(word ?? '')
    // What follows a dot or brackets is part of another name.
    const isPart = !isCall && (isSign(tokens[index + 1], '.') || isSign(tokens[index + 1], '('))
    if (clock === undefined || isPart) {
      read.push(token)
      continue
    }
    isAsked = true
    if (!isCall) words.push(token.text)
    if (isCall) index += 2
    let time = clock === CLOCK_DATE ? now - (((now % DAY) + DAY) % DAY) : now
    let name: string = clock
    for (;;) {
      const interval = intervalAt(tokens, index + 1)
      if (interval === null) break
      time += interval.milliseconds
      index += interval.tokens
      if (clock === CLOCK_DATE) name = CLOCK_TIMESTAMP
    }
    const text = new Date(time).toISOString().replace('T', ' ').replace('Z', '')
    const written = name === CLOCK_DATE ? text.slice(0, 10) : text
    read.push({ ...token, kind: 'word', text: name, word: name })
    read.push({ ...token, kind: 'string', text: `'${written}'`, word: null })
  }
  return { tokens: isAsked ? read : tokens, isAsked, words }
}

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '^', '.', ')', ']', ':', '|'])

/** Whether a value begins behind a token that nothing is computed from. */
function beginsValue(before: Token | undefined): boolean {
  if (before?.kind === 'sign') return !ARITHMETIC.has(before.text)
  return before?.kind === 'word' && isKeyword(before.text) && wordOf(before) !== 'AS'
}

const DAY = 86_400_000

const UNITS: ReadonlyMap<string, number> = new Map(
  [
    ['SECOND', 1_000] as const,
    ['MINUTE', 60_000] as const,
    ['HOUR', 3_600_000] as const,
    ['DAY', DAY] as const,
    ['WEEK', 7 * DAY] as const,
  ].flatMap(([unit, length]) => [[unit, length] as const, [`${unit}S`, length] as const]),
)

/** `- INTERVAL 7 DAY` or `- INTERVAL '7 days'` at a place. Null: another thing is there, or months, which have no length. */
function intervalAt(
  tokens: readonly Token[],
  at: number,
): { readonly milliseconds: number; readonly tokens: number } | null {
  const [sign, word, amount, unit] = tokens.slice(at, at + 4)
  const factor = isSign(sign, '-') ? -1 : isSign(sign, '+') ? 1 : 0
  if (factor === 0 || wordOf(word) !== 'INTERVAL' || amount === undefined) return null
  const [, count, inside] = /^'?(?<count>\d{1,6})(?: (?<unit>[a-z]+))?'?$/i.exec(amount.text) ?? []
  const isText = amount.kind === 'string'
  if (count === undefined || (amount.kind !== 'number' && !isText) || (inside !== undefined && !isText))
    return null
  const length = UNITS.get((inside ?? wordOf(unit) ?? '').toUpperCase())
  if (length === undefined) return null
  return { milliseconds: factor * Number(count) * length, tokens: inside === undefined ? 4 : 3 }
}
