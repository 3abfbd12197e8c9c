import type { Page } from './pages.ts'

/**
 * The definition levels and the values of an inflated data page, of a column that is not repeated. The header of a V2 page has
 * the length of the levels; a V1 page begins with it, and one that is too short for that has no levels.
 */
export function splitPage(
  { header: { dataPageV2: v2 }, body }: Page,
  isOptional: boolean,
): { readonly levels: Uint8Array; readonly values: Uint8Array } {
  const hasLength = !v2 && isOptional && body.length >= 4
  const from = v2 ? v2.repetitionLevelBytes : hasLength ? 4 : 0
  const length = hasLength ? new DataView(body.buffer, body.byteOffset).getUint32(0, true) : 0
  const to = from + (v2?.definitionLevelBytes ?? length)
  return { levels: body.subarray(from, to), values: body.subarray(to) }
}
