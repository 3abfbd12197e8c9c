/** The texts in the order of their UTF-8 bytes. JavaScript's own order differs from that only where there are surrogates. */
export function sortedByBytes(texts: readonly string[]): string[] {
  if (!texts.some((text) => /[\ud800-\udfff]/.test(text))) return texts.toSorted()
  // One code unit a byte: the native sort of such texts takes a tenth of the time that comparing buffers does.
  return texts
    .map((text) => Buffer.from(text).toString('latin1'))
    .sort()
    .map((bytes) => Buffer.from(bytes, 'latin1').toString())
}
