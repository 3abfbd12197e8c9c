import { ServiceError } from '../../../../plan/errors.ts'
import type { ArgumentVector } from '../../../../wasm/duckdb/functions/argument-vector.ts'
import { type Match, type Regexes, shorten } from '../../../../wasm/duckdb/functions/regex.ts'
import type { ResultVector } from '../../../../wasm/duckdb/functions/result-vector.ts'
import type { ScalarFunction, ScalarOverload } from '../../../../wasm/duckdb/functions/scalar-function.ts'
import type { LogicalType } from '../../../../wasm/duckdb/logical-type.ts'
import { bytesBefore, charactersIn, nextCharacter } from './characters.ts'
import { BIGINT, VARCHAR } from './types.ts'

/** Functions of regular expressions that DuckDB does not have. Positions are in characters from 1. */
export function regularExpressions(regexes: Regexes): readonly ScalarFunction[] {
  const patternOf = patterns()
  return [
    {
      name: '_regexp',
      // The pattern with its flags in it, for functions of DuckDB.
      overloads: overloads([VARCHAR, VARCHAR], 1, VARCHAR, ([pattern, flags], result, row) => {
        const text = patternOf(pattern, flags, row)
        regexes.check(text)
        result.setBytes(row, Buffer.from(text))
      }),
    },
    {
      name: 'regexp_count',
      overloads: overloads([VARCHAR, VARCHAR, BIGINT, VARCHAR], 2, BIGINT, (args, result, row) => {
        const [text, pattern, start, flags] = args
        if (text === undefined) return
        const searched = searchedText('regexp_count', text, start, row)
        let count = 0
        for (const _ of matches(regexes, patternOf(pattern, flags, row), searched)) count++
        result.setBigint(row, BigInt(count))
      }),
    },
    {
      name: 'regexp_instr',
      overloads: overloads(
        [VARCHAR, VARCHAR, BIGINT, BIGINT, VARCHAR, BIGINT],
        2,
        BIGINT,
        (args, result, row) => {
          const [text, pattern, start, occurrence, flags, group] = args
          if (text === undefined) return
          const searched = searchedText('regexp_instr', text, start, row)
          const nth = atLeast('regexp_instr', 'occurrence', 1n, occurrence?.bigint(row) ?? 1n)
          const index = atLeast('regexp_instr', 'group', 0n, group?.bigint(row) ?? 0n)
          result.setBigint(row, 0n)
          let count = 0n
          for (const match of matches(regexes, patternOf(pattern, flags, row), searched)) {
            if (++count < nth) continue
            const at = positionOf(match, Number(index))
            if (at === null) return
            const before = charactersIn(searched.bytes().subarray(0, at))
            result.setBigint(row, BigInt(searched.charactersBefore + before + 1))
            return
          }
        },
      ),
    },
    {
      name: 'regexp_match',
      overloads: overloads(
        [VARCHAR, VARCHAR, VARCHAR],
        2,
        { kind: 'list', item: VARCHAR },
        (args, result, row) => {
          const [text, pattern, flags] = args
          const [address, length] = [text?.address(row) ?? 0, text?.length(row) ?? 0]
          const match = regexes.search(patternOf(pattern, flags, row), address, length, 0)
          if (match === null) return result.setNull(row)
          const groups = match.length > 1 ? match.slice(1) : match
          result.setTexts(
            row,
            groups.map(({ at, bytes }) => [address + at, bytes]),
          )
        },
      ),
    },
  ]
}

/** Overloads with the first parameters alone, from so many on. */
function overloads(
  parameters: readonly LogicalType[],
  least: number,
  returns: LogicalType,
  compute: (args: readonly ArgumentVector[], result: ResultVector, row: number) => void,
): readonly ScalarOverload[] {
  return parameters
    .slice(least - 1)
    .map((_, more) => ({ parameters: parameters.slice(0, least + more), returns, compute }))
}

/** The pattern of a row with its flags in it. It is made once for rows of the same pattern and flags that follow each other. */
function patterns(): (
  pattern: ArgumentVector | undefined,
  flags: ArgumentVector | undefined,
  row: number,
) => string {
  let last = { pattern: '', flags: '', written: '' }
  return (patterns, allFlags, row) => {
    const [pattern, flags] = [patterns?.text(row) ?? '', allFlags?.text(row) ?? '']
    if (pattern !== last.pattern || flags !== last.flags)
      last = { pattern, flags, written: patternWithFlags(pattern, flags) }
    return last.written
  }
}

/** A text from its start position on. What is before that is no part of it, so that `^` matches there. */
interface SearchedText {
  readonly address: number
  readonly length: number
  /** Its bytes, valid until the next search. */
  bytes(): Buffer
  readonly charactersBefore: number
}

function searchedText(
  name: string,
  text: ArgumentVector,
  start: ArgumentVector | undefined,
  row: number,
): SearchedText {
  const from = atLeast(name, 'start', 1n, start?.bigint(row) ?? 1n)
  // No text has so many characters that a number would not do.
  const charactersBefore = Number(from) - 1
  const skipped = bytesBefore(text.bytes(row), charactersBefore)
  return {
    address: text.address(row) + skipped,
    length: text.length(row) - skipped,
    bytes: () => text.bytes(row).subarray(skipped),
    charactersBefore,
  }
}

/** Matches that do not overlap. An empty one does not follow another match at its end. An empty pattern has none. */
function* matches(regexes: Regexes, pattern: string, searched: SearchedText): Generator<Match> {
  if (pattern === '') return
  const { address, length } = searched
  let [from, lastEnd] = [0, -1]
  while (from <= length) {
    const match = regexes.search(pattern, address, length, from)
    const [all] = match ?? []
    if (match === null || all === undefined) return
    const end = all.at + all.bytes
    if (all.bytes === 0 && end === lastEnd) from = nextCharacter(searched.bytes(), end)
    else {
      yield match
      from = end
      lastEnd = end
    }
  }
}

/** Bytes before a group of a match. Null: the expression has no such group, or it took no part. */
function positionOf(match: Match, group: number): number | null {
  const [all] = match
  const groupMatch = match[group]
  if (all === undefined || groupMatch === undefined) return null
  if (group > 0 && groupMatch.at === 0 && groupMatch.bytes === 0) return null
  return groupMatch.at
}

function atLeast(name: string, what: string, least: bigint, value: bigint): bigint {
  if (value >= least) return value
  throw new ServiceError('invalid_sql', `${name}: the ${what} is ${value}, but it must be ${least} or more.`)
}

/** The flags that RE2 has in a pattern. It has no `x`, so what that one ignores is left out. */
const IN_PATTERN = 'imsU'

/** The pattern with its flags in it. Throws `invalid_sql` for a flag that there is not. */
function patternWithFlags(pattern: string, flags: string): string {
  for (const flag of flags)
    if (flag !== 'x' && !IN_PATTERN.includes(flag))
      throw new ServiceError(
        'invalid_sql',
        `'${shorten(flags)}' are no flags of a regular expression: they are i, m, s, U and x.`,
      )
  const bare = flags.includes('x') ? withoutComments(pattern) : pattern
  const others = flags.replaceAll('x', '')
  return others === '' ? bare : `(?${others})${bare}`
}

/** The pattern without white space, and without comments from `#` to the end of a line. In square brackets `#` is a character. */
function withoutComments(pattern: string): string {
  let [stripped, isInBrackets] = ['', false]
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at] ?? ''
    if (letter === '\\') stripped += letter + (pattern[++at] ?? '')
    else if (letter === '#' && !isInBrackets) {
      const end = pattern.indexOf('\n', at)
      at = end < 0 ? pattern.length : end
    } else if (!/\s/.test(letter)) {
      if (letter === '[') isInBrackets = true
      else if (letter === ']') isInBrackets = false
      stripped += letter
    }
  }
  return stripped
}
