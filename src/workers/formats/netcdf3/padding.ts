/** The bytes after `length` bytes that make them a multiple of 4, as the format pads names, values and variables. */
export function paddingOf(length: number): number {
  return (4 - (length % 4)) % 4
}
