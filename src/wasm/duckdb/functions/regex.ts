import { ServiceError } from '../../../plan/errors.ts'
import {
  CPP_STRING_BYTES,
  cppStringBytes,
  freeCppString,
  readCppString,
  writeCppString,
} from '../catalog/cpp-string.ts'
import { unfit } from '../catalog/misfit.ts'
import type { Duck } from '../instance.ts'

/** DuckDB's regular expressions (RE2), searched in texts of its memory. The time that a search takes is linear in the text. */
export interface Regexes {
  /** Throws `invalid_sql` if the pattern is no regular expression. */
  check(pattern: string): void
  /**
   * Finds the first match from a byte of a text on, or null. What is before `from` is part of the text, so that `^` does not match
   * there. Throws as `check`.
   */
  search(pattern: string, address: number, bytes: number, from: number): Match | null
}

/** What a regular expression has found: all of it, and then each group. One that took no part is empty. */
export type Match = readonly Span[]

interface Span {
  /** Bytes before it in the text. */
  readonly at: number
  readonly bytes: number
}

/** A `Regex` is a shared pointer to an RE2. A `Match` is a vector of groups and no more. */
const REGEX_BYTES = 8
const MATCH_BYTES = 32
/** Where an RE2 has the address of its error, which is empty if there is none. */
const ERROR = 40
/** A group is a string, and the bytes before it. */
const GROUP = Object.freeze({ position: CPP_STRING_BYTES, bytes: 16 })
const UNANCHORED = 0
/** `RegexOptions::CASE_INSENSITIVE`, by which DuckDB 1.4 makes an expression that is case-sensitive. */
const CASE_SENSITIVE = 1

/** Expressions that are compiled at once. DuckDB gives each of them at most 8 MiB. */
const CAPACITY = 16

export function openRegexes(duck: Duck): Regexes {
  const { api, memory } = duck
  /** The addresses of compiled expressions, by their patterns. */
  const compiled = new Map<string, number>()
  const match = memory.allocate(MATCH_BYTES)
  memory.views().u8.fill(0, match, match + MATCH_BYTES)

  const compile = (pattern: string): number => {
    if (compiled.size >= CAPACITY) {
      for (const regex of compiled.values()) {
        api.regex_destroy(regex)
        memory.free(regex)
      }
      compiled.clear()
    }
    using scratch = memory.scratch()
    const text = scratch.bytes(CPP_STRING_BYTES)
    writeCppString(memory, text, pattern)
    const regex = memory.allocate(REGEX_BYTES)
    api.regex_create(regex, text, CASE_SENSITIVE)
    freeCppString(memory, text)
    const error = errorOf(regex)
    if (error !== '') {
      api.regex_destroy(regex)
      memory.free(regex)
      throw new ServiceError('invalid_sql', `'${shorten(pattern)}' is no regular expression: ${error}`)
    }
    compiled.set(pattern, regex)
    return regex
  }
  const errorOf = (regex: number): string => {
    const { u32 } = memory.views()
    const re2 = u32[regex / 4] ?? 0
    return readCppString(memory, u32[(re2 + ERROR) / 4] ?? 0) ?? unfit('a regular expression')
  }
  const compiledOf = (pattern: string): number => compiled.get(pattern) ?? compile(pattern)
  const regexes: Regexes = {
    check: compiledOf,
    search(pattern, address, bytes, from) {
      const regex = compiledOf(pattern)
      const re2 = memory.views().u32[regex / 4] ?? 0
      if (api.regex_search(address, bytes, match, re2, UNANCHORED, from, bytes) === 0) return null
      const { u32 } = memory.views()
      const [begin, end] = [u32[match / 4] ?? 0, u32[match / 4 + 1] ?? 0]
      const spans: Span[] = []
      for (let at = begin; at < end; at += GROUP.bytes)
        spans.push({ at: u32[(at + GROUP.position) / 4] ?? 0, bytes: cppStringBytes(memory, at) })
      return spans
    },
  }
  requireLayout(duck, regexes)
  return regexes
}

/** Throws `internal` if searches do not find what they must, or an expression with an error is not seen to have it. */
function requireLayout({ memory }: Duck, { check, search }: Regexes): void {
  using scratch = memory.scratch()
  const spansFound = search('(A)(x)?b', scratch.text('abAb'), 4, 0)
  const spans = [
    { at: 2, bytes: 2 },
    { at: 2, bytes: 1 },
    { at: 0, bytes: 0 },
  ]
  if (JSON.stringify(spansFound) !== JSON.stringify(spans)) unfit('what a regular expression matches')
  try {
    check('(')
  } catch (error) {
    if (error instanceof Error && error.message.endsWith('missing ): (')) return
  }
  unfit('a regular expression')
}

/** The longest part of a value that a message shows, in characters. */
const SHOWN_CHARACTERS = 80

/** A value as a message shows it. */
export function shorten(value: string): string {
  const characters = [...value.slice(0, 2 * SHOWN_CHARACTERS)]
  if (characters.length <= SHOWN_CHARACTERS) return value
  return `${characters.slice(0, SHOWN_CHARACTERS).join('')}…`
}
