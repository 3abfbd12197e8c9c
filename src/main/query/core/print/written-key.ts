/** A key of parts of a parsed statement: equal for parts that are written the same, at whatever position. */
export function writtenKey(parts: unknown): string {
  return JSON.stringify(parts, (key, value: unknown) => {
    if (key === 'at') return 0
    return typeof value === 'bigint' ? `${value}` : value
  })
}
