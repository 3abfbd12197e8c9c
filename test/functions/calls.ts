/** A call of a function with its arguments, as the texts that stand between commas. */
export interface Call {
  readonly name: string
  readonly args: readonly string[]
}

const OPENING = '([{'
const CLOSING = ')]}'

/** Reads an expression that is one call. Null: it is something else, such as an operator, a cast, or a call with a window. */
export function callOf(expression: string): Call | null {
  // Some are called without brackets, such as `current_date`.
  if (/^[a-z_]+$/.test(expression)) return { name: expression, args: [] }
  const [, name, rest] = /^"?([a-z_][a-z0-9_]*)"?\((.*)\)$/s.exec(expression) ?? []
  if (name === undefined || rest === undefined) return null
  const args: string[] = []
  let [depth, from, quote] = [0, 0, '']
  for (const [index, letter] of [...rest].entries()) {
    if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === "'" || letter === '"') quote = letter
    else if (OPENING.includes(letter)) depth++
    else if (CLOSING.includes(letter) && --depth < 0) return null
    else if (letter === ',' && depth === 0) {
      args.push([...rest].slice(from, index).join('').trim())
      from = index + 1
    }
  }
  const last = [...rest].slice(from).join('').trim()
  if (last !== '') args.push(last)
  // Such as `position('a' IN s)`, `x ORDER BY y`, `x -> x + 1`, `y := 5`.
  const isPlain = args.every((arg) => !/ (IN|FROM|FOR|ORDER|PLACING) |^DISTINCT |->|:=/.test(arg))
  return isPlain ? { name, args } : null
}

/** The value of a literal of text. Null: the expression is none. */
export function textOf(expression: string): string | null {
  const [, text] = /^'((?:[^']|'')*)'$/s.exec(expression) ?? []
  return text?.replaceAll("''", "'") ?? null
}
