/** Where in a text a position is: `line 3, column 14`. Both are counted from 1. */
export function locationIn(text: string, at: number): string {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return `line ${line}, column ${at - before.lastIndexOf('\n')}`
}
