import type { Expression } from '../../../../plan/expression.ts'
import { isZonedTime, perSecond, type TimeType } from '../../../../plan/kernels/calendar.ts'
import { textOf } from '../../../../plan/kernels/kernel.ts'
import type { OffsetSpans } from '../../../../plan/zones/offset-spans.ts'
import { findZone } from '../../../../plan/zones/zones.ts'

/** Times that are moved by the offsets of a zone. */
interface ZoneShift {
  /** The time that becomes a result. */
  from(result: bigint): bigint
  /** Whether all later times become later ones, and all earlier times earlier ones: clocks do not change there. */
  risesAt(result: bigint): boolean
}

/** No change of clocks skips more than a day. */
const TWO_DAYS = 172_800

/** The shift of a call of `timezone` whose last argument has the type `time`. Null: its zone is no constant. */
export function zoneShift(zone: Expression | undefined, time: TimeType): ZoneShift | null {
  if (zone?.kind !== 'constant' || zone.value === null) return null
  const spans = findZone(textOf(zone.value))
  if (spans === null) return null
  const unit = perSecond(time)
  if (isZonedTime(time))
    return {
      from: (result) => result - BigInt(spans.atLocal(secondOf(result, unit), 'last').offset) * unit,
      risesAt: (result) => isLocalOnce(spans, secondOf(result, unit)),
    }
  return {
    from: (result) => result + BigInt(spans.atInstant(secondOf(result, unit)).offset) * unit,
    risesAt: (result) => isInstantOnce(spans, secondOf(result, unit)),
  }
}

function secondOf(result: bigint, unit: bigint): number {
  return Number((result - (((result % unit) + unit) % unit)) / unit)
}

/** Whether a local time is one instant: clocks do not skip it, and it does not occur twice. */
function isLocalOnce(spans: OffsetSpans, second: number): boolean {
  const { offset } = spans.atLocal(second, 'last')
  const isFirst = spans.atLocal(second, 'first').offset === offset
  return isFirst && spans.atInstant(second - offset).offset === offset
}

/** Whether an instant is one local time. Local times that clocks skip are instants shortly behind the change, too. */
function isInstantOnce(spans: OffsetSpans, second: number): boolean {
  const { offset } = spans.atInstant(second)
  return isLocalOnce(spans, second + offset) && spans.atInstant(second - TWO_DAYS).offset === offset
}
