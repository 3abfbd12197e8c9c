import { getOrMake } from '../get-or-make.ts'
import { createLru } from '../lru.ts'
import { nearestName } from '../nearest-name.ts'
import { createOffsetSpans, type OffsetSpan, type OffsetSpans } from './offset-spans.ts'

/** Matches an offset in seconds as a zone: `+02:00`, `-0530`, `UTC+2`, `GMT-11:30`. */
const FIXED =
  /^(?:UTC|GMT)?(?<sign>[+-])(?<hours>\d{1,2})(?::?(?<minutes>[0-5]\d)(?::?(?<seconds>[0-5]\d))?)?$/i

/** Matches an offset as ECMA-402 prints a long one: `GMT`, `GMT+02:00`, `GMT-00:01:15`. */
const LONG_OFFSET = /GMT(?:(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d)(?::(?<seconds>\d\d))?)?$/

/** The longest name that is looked up. The longest of the time zone database has 32 characters. */
const MOST_CHARACTERS = 64
/** Names in the spelling of queries, of which a zone may have several. */
const MOST_NAMES = 2_048

/** Zones by the names that queries have given them. */
const byName = createLru<OffsetSpans>(MOST_NAMES)
/** Zones of the time zone database by the names that it has for them: some 600 at most. */
const byIdentifier = new Map<string, OffsetSpans>()

/**
 * The offsets of a zone: one of the time zone database in any case (`Europe/Amsterdam`, `UTC`), or an offset (`+02:00`, `UTC+2`).
 * Null: the zone is unknown. Its changes are searched when they are asked for, and kept.
 */
export function findZone(name: string): OffsetSpans | null {
  const earlierSpans = byName.get(name)
  if (earlierSpans !== undefined) return earlierSpans
  const zone = name.length > MOST_CHARACTERS ? null : (fixedZone(name) ?? namedZone(name))
  if (zone !== null) byName.put(name, zone)
  return zone
}

/** The message for a zone that {@link findZone} does not know. */
export function unknownZone(name: string): string {
  const shown = JSON.stringify(name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS)}…` : name)
  const near = nearestName(name, Intl.supportedValuesOf('timeZone'))
  const meant = near === null ? '' : ` Did you mean ${JSON.stringify(near)}?`
  return `There is no time zone ${shown}.${meant} Zones are written "Europe/Amsterdam", "UTC" or "+02:00".`
}

function fixedZone(name: string): OffsetSpans | null {
  const groups = FIXED.exec(name)?.groups
  if (groups === undefined || Number(groups['hours']) > 23) return null
  const span: OffsetSpan = Object.freeze({
    from: Number.NEGATIVE_INFINITY,
    to: Number.POSITIVE_INFINITY,
    offset: secondsOf(groups),
  })
  return { atInstant: () => span, atLocal: () => span }
}

function namedZone(name: string): OffsetSpans | null {
  const format = formatIn(name)
  if (format === null) return null
  const { timeZone } = format.resolvedOptions()
  return getOrMake(byIdentifier, timeZone, () => createOffsetSpans(offsetsOf(format)))
}

function formatIn(timeZone: string): Intl.DateTimeFormat | null {
  try {
    // Seconds are the shortest text that the name of the zone can stand behind.
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset', second: 'numeric' })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The offset of a zone at a second. It is the same again and again, so its text is not read each time. */
function offsetsOf(format: Intl.DateTimeFormat): (second: number) => number {
  const offsets = new Map<string, number>()
  return (second) => {
    const text = format.format(second * 1_000)
    const name = text.slice(text.indexOf('G'))
    return getOrMake(offsets, name, () => secondsOf(LONG_OFFSET.exec(name)?.groups ?? {}))
  }
}

function secondsOf(groups: Readonly<Record<string, string | undefined>>): number {
  const { sign, hours = '0', minutes = '0', seconds = '0' } = groups
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return sign === '-' ? -offset : offset
}
