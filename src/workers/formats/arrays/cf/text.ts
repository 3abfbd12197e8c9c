import type { ArrayDimension, Attribute, StoredArray } from '../array-file.ts'
import { textOf } from '../attributes.ts'

/** Whether an array of characters has whole texts along its last dimension, by the name of that. */
export function isTextDimension(dimension: ArrayDimension | undefined): boolean {
  return dimension !== undefined && /^(string|strlen|strnlen)/i.test(dimension.name)
}

/**
 * The text that means null. In an array of characters blanks as a fill value only say what is behind the end of a text, so they mean
 * no null: an empty text is a value. In one of texts only `""` means that empty ones are null.
 */
export function textFill(attributes: readonly Attribute[], areCharacters: boolean): Buffer | null {
  const fill = textOf(attributes, '_FillValue')
  if (fill === null) return null
  const trimmed = trimmedEnd(Buffer.from(fill))
  const isMeant = trimmed.length > 0 || (fill === '' && !areCharacters)
  return isMeant ? Buffer.from(trimmed) : null
}

/** Bytes of text without the NULs and the white space at their end. */
export function trimmedEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && isBlank(bytes[end - 1] ?? 0)) end--
  return bytes.subarray(0, end)
}

/** NUL, white space of ASCII. */
function isBlank(byte: number): boolean {
  return byte === 0 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

/**
 * The dimensions that are the letters of texts, by how the file uses them: only arrays of characters have them, each as its last dimension,
 * and no array is their coordinate. `DATE_TIME` of `LAUNCH_DATE(DATE_TIME)` is one; `N_LEVELS` of `TEMP_QC(N_PROF, N_LEVELS)` is none, since
 * `TEMP` has it too. A dimension that has no name in the file says nothing.
 */
export function textDimensions(arrays: readonly StoredArray[]): ReadonlySet<string> {
  const texts = new Set<string>()
  const others = new Set<string>()
  for (const { element, dimensions } of arrays) {
    const last = element.kind === 'char' ? dimensions.length - 1 : -1
    for (const [index, { name, isInvented }] of dimensions.entries()) {
      if (index === last && !isInvented && !UNNAMED.test(name)) texts.add(name)
      else others.add(name)
    }
  }
  if (texts.size === 0) return texts
  // The coordinate of a dimension is called like it, in whatever group.
  const coordinates = new Set(arrays.map(({ name }) => lastOf(name)))
  return new Set([...texts].filter((name) => !others.has(name) && !coordinates.has(lastOf(name))))
}

/** What dimensions of Zarr are called that have no names. */
const UNNAMED = /^dim_\d+$/

/** A name without the path of its group. */
function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
