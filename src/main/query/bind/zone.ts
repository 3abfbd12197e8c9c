/** `GMT`, `GMT+02:00`, `GMT-00:01:15`: how ECMA-402 prints a long offset. */
const LONG_OFFSET = /^GMT(?:(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d)(?::(?<seconds>\d\d))?)?$/

const DAY_MS = 86_400_000

/**
 * Seconds east of UTC that a zone (`UTC`, `+02:00`, `Europe/Amsterdam`) keeps at a local time, given in milliseconds
 * as if it were UTC. A time that occurs twice is its first occurrence; one that is skipped is read with the offset
 * before the gap. Null if the zone is unknown.
 */
export function zoneOffsetSeconds(zone: string, localMs: bigint): number | null {
  const format = formatIn(zone)
  if (format === null) return null
  const local = Number(localMs)
  const before = offsetAt(format, local - DAY_MS)
  const after = offsetAt(format, local + DAY_MS)
  const fits = (offset: number) => offsetAt(format, local - offset * 1_000) === offset
  const candidates = [before, after].filter(fits)
  return candidates.length === 0 ? before : Math.max(...candidates)
}

function formatIn(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function offsetAt(format: Intl.DateTimeFormat, instantMs: number): number {
  const name = format.formatToParts(instantMs).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  const { sign, hours = '0', minutes = '0', seconds = '0' } = LONG_OFFSET.exec(name)?.groups ?? {}
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return sign === '-' ? -offset : offset
}
