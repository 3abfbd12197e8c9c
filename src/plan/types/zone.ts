/** Matches an offset as ECMA-402 prints a long one: `GMT`, `GMT+02:00`, `GMT-00:01:15`. */
const LONG_OFFSET = /^GMT(?:(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d)(?::(?<seconds>\d\d))?)?$/

const DAY_MS = 86_400_000

/**
 * The offset of a zone (`UTC`, `+02:00`, `Europe/Amsterdam`) at a local time, in seconds east of UTC. `localMs` are the
 * milliseconds since 1970-01-01 of the local time, as if it were UTC. Of a local time that occurs twice the first occurrence
 * counts, and one that clocks skip has the offset before the gap. Null: the zone is unknown.
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
