/** Marks a cut: at the end of a string, as the last element of an array, or as the name of the last member of an object. */
export const CUT = '…'

/** The most characters that a cut adds, besides closing brackets: those of `,"…":null`, and one to spare. */
const RESERVED = 10

const CLOSERS: Readonly<Record<string, string>> = Object.freeze({ '[': ']', '{': '}' })

/**
 * Cuts JSON text to at most `max` characters, which are 16 or more. The result is valid JSON: the beginning of `json`, with
 * `…` where it was cut and all brackets closed. Numbers are never cut, and a string only if the text would otherwise be shorter
 * than half of `max`. `json` must be valid.
 */
export function cutJson(json: string, max: number): string {
  if (json.length <= max) return json
  /** The closing brackets for those that are open. */
  const open: string[] = []
  /** The last position at which the text can be cut: after an opening or a closing bracket, or before a comma. */
  let end = 0
  let isEmpty = true
  let isName = false
  for (let at = 0; at + open.length + RESERVED < max; at++) {
    const character = json[at] ?? ''
    if (character === '"') {
      const string = readString(json, at, max - open.length - RESERVED)
      if (!string.isWhole) {
        if (isName || end > max / 2) break
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

/** The text that marks missing elements or members in an array or object that `closer` closes. */
function cutMark(closer: string | undefined, isFirst: boolean): string {
  const comma = isFirst ? '' : ','
  return closer === '}' ? `${comma}"${CUT}":null` : `${comma}"${CUT}"`
}

/**
 * Reads the string that begins at `start`. If its closing quote is before `last`, it is whole, and `end` is the position after
 * the quote. Else `end` is a position before `last` at which it can be cut without splitting a character or an escape.
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
