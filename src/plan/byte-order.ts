/**
 * Sorts texts by their UTF-8 bytes. JavaScript sorts by UTF-16 code units. The two orders differ only where a surrogate is
 * compared with a character from U+E000 on.
 */
export function sortedByBytes(texts: readonly string[]): string[] {
  const differs = hasAny(texts, /[\ud800-\udfff]/) && hasAny(texts, /[\ue000-\uffff]/)
  if (!differs) return texts.toSorted()
  // As latin1 each byte is one code unit. To sort such texts takes a tenth of the time that comparing buffers does.
  return texts
    .map((text) => Buffer.from(text).toString('latin1'))
    .sort()
    .map((bytes) => Buffer.from(bytes, 'latin1').toString())
}

function hasAny(texts: readonly string[], characters: RegExp): boolean {
  return texts.some((text) => characters.test(text))
}
