/** Where a position of a text is, as editors count it: `line 2, column 7`. `at` and columns are in UTF-16 units. */
export function placeIn(text: string, at: number): string {
  const before = text.slice(0, at)
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`
}
