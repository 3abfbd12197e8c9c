/**
 * The delimiter of a text file that has been read with another one, so that its whole header is the name of its only column.
 * Null: the names of its columns do not tell.
 */
export function likelyDelimiter(names: readonly string[]): string | null {
  const [header] = names
  if (header === undefined || names.length > 1) return null
  return [';', '\t', '|', ','].find((each) => header.includes(each)) ?? null
}
