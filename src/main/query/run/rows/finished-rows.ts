import { ServiceError } from '../../../../plan/errors.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import type { Encoding } from '../../../../plan/task/encoding.ts'
import { allRows, type Grouping, outermost } from '../../../../plan/task/finish.ts'
import type { Ending, Fragment, MergedFragment } from '../../../../plan/task/fragment.ts'
import { jointMemory, MOST_JOINT_TASKS } from '../../../../plan/task/joint.ts'
import type { Part } from '../../../../plan/task/part.ts'
import { PLACE_FIELD } from '../../../../plan/task/places.ts'
import type { ScanAnswer } from '../../../../plan/task/task.ts'
import type { Field } from '../../../../plan/types/schema.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import { type SortSizes, sortSizes } from '../../../output/sort/sort-options.ts'
import { sortedParts } from '../../../output/sort/sorted-parts.ts'
import type { TempFolder } from '../../../output/temp/temp-folder.ts'
import type { PreparedScan } from '../../plan/prepare-scan.ts'
import type { LateRows } from '../../plan/top/late-rows.ts'
import type { TopUnits } from '../../plan/top/top-units.ts'
import { oneByOne } from '../../plan/unit-sequence.ts'
import type { OnAnswer } from '../../source/on-answer.ts'
import { batchedUnits, fileUnits, firstOfEach } from './batched-units.ts'
import type { Holding } from './budget.ts'
import { endRows, type Last } from './ended-rows.ts'
import { createHeldFragments, type HeldFragmentsOptions } from './held-fragments.ts'
import { type OrderedScanOptions, orderedScan } from './ordered-scan.ts'
import { type PlacedRows, placedRows, placesIn } from './placed-rows.ts'

/** What a plan with groups, an order or a count is run with. */
export interface FinishedRowsOptions {
  readonly id: string
  readonly encoding: Encoding
  readonly ticket: Ticket
  readonly workers: number
  /** The most bytes of fragments that main holds for the query. */
  readonly heldBytes: number
  /** The bytes that the query holds, which count towards the limit of all queries together. The caller closes it. */
  readonly holding: Holding
  /** Fragments are merged early when they have so many bytes together. Default: a quarter of `heldBytes`. */
  readonly mergeBytes?: number
  /** The most bytes of rows without a limit that main holds until they are sorted. Default: 64 MiB, or an eighth of `heldBytes` if that is less. */
  readonly sortBytes?: number
  /** The sizes by which the sort of more rows is cut. */
  readonly sizes?: SortSizes
  /** Where the sorted runs of more rows are written. */
  readonly tempFolder: TempFolder
  /** Called with the bytes of each sorted run that is written there. */
  readonly onRunWritten?: (bytes: number) => void
  /** The most bytes of the answer that may be made before they can be sent. */
  readAheadBytes(): number
  readonly onAnswer: OnAnswer
  /** Called with the number of units that need not be read after all. */
  onPruned(units: number): void
}

/** The share of the bytes that main may hold at which fragments are merged. */
const MERGED_SHARE = 1 / 4

/**
 * Runs a plan with groups, an order, distinct rows or a count: workers make fragments of the units, and one of them makes the answer
 * of all fragments. If there is only one task, it makes the answer directly. What statistics tell is not read.
 */
export function finishedRows(
  prepared: PreparedScan,
  options: FinishedRowsOptions,
): AsyncGenerator<Part, void, undefined> {
  const { reduced: plan, top, counted } = prepared
  if (plan.limit === 0 && !outermost(plan.finish).isCounted) return noRows()
  const batches = top === null ? prepared.batches : oneByOne(top.units)
  if (batches.count !== 1 || counted > 0) return mergedRows(prepared, options)
  const scan = top?.wanted() ?? plan.scan
  const all: Fragment = { kind: 'answer', ending: endingOf(plan) }
  return orderedScan({
    ...scanUnits(prepared, options),
    units: firstOfEach(batches),
    readAheadBytes: options.readAheadBytes,
    requestOf: () => ({ scan, fragment: all, more: fileUnits(plan, batches.at(0).slice(1)) }),
  })
}

async function* noRows(): AsyncGenerator<Part, void, undefined> {}

async function* mergedRows(
  prepared: PreparedScan,
  options: FinishedRowsOptions,
): AsyncGenerator<Part, void, undefined> {
  const { reduced: plan, top, statisticsRow: rowOfStatistics } = prepared
  const last =
    rowOfStatistics !== null
      ? lastRow(plan, rowOfStatistics)
      : top !== null
        ? await firstRows(prepared, top, options)
        : prepared.late !== null
          ? await lateRows(prepared, prepared.late, options)
          : await gather(prepared, options)
  const { table, ...ending } = last
  if (table.kind === 'finished') {
    yield* table.parts
    return
  }
  // How many first rows there are, the first step has told.
  const ended = prepared.late === null ? options : { ...options, onAnswer: withoutGroups(options.onAnswer) }
  const { tempFolder: folder, heldBytes, sizes = sortSizes(heldBytes) } = options
  if (table.kind !== 'unsorted') yield* endRows({ ...ending, table }, ended)
  else yield* sortedParts(table.parts, ending, { ...options, folder, sizes })
}

/** Rows that are too many to be held until they are sorted. */
type Unsorted = Pick<Last, 'ending' | 'fields'> & {
  readonly table: { readonly kind: 'unsorted'; readonly parts: AsyncIterable<Part> }
}

/** The rows of the answer, which a worker has made with the last fragment. */
type Finished = Pick<Last, 'ending' | 'fields'> & {
  readonly table: { readonly kind: 'finished'; readonly parts: readonly Part[] }
}

/** Reads all units, and gathers what was made of them. */
function gather(prepared: PreparedScan, options: FinishedRowsOptions): Promise<Last | Unsorted | Finished> {
  const { reduced, fragment } = prepared
  const to = { fields: fieldsOf(reduced.scan), ending: endingOf(reduced) }
  switch (fragment.kind) {
    case 'count':
      return countedRows(prepared, options)
    case 'groups':
      return groupsOfTasks({ ...to, fragment }, batchScan(prepared, options), options)
    case 'firsts':
      return groupsOf({ ...to, fragment }, batchScan(prepared, options), options)
    case 'top':
      return topRows({ ...to, fragment }, batchScan(prepared, options), options)
    default:
      throw new TypeError(`${fragment.kind} of several units`)
  }
}

/** Counts rows. Units are read only until the offset and the limit of a plain count are reached. */
async function countedRows(prepared: PreparedScan, options: FinishedRowsOptions): Promise<Last> {
  const { reduced: plan, counted } = prepared
  const { finish, offset, limit } = plan
  const isLimited = finish.isCounted && finish.grouping === null
  const most = isLimited ? offset + limit : Number.POSITIVE_INFINITY
  let rows = counted
  for await (const part of rows < most ? orderedScan(batchScan(prepared, options)) : []) {
    rows += part.rows
    if (rows >= most) break
  }
  const value = (count: number) => ({ kind: 'int', value: BigInt(count) }) as const
  if (finish.grouping !== null)
    return lastRow(
      plan,
      finish.grouping.aggregates.map(() => value(rows)),
    )
  const ending = { ...endingOf(plan), finish: allRows(1), offset: 0, limit: 1 }
  const table = { kind: 'row', values: [value(Math.min(limit, Math.max(0, rows - offset)))] } as const
  return { ending, fields: [], table }
}

/** What fragments are merged to. */
interface MergedTo<F extends MergedFragment> {
  readonly fragment: F
  readonly fields: readonly Field[]
  readonly ending: Ending
}

/**
 * Reads the units of a scan and merges their groups. If the tasks are few, the last of them makes the answer of all fragments, unless these are large. Of text,
 * units may be read again, and fragments change.
 */
async function groupsOfTasks(
  to: MergedTo<Extract<MergedFragment, { kind: 'groups' }>>,
  scanned: OrderedScanOptions,
  options: FinishedRowsOptions,
): Promise<Last | Finished> {
  const { units, requestOf } = scanned
  const tasks = units.count
  if (tasks === 0 || tasks > MOST_JOINT_TASKS || !['box', 'rows'].includes(units.at(0).kind))
    return groupsOf(to, scanned, options)
  const { ending, fields } = to
  const memory = jointMemory(tasks)
  const finished: (readonly Part[])[] = []
  const last = await groupsOf(
    to,
    {
      ...scanned,
      requestOf(index) {
        const request = requestOf(index)
        return request && { ...request, joint: { memory, tasks, index, ending, fields } }
      },
      onRows(answer) {
        if (answer.finished !== undefined) finished.push(answer.finished)
      },
    },
    options,
  )
  const [parts] = finished
  return parts === undefined ? last : { ending, fields, table: { kind: 'finished', parts } }
}

/** Reads the units of a scan and merges their groups, or first rows of groups. */
async function groupsOf(
  { fragment, fields, ending }: MergedTo<Exclude<MergedFragment, { kind: 'top' }>>,
  scanned: OrderedScanOptions,
  options: FinishedRowsOptions,
): Promise<Last> {
  const fragments = createHeldFragments(mergeOptions(fragment, fields, options))
  for await (const part of orderedScan(scanned))
    if ((await fragments.add(part)) > options.heldBytes)
      throw fragment.kind === 'groups'
        ? tooManyGroups(options.heldBytes, fragment.grouping)
        : tooManyFirsts(options.heldBytes)
  const kind = fragment.kind === 'groups' ? 'groups' : 'rows'
  return { ending, fields, table: { kind, parts: fragments.parts() } }
}

/** Reads the units of a scan and merges the first rows of each, unless all of them are wanted. */
async function topRows(
  { fragment, fields, ending }: MergedTo<Extract<MergedFragment, { kind: 'top' }>>,
  scanned: OrderedScanOptions,
  options: FinishedRowsOptions,
): Promise<Last | Unsorted> {
  const fragments = createHeldFragments(mergeOptions(fragment, fields, options))
  const rest = orderedScan(scanned)
  const last = { ending: { ...ending, finish: { ...ending.finish, order: fragment.order } }, fields }
  const most = heldRowBytes(fragment, options)
  for (let next = await rest.next(); !next.done; next = await rest.next())
    if ((await fragments.add(next.value)) > most)
      return { ...last, table: { kind: 'unsorted', parts: inTurn(fragments.parts(), rest) } }
  return { ...last, table: { kind: 'rows', parts: fragments.parts() } }
}

function mergeOptions(
  fragment: MergedFragment,
  fields: readonly Field[],
  options: FinishedRowsOptions,
): HeldFragmentsOptions {
  return {
    ...options,
    fragment,
    fields,
    mergeBytes: options.mergeBytes ?? options.heldBytes * MERGED_SHARE,
  }
}

/**
 * The bytes of rows that main holds until all of them are sorted by one worker. If there are more, runs of them are sorted in a file.
 * Of rows with a limit the fragments are merged, which frees most of them.
 */
function heldRowBytes(
  { limit }: Extract<MergedFragment, { kind: 'top' }>,
  { heldBytes, sortBytes = Math.min(HELD_SORT_BYTES, heldBytes * SORT_SHARE) }: FinishedRowsOptions,
): number {
  return Number.isFinite(limit) ? heldBytes : Math.min(heldBytes, sortBytes)
}

/** The default of `sortBytes`. */
const HELD_SORT_BYTES = 64 << 20

/** The part of `heldBytes` that is sorted in one go at most. The worker that does it needs some four times as many bytes. */
const SORT_SHARE = 1 / 8

/** The rows that were held, and then those that follow. */
async function* inTurn(
  held: readonly Part[],
  rest: AsyncGenerator<Part, void, undefined>,
): AsyncGenerator<Part, void, undefined> {
  yield* held
  yield* rest
}

function tooManyGroups(bytes: number, { aggregates }: Grouping): ServiceError {
  const hasQuantile = aggregates.some((each) => 'share' in each)
  const [what, advice] = hasQuantile
    ? ['values of exact quantiles', 'write approx_quantile(x, q), which keeps few of them']
    : ['groups', 'group by columns of fewer values']
  return new ServiceError(
    'memory_limit',
    `The ${what} of the query take over ${Math.floor(bytes / (1 << 20))} MiB; ${advice}, filter more, or raise SERVICE_WORKER_MEMORY_MB.`,
  )
}

function tooManyFirsts(bytes: number): ServiceError {
  return new ServiceError(
    'memory_limit',
    `The first rows of all groups take over ${Math.floor(bytes / (1 << 20))} MiB; ask for fewer columns or rows of each, filter more, or raise SERVICE_WORKER_MEMORY_MB.`,
  )
}

/** Reads the units of a plan for the first rows in an order, as long as they may have any of those. */
function firstRows(
  prepared: PreparedScan,
  top: TopUnits,
  options: FinishedRowsOptions,
): Promise<Last | Unsorted> {
  let perWorker = 1
  const scanned = {
    ...scanUnits(prepared, options),
    units: top.units,
    requestOf(index: number) {
      const request = top.requestOf(index)
      if (request === null) options.onPruned(1)
      return request
    },
    onRows({ marks }: ScanAnswer) {
      top.addMarks(marks ?? [])
      perWorker = 2
    },
    // The first tasks are one for each worker, so that what they find is known before others begin: often none is needed then.
    tasks: () => perWorker * options.workers,
  }
  const { scan, fragment } = top
  return topRows({ fragment, fields: fieldsOf(scan), ending: endingOf(prepared.reduced) }, scanned, options)
}

/** Finds the first rows of each group by the columns that tell which these are, and then reads those of the answer. */
async function lateRows(prepared: PreparedScan, late: LateRows, options: FinishedRowsOptions): Promise<Last> {
  const { reduced, fragment } = prepared
  if (fragment.kind !== 'firsts') throw new TypeError(`${fragment.kind} of rows that are read late`)
  const placedFragment = { kind: 'firsts', firsts: late.firsts } as const
  const fields = [...fieldsOf(late.scan), PLACE_FIELD]
  const placed = await groupsOf(
    { ending: placesOf(late), fields, fragment: placedFragment },
    {
      ...scanUnits(prepared, options),
      units: firstOfEach(late.batches),
      requestOf: (task) => ({
        scan: late.scan,
        fragment: { ...placedFragment, task },
        more: fileUnits(reduced, late.batches.at(task).slice(1)),
      }),
    },
    options,
  )
  const places = endRows(placed, { ...options, id: `${options.id}/places`, encoding: 'arrow' })
  const tasks = placedRows(await placesIn(places), late.batches)
  const taskAt = (index: number): PlacedRows => {
    const task = tasks[index]
    if (task === undefined) throw new RangeError(`task ${index} of ${tasks.length}`)
    return task
  }
  return groupsOf(
    { ending: endingOf(reduced), fields: fieldsOf(late.rows), fragment },
    {
      ...scanUnits(prepared, options),
      id: `${options.id}/rows`,
      units: firstOfEach({ count: tasks.length, at: (index) => taskAt(index).units }),
      requestOf(index) {
        const { units, rows } = taskAt(index)
        return { scan: late.rows, fragment, more: fileUnits(reduced, units.slice(1)), rows }
      },
    },
    options,
  )
}

function withoutGroups(onAnswer: OnAnswer): OnAnswer {
  return (answer, queueMs) =>
    onAnswer({ ...answer, metrics: { ...answer.metrics, groups: null, groupsPassed: null } }, queueMs)
}

/** The end of a grouping without keys, whose one row is known. */
function lastRow(plan: ScanPlan, values: NonNullable<PreparedScan['statisticsRow']>): Last {
  return { ending: endingOf(plan), fields: fieldsOf(plan.scan), table: { kind: 'row', values } }
}

/** The most tasks in flight if they are quick and their results are small. */
const QUICK_TASKS = 64

/** A scan that reads each batch of units in one task. */
function batchScan(prepared: PreparedScan, options: FinishedRowsOptions): OrderedScanOptions {
  const { reduced: plan } = prepared
  const { units, requestOf } = batchedUnits(prepared)
  const asked = Array.from({ length: Math.min(QUICK_TASKS, units.count) }, (_, index) => units.at(index))
  const firsts = fileUnits(plan, asked)
  const areQuick = firsts.every((first, index) => options.ticket.isQuick({ ...first, ...requestOf(index) }))
  return {
    ...scanUnits(prepared, options),
    ...(areQuick && { tasks: () => QUICK_TASKS }),
    units,
    requestOf,
  }
}

/**
 * What all scans of a query have in common. Main takes fragments as soon as they are made, so they need no read-ahead limit. Rows that
 * are not sorted yet come as they are decoded, and wait while runs of them are sorted.
 */
function scanUnits(
  { reduced: { files }, fragment }: PreparedScan,
  { id, encoding, ticket, workers, readAheadBytes, onAnswer }: FinishedRowsOptions,
): Omit<OrderedScanOptions, 'requestOf' | 'units'> {
  const isUnsorted = fragment.kind === 'top' && !Number.isFinite(fragment.limit)
  return {
    id,
    files,
    skip: 0,
    limit: Number.POSITIVE_INFINITY,
    encoding,
    ticket,
    workers,
    readAheadBytes: isUnsorted ? readAheadBytes : () => Number.POSITIVE_INFINITY,
    onAnswer,
  }
}

/** The end of the first step of `LateRows`: the places of the rows of the answer. */
function placesOf({ firsts, order, limit, scan }: LateRows): Ending {
  const output = [scan.projection.length]
  return {
    finish: { grouping: null, firsts, order, output, isCounted: false },
    offset: 0,
    limit,
    types: [PLACE_FIELD.type],
  }
}

function endingOf({ finish, offset, limit, output }: ScanPlan): Ending {
  return { finish, offset, limit, types: output.fields.map(({ type }) => type) }
}

function fieldsOf({ projection }: ScanPlan['scan']): readonly Field[] {
  return projection.map((each) => each.field)
}
