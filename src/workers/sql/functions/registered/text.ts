import { ServiceError } from '../../../../plan/errors.ts'
import type { ArgumentVector } from '../../../../wasm/duckdb/functions/argument-vector.ts'
import type { ScalarFunction, ScalarOverload } from '../../../../wasm/duckdb/functions/scalar-function.ts'
import { bytesBefore, charactersIn } from './characters.ts'
import { BIGINT, INTEGER, VARCHAR } from './types.ts'

/** The part of a text before the delimiter with a number, or behind the one with a number from the end. */
const SUBSTR_INDEX: ScalarOverload = Object.freeze({
  parameters: [VARCHAR, VARCHAR, BIGINT],
  returns: VARCHAR,
  compute([text, delimiter, count], result, row) {
    if (text === undefined || delimiter === undefined) return
    const { from, to } = partOf(text.bytes(row), delimiter.copy(row), count?.bigint(row) ?? 0n)
    result.setText(row, text.address(row) + from, to - from)
  },
} satisfies ScalarOverload)

/** Replaces so many characters of a text, from a position on, by another text. */
const OVERLAY: Pick<ScalarOverload, 'returns' | 'compute'> = Object.freeze({
  returns: VARCHAR,
  compute([text, by, start, count], result, row) {
    if (text === undefined || by === undefined) return
    const [bytes, put] = [text.bytes(row), by.bytes(row)]
    const first = start?.bigint(row) ?? 1n
    const end = first + (count?.bigint(row) ?? BigInt(charactersIn(put)))
    const before = bytes.subarray(0, bytesBefore(bytes, Number(first) - 1))
    const behind = bytes.subarray(bytesBefore(bytes, Number(end) - 1))
    result.setBytes(row, Buffer.concat([before, put, behind]))
  },
} satisfies Pick<ScalarOverload, 'returns' | 'compute'>)

const COMMA = ','.charCodeAt(0)

/** The number of a text among those with commas between them. */
const FIND_IN_SET: ScalarOverload = Object.freeze({
  parameters: [VARCHAR, VARCHAR],
  returns: INTEGER,
  compute([text, list], result, row) {
    if (text === undefined || list === undefined) return
    const [item, items] = [text.copy(row), list.copy(row)]
    let [number, from, position] = [1, 0, 0]
    while (from <= items.length && position === 0) {
      const comma = items.indexOf(COMMA, from)
      const end = comma < 0 ? items.length : comma
      if (items.subarray(from, end).equals(item)) position = number
      number++
      from = end + 1
    }
    result.setInteger(row, position)
  },
} satisfies ScalarOverload)

/** The most steps of one edit distance: some 0.1 s. */
const MAX_STEPS = 1e8

const LEVENSHTEIN: ScalarOverload = Object.freeze({
  parameters: [VARCHAR, VARCHAR],
  returns: BIGINT,
  compute([a, b], result, row) {
    if (a === undefined || b === undefined) return
    const [length, otherLength] = [a.length(row), b.length(row)]
    if (Math.max(length, 1) * Math.max(otherLength, 1) > MAX_STEPS)
      throw new ServiceError(
        'invalid_sql',
        `levenshtein: texts of ${length} and ${otherLength} bytes are too long to be compared. Compare shorter ones.`,
      )
    result.setBigint(row, BigInt(editDistance(charactersOf(a, row), charactersOf(b, row))))
  },
} satisfies ScalarOverload)

export const TEXT_FUNCTIONS: readonly ScalarFunction[] = Object.freeze([
  { name: 'editdist3', overloads: [LEVENSHTEIN] },
  { name: 'find_in_set', overloads: [FIND_IN_SET] },
  { name: 'levenshtein', overloads: [LEVENSHTEIN] },
  {
    name: 'overlay',
    overloads: [
      { ...OVERLAY, parameters: [VARCHAR, VARCHAR, BIGINT] },
      { ...OVERLAY, parameters: [VARCHAR, VARCHAR, BIGINT, BIGINT] },
    ],
  },
  { name: 'substr_index', overloads: [SUBSTR_INDEX] },
  { name: 'substring_index', overloads: [SUBSTR_INDEX] },
])

interface Part {
  readonly from: number
  readonly to: number
}

function partOf(text: Buffer, delimiter: Buffer, count: bigint): Part {
  if (count === 0n || delimiter.length === 0) return { from: 0, to: 0 }
  if (count > 0n) {
    let at = -delimiter.length
    for (let remaining = count; remaining > 0n; remaining--) {
      at = text.indexOf(delimiter, at + delimiter.length)
      if (at < 0) return { from: 0, to: text.length }
    }
    return { from: 0, to: at }
  }
  let at = text.length
  for (let remaining = count; remaining < 0n; remaining++) {
    // A negative position would be counted from the end.
    const last = at - delimiter.length
    at = last < 0 ? -1 : text.lastIndexOf(delimiter, last)
    if (at < 0) return { from: 0, to: text.length }
  }
  return { from: at + delimiter.length, to: text.length }
}

/** Where each character has one byte these are the bytes, valid until DuckDB is called. */
function charactersOf(text: ArgumentVector, row: number): Characters {
  const bytes = text.bytes(row)
  if (bytes.every((byte) => byte < 0x80)) return bytes
  return Uint32Array.from(text.text(row), (character) => character.codePointAt(0) ?? 0)
}

/** The characters of a text, as numbers. */
type Characters = Uint8Array | Uint32Array

/** The least number of characters to insert, delete or replace that makes one text of another (Levenshtein). */
export function editDistance(a: Characters, b: Characters): number {
  /** The distances of the first characters of `a`, so many as the row's number, to each beginning of `b`. */
  const distances = new Uint32Array(b.length + 1)
  for (let j = 1; j <= b.length; j++) distances[j] = j
  for (let i = 0; i < a.length; i++) {
    const character = a[i]
    let diagonal = i
    let leftDistance = i + 1
    distances[0] = leftDistance
    for (let j = 1; j <= b.length; j++) {
      const above = distances[j] ?? 0
      const replaced = diagonal + (character === b[j - 1] ? 0 : 1)
      const changed = Math.min(leftDistance, above) + 1
      leftDistance = Math.min(replaced, changed)
      diagonal = above
      distances[j] = leftDistance
    }
  }
  return distances[b.length] ?? 0
}
