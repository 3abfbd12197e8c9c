/** The longest path of a query, in bytes. */
const LOCATION_BYTES = 4096

/** Escapes what is a wildcard in patterns of queries. A `]` alone is none. */
export function escapePattern(path: string): string {
  return path.replaceAll(/[[*?]/g, '[$&]')
}

/** The end of a pattern that matches files with an extension, in any case if some have it in upper case. */
export function extensionPattern(extension: string, isInAnyCase: boolean): string {
  if (!isInAnyCase) return `.${extension}`
  return `.${extension.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)}`
}

/**
 * The pattern `<folder>/*<end>`. A path that exists as it is written is that file, and no pattern: if there is a file of this name, further
 * stars are written, which mean the same. Null: the pattern is longer than a query's may be.
 */
export async function unoccupiedPattern(
  folder: string,
  end: string,
  isOccupied: (path: string) => Promise<boolean>,
): Promise<string | null> {
  const above = folder === '' ? '' : `${folder}/`
  // Two stars alone would match folders of any depth.
  for (let stars = 1; ; stars = stars === 1 ? 3 : stars + 1) {
    const pattern = `${above}${'*'.repeat(stars)}${end}`
    if (Buffer.byteLength(pattern) > LOCATION_BYTES) return null
    if (!(await isOccupied(pattern))) return pattern
  }
}
