import { CUT } from './cut-json.ts'

/** Of what is shortened: an array of plans' files has no more elements. */
const MOST_ELEMENTS = 100

/** A plan prints a condition twice and its files, and all of it is to be kept (row.ts). */
const MOST_CHARACTERS = 1 << 14

/** Levels of arrays and objects; each operator of a plan takes two. */
const MOST_LEVELS = 200

/**
 * A value of JSON in its own shape, with less in it: the first elements of arrays, the first members of objects and the beginnings
 * of strings, each with `…` behind them. What is left out is not looked at. Raw JSON numbers stay.
 */
export function shortened(value: unknown, levels = MOST_LEVELS): unknown {
  if (typeof value === 'string') return beginning(value)
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  if (levels === 0) return CUT
  if (Array.isArray(value)) {
    const kept = value.slice(0, MOST_ELEMENTS).map((element) => shortened(element, levels - 1))
    return kept.length < value.length ? [...kept, CUT] : kept
  }
  const members = Object.entries(value)
  const kept = members.slice(0, MOST_ELEMENTS).map(([name, member]) => [name, shortened(member, levels - 1)])
  return Object.fromEntries(kept.length < members.length ? [...kept, [CUT, null]] : kept)
}

function beginning(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  const isInPair = (text.charCodeAt(MOST_CHARACTERS - 1) & 0xfc00) === 0xd800
  return text.slice(0, isInPair ? MOST_CHARACTERS - 1 : MOST_CHARACTERS) + CUT
}
