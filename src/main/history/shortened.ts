import { CUT } from './cut-json.ts'

/** The most elements of an array and members of an object. EXPLAIN prints no more files. */
const MAX_ELEMENTS = 100

/** The most characters of a string. A plan has a condition twice, and its files, all of which should fit in the row (row.ts). */
const MAX_CHARACTERS = 1 << 14

/** The most nested arrays and objects. Each operator of a plan is two of them. */
const MAX_LEVELS = 200

/**
 * Shortens a JSON value and keeps its shape: of arrays the first elements, of objects the first members and of strings the
 * beginnings, each with `…` at the end. The rest is not visited. Raw JSON numbers stay as they are.
 */
export function shorten(value: unknown, levels = MAX_LEVELS): unknown {
  if (typeof value === 'string') return shortenedText(value)
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  if (levels === 0) return CUT
  if (Array.isArray(value)) {
    const shortElements = value.slice(0, MAX_ELEMENTS).map((element) => shorten(element, levels - 1))
    return shortElements.length < value.length ? [...shortElements, CUT] : shortElements
  }
  const members = Object.entries(value)
  const shortMembers = members
    .slice(0, MAX_ELEMENTS)
    .map(([name, member]) => [name, shorten(member, levels - 1)])
  return Object.fromEntries(
    shortMembers.length < members.length ? [...shortMembers, [CUT, null]] : shortMembers,
  )
}

/** The beginning of a long text, with `…` at its end. */
export function shortenedText(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  const isInPair = (text.charCodeAt(MAX_CHARACTERS - 1) & 0xfc00) === 0xd800
  return text.slice(0, isInPair ? MAX_CHARACTERS - 1 : MAX_CHARACTERS) + CUT
}
