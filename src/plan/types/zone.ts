import { findZone } from '../zones/zones.ts'

/**
 * The offset of a zone (`UTC`, `+02:00`, `Europe/Amsterdam`) at a local time, in seconds east of UTC. `localMs` are the
 * milliseconds since 1970-01-01 of the local time, as if it were UTC. Of a local time that occurs twice the first occurrence
 * counts, and one that clocks skip has the offset before the gap. Null: the zone is unknown.
 */
export function zoneOffsetSeconds(zone: string, localMs: bigint): number | null {
  return findZone(zone)?.atLocal(Number(localMs) / 1_000, 'first').offset ?? null
}
