/** Bytes `first` to `last` of an answer, both included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * The bytes that a `Range` header asks for (RFC 9110 §14.1.2) of an answer of `size` bytes. Null: all of them, because there is no
 * header, or one with several ranges, another unit, or no meaning. `beyond`: it has none of the bytes.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'beyond' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return null
  // Without a beginning it is the number of bytes at the end.
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Number(to)
  if (from !== '' && to !== '' && first > last) return null
  return first < size ? { first, last: Math.min(last, size - 1) } : 'beyond'
}

/**
 * Whether `If-Range` lets a range be sent: it is absent or names the entity tag. `tag` is in quotes. The comparison is the strong one,
 * as RFC 9110 §13.1.5 requires, so a date or a weak tag never does.
 */
export function mayBeInParts(header: string | string[] | undefined, tag: string): boolean {
  return header === undefined || String(header).trim() === tag
}
