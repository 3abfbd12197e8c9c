/** The time during which a zone has one offset. All are seconds; those of a local time are counted as if it were UTC. */
export interface OffsetSpan {
  /** The first second of it. It may begin later than the offset does. */
  readonly from: number
  /** The first second after it. It may end earlier than the offset does. */
  readonly to: number
  /** Seconds east of UTC. */
  readonly offset: number
}

/** Of a local time that occurs twice, the occurrence that is meant. */
type Occurrence = 'first' | 'last'

/** The offsets of a zone. */
export interface OffsetSpans {
  /** The span of an instant, in seconds since 1970-01-01T00:00:00Z. */
  atInstant(second: number): OffsetSpan
  /** The span of a local time. Where clocks skip it, it has the offset from before they do. */
  atLocal(second: number, occurrence: Occurrence): OffsetSpan
}

const DAY_SECONDS = 86_400

/**
 * The offset is looked up this often, and where it differs, the second of the change is searched. Changes of the time zone database are
 * at least 6.9 days apart, so that none is missed which another one undoes. Before 1900 and from 2100 on none undoes another one so soon.
 */
const STEPS: readonly (readonly [before: number, step: number])[] = [
  [Date.UTC(1900, 0, 1) / 1_000, 60 * DAY_SECONDS],
  [Date.UTC(2100, 0, 1) / 1_000, 6 * DAY_SECONDS],
  [Number.POSITIVE_INFINITY, 20 * DAY_SECONDS],
]

/** Most changes are at a whole quarter of an hour. */
const QUARTER_SECONDS = 900

/** Changes are searched for block by block, when a time of the block is asked for: each takes some 5 ms. */
const BLOCK_SECONDS = 25 * 365.25 * DAY_SECONDS
/** An offset is less than a day, so that all changes for the local times of a block are within a day of it. Two are more than enough. */
const MARGIN_SECONDS = 2 * DAY_SECONDS

/** No zone has a change before 1800-01-01. */
const FIRST_SECOND = -5_364_662_400
/**
 * From 2100-01-01 on clocks change by yearly rules alone, and these repeat with the calendar: each 400 years, which are a whole number of
 * weeks.
 */
export const REPEATING_FROM = 4_102_444_800
export const REPEATED_SECONDS = 146_097 * DAY_SECONDS

/** Years that are alike by those rules: of each length and each first day of the week there is one. */
const [FIRST_ALIKE, LAST_ALIKE] = [2101, 2128]

interface Block {
  readonly instants: Spans
  readonly locals: Readonly<Record<Occurrence, Spans>>
}

/** Spans in their order, and where each begins. */
interface Spans {
  readonly begins: Float64Array
  readonly spans: readonly OffsetSpan[]
}

/** The spans of a zone by its offset at each second. Blocks of them are kept: all of them are some 50 KB. */
export function createOffsetSpans(offsetAt: (second: number) => number): OffsetSpans {
  const blocks = new Map<number, Block>()
  let alike: Spans | null = null
  const offsetByRules = (second: number): number => {
    const earlier = alikeSecond(second)
    if (earlier === second) return offsetAt(second)
    alike ??= blockOf(offsetAt, startOf(FIRST_ALIKE), startOf(LAST_ALIKE + 1)).instants
    const { begins, spans } = alike
    return (spans[lastAtMost(begins, earlier)] ?? NO_SPAN).offset
  }
  const blockAt = (second: number): Block => {
    const number = Math.floor((second - FIRST_SECOND) / BLOCK_SECONDS)
    const earlierBlock = blocks.get(number)
    if (earlierBlock !== undefined) return earlierBlock
    const from = FIRST_SECOND + number * BLOCK_SECONDS
    const addedBlock = blockOf(offsetByRules, from, from + BLOCK_SECONDS)
    blocks.set(number, addedBlock)
    return addedBlock
  }
  const find = (second: number, choose: (block: Block) => Spans): OffsetSpan => {
    const cycles = Math.max(0, Math.floor((second - REPEATING_FROM) / REPEATED_SECONDS))
    const moved = Math.max(FIRST_SECOND, second - cycles * REPEATED_SECONDS)
    const { begins, spans } = choose(blockAt(moved))
    const span = spans[lastAtMost(begins, moved)] ?? NO_SPAN
    if (moved === second) return span
    if (cycles === 0) return { from: Number.NEGATIVE_INFINITY, to: FIRST_SECOND, offset: span.offset }
    const by = second - moved
    return { from: span.from + by, to: span.to + by, offset: span.offset }
  }
  return {
    atInstant: (second) => find(second, ({ instants }) => instants),
    atLocal: (second, occurrence) => find(second, ({ locals }) => locals[occurrence]),
  }
}

/** The same second of a year that is alike, of times behind these years. */
function alikeSecond(second: number): number {
  if (second < startOf(LAST_ALIKE + 1)) return second
  const year = new Date(second * 1_000).getUTCFullYear()
  return second - startOf(year) + (ALIKE.get(kindOf(year)) ?? 0)
}

function startOf(year: number): number {
  return Date.UTC(year, 0, 1) / 1_000
}

/** What says when clocks change in a year: its length, and the day of the week with which it begins. */
function kindOf(year: number): number {
  const days = (startOf(year + 1) - startOf(year)) / DAY_SECONDS
  return 7 * days + new Date(startOf(year) * 1_000).getUTCDay()
}

/** When the years that are alike begin, by their kinds. */
const ALIKE: ReadonlyMap<number, number> = new Map(
  Array.from({ length: LAST_ALIKE - FIRST_ALIKE + 1 }, (_, index) => FIRST_ALIKE + index).map((year) => [
    kindOf(year),
    startOf(year),
  ]),
)

const NO_SPAN: OffsetSpan = Object.freeze({ from: 0, to: 0, offset: 0 })

/** A change of the offset: the first second with the new one. */
interface Change {
  readonly at: number
  readonly before: number
  readonly after: number
}

function blockOf(offsetAt: (second: number) => number, from: number, to: number): Block {
  const changes = changesBetween(offsetAt, from - MARGIN_SECONDS, to + MARGIN_SECONDS)
  const first = changes[0]?.before ?? offsetAt(from)
  const offsets = changes.map(({ after }) => after)
  const spans = (begins: readonly number[]) => spansOf(from, to, first, offsets, begins)
  return {
    instants: spans(changes.map(({ at }) => at)),
    locals: {
      // Clocks that are put forward skip local times, which have the offset from before. Those that are put back repeat some.
      first: spans(changes.map(({ at, before, after }) => at + Math.max(before, after))),
      last: spans(changes.map(({ at, after }) => at + after)),
    },
  }
}

/** The spans between two seconds. `begins` has the second at which each of the offsets begins. */
function spansOf(
  from: number,
  to: number,
  first: number,
  offsets: readonly number[],
  begins: readonly number[],
): Spans {
  const bounded = [from, ...begins.map((begin) => Math.min(Math.max(begin, from), to)), to]
  const spans = [first, ...offsets].map((offset, index) =>
    Object.freeze({ from: bounded[index] ?? from, to: bounded[index + 1] ?? to, offset }),
  )
  return { begins: Float64Array.from(bounded.slice(0, -1)), spans }
}

/** The changes after one second, up to another one. */
function changesBetween(offsetAt: (second: number) => number, from: number, to: number): readonly Change[] {
  const changes: Change[] = []
  let before = offsetAt(from)
  for (let second = from; second < to; ) {
    const next = Math.min(second + stepAt(second), to)
    const atNext = offsetAt(next)
    while (before !== atNext) {
      const at = firstOther(offsetAt, before, second, next)
      const after = offsetAt(at)
      changes.push({ at, before, after })
      before = after
      second = at
    }
    second = next
  }
  return changes
}

function stepAt(second: number): number {
  return STEPS.find(([before]) => second < before)?.[1] ?? DAY_SECONDS
}

/** The first second after `from` whose offset is not `offset`. That of `to` is not. */
function firstOther(offsetAt: (second: number) => number, offset: number, from: number, to: number): number {
  let [low, high] = [Math.floor(from), Math.ceil(to)]
  while (high - low > QUARTER_SECONDS) {
    const middle = QUARTER_SECONDS * Math.floor((low + high) / (2 * QUARTER_SECONDS))
    if (middle <= low) break
    if (offsetAt(middle) === offset) low = middle
    else high = middle
  }
  if (high - low > 1 && offsetAt(high - 1) === offset) return high
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === offset) low = middle
    else high = middle
  }
  return high
}

/** The index of the last number that is at most `limit`, of numbers in ascending order. */
function lastAtMost(numbers: Float64Array, limit: number): number {
  let [low, high] = [0, numbers.length]
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) <= limit) low = middle
    else high = middle
  }
  return low
}
