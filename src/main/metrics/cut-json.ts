/** Stands where something was cut: at the end of a string, as an element of an array, or as the name of a member. */
export const CUT = '…'

/** Characters that a cut takes at most beside the brackets that are closed: `,"…":null`, and one in reserve. */
const RESERVED = 10

const CLOSERS: Readonly<Record<string, string>> = Object.freeze({ '[': ']', '{': '}' })

/**
 * JSON text of at most `most` characters (at least 16): `json` itself if it is no longer, else its beginning, with `…` where it
 * was cut and its brackets closed. Numbers stay as they are written. A string is cut inside only if the text would lose more
 * than half of `most` otherwise. `json` must be valid.
 */
export function cutJson(json: string, most: number): string {
  if (json.length <= most) return json
  /** What closes the brackets that are open. */
  const open: string[] = []
  /** Where the text can end: behind an opening or a closing bracket, or before a comma. */
  let end = 0
  let isEmpty = true
  let isName = false
  for (let at = 0; at + open.length + RESERVED < most; at++) {
    const character = json[at] ?? ''
    if (character === '"') {
      const string = readString(json, at, most - open.length - RESERVED)
      if (!string.isWhole) {
        if (isName || end > most / 2) break
        return `${json.slice(0, string.end)}${CUT}"${open.reverse().join('')}`
      }
      at = string.end - 1
      continue
    }
    const closer = CLOSERS[character]
    if (closer !== undefined) open.push(closer)
    else if (character === open.at(-1)) open.pop()
    else if (character !== ',') {
      if (character === ':') isName = false
      continue
    }
    end = character === ',' ? at : at + 1
    isEmpty = closer !== undefined
    isName = open.at(-1) === '}'
  }
  return json.slice(0, end) + cutMark(open.at(-1), isEmpty) + open.reverse().join('')
}

/** What tells that elements or members are missing from an array or object that is closed by `closer`. */
function cutMark(closer: string | undefined, isFirst: boolean): string {
  const comma = isFirst ? '' : ','
  return closer === '}' ? `${comma}"${CUT}":null` : `${comma}"${CUT}"`
}

/**
 * The string that begins at `start`: whole, with `end` behind its closing quote, if that comes before `last`; else cut at `end`,
 * between two characters.
 */
function readString(json: string, start: number, last: number): { isWhole: boolean; end: number } {
  let at = start + 1
  while (at < last) {
    const character = json[at]
    if (character === '"') return { isWhole: true, end: at + 1 }
    const next = at + (character !== '\\' ? 1 : json[at + 1] === 'u' ? 6 : 2)
    if (next > last) break
    at = next
  }
  const isInPair = (json.charCodeAt(at - 1) & 0xfc00) === 0xd800
  return { isWhole: false, end: isInPair ? at - 1 : at }
}
