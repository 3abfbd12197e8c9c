import type { ScanPlan } from '../../../../plan/plan.ts'
import type { ScanSpec } from '../../../../plan/scan.ts'
import type { Unit } from '../../../../plan/source/unit.ts'
import type { Encoding } from '../../../../plan/task/encoding.ts'
import { allRows } from '../../../../plan/task/finish.ts'
import type { Ending, Fragment, MergedFragment } from '../../../../plan/task/fragment.ts'
import type { Part } from '../../../../plan/task/part.ts'
import type { FileUnit, ScanAnswer } from '../../../../plan/task/task.ts'
import type { Field } from '../../../../plan/types/schema.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { PreparedScan } from '../../plan/prepare-scan.ts'
import type { TopUnits } from '../../plan/top-units.ts'
import type { UnitRequest } from '../../plan/unit-request.ts'
import { type Batches, oneByOne, type UnitSequence } from '../../plan/unit-sequence.ts'
import type { OnAnswer } from '../../source/on-answer.ts'
import type { Holding } from './budget.ts'
import { ended, type Last } from './ended-rows.ts'
import { type OrderedScanOptions, orderedScan } from './ordered-scan.ts'
import { createPartials } from './partials.ts'

/** What a plan with groups, an order or a count is run with. */
export interface FinishedRowsOptions {
  readonly id: string
  readonly encoding: Encoding
  readonly ticket: Ticket
  readonly workers: number
  /** The most bytes of partials that main holds for the query. */
  readonly partialBytes: number
  /** The bytes that the query holds, which count towards the limit of all queries together. The caller closes it. */
  readonly holding: Holding
  /** Partials are merged early when they have so many bytes together. Default: a quarter of `partialBytes`. */
  readonly mergeBytes?: number
  /** The most bytes of the answer that may be made before they can be sent. */
  readAheadBytes(): number
  readonly onAnswer: OnAnswer
  /** Called with the number of units that need not be read after all. */
  onPruned(units: number): void
}

/** The share of the bytes that main may hold at which partials are merged. */
const MERGED_SHARE = 1 / 4

/**
 * Runs a plan with groups, an order, distinct rows or a count: workers make partials of the units, and one of them makes the answer
 * of all partials. If there is only one task, it makes the answer directly. What statistics tell is not read.
 */
export function finishedRows(
  prepared: PreparedScan,
  options: FinishedRowsOptions,
): AsyncGenerator<Part, void, undefined> {
  const { reduced: plan, top, counted } = prepared
  if (plan.limit === 0 && !plan.finish.isCounted) return noRows()
  const batches = top === null ? prepared.batches : oneByOne(top.units)
  if (batches.count !== 1 || counted > 0) return mergedRows(prepared, options)
  const scan = top?.wanted() ?? plan.scan
  const all: Fragment = { kind: 'answer', ending: endingOf(plan) }
  return orderedScan({
    ...scanning(prepared, options),
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
  const { reduced: plan, top, known } = prepared
  const last =
    known !== null
      ? lastRow(plan, known)
      : top !== null
        ? await firstRows(prepared, top, options)
        : await gathered(prepared, options)
  yield* ended(last, options)
}

/** Reads all units, and gathers what was made of them. */
function gathered(prepared: PreparedScan, options: FinishedRowsOptions): Promise<Last> {
  const { reduced, fragment } = prepared
  switch (fragment.kind) {
    case 'count':
      return countedRows(prepared, options)
    case 'groups':
    case 'top':
      return partialsOf(reduced, { scan: reduced.scan, fragment }, batched(prepared, options), options)
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
  for await (const part of rows < most ? orderedScan(batched(prepared, options)) : []) {
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

/** Reads the units of a scan and merges their partials. */
async function partialsOf(
  plan: ScanPlan,
  { scan, fragment }: { readonly scan: ScanSpec; readonly fragment: MergedFragment },
  scanned: OrderedScanOptions,
  options: FinishedRowsOptions,
): Promise<Last> {
  const fields = fieldsOf(scan)
  const partials = createPartials({
    ...options,
    fragment,
    fields,
    mergeBytes: options.mergeBytes ?? options.partialBytes * MERGED_SHARE,
    maximumBytes: options.partialBytes,
    onAnswer: options.onAnswer,
  })
  for await (const part of orderedScan(scanned)) await partials.add(part)
  const ending = endingOf(plan)
  const parts = partials.parts()
  if (fragment.kind === 'groups') return { ending, fields, table: { kind: 'groups', parts } }
  const finish = { ...ending.finish, order: fragment.order }
  return { ending: { ...ending, finish }, fields, table: { kind: 'rows', parts } }
}

/** Reads the units of a plan for the first rows in an order, as long as they may have any of those. */
function firstRows(prepared: PreparedScan, top: TopUnits, options: FinishedRowsOptions): Promise<Last> {
  let perWorker = 1
  const scanned = {
    ...scanning(prepared, options),
    units: top.units,
    requestOf(index: number) {
      const request = top.requestOf(index)
      if (request === null) options.onPruned(1)
      return request
    },
    onRows({ marks }: ScanAnswer) {
      top.found(marks ?? [])
      perWorker = 2
    },
    // The first tasks are one for each worker, so that what they find is known before others begin: often none is needed then.
    tasks: () => perWorker * options.workers,
  }
  return partialsOf(prepared.reduced, top, scanned, options)
}

/** The end of a grouping without keys, whose one row is known. */
function lastRow(plan: ScanPlan, values: NonNullable<PreparedScan['known']>): Last {
  return { ending: endingOf(plan), fields: fieldsOf(plan.scan), table: { kind: 'row', values } }
}

/** The most tasks in flight if they are quick and their results are small. */
const QUICK_TASKS = 64

/** A scan that reads each batch of units in one task. */
function batched(prepared: PreparedScan, options: FinishedRowsOptions): OrderedScanOptions {
  const { reduced: plan, fragment, batches } = prepared
  const requestOf = (index: number): UnitRequest => ({
    scan: plan.scan,
    fragment,
    more: fileUnits(plan, batches.at(index).slice(1)),
  })
  const units = firstOfEach(batches)
  const asked = Array.from({ length: Math.min(QUICK_TASKS, units.count) }, (_, index) => units.at(index))
  const firsts = fileUnits(plan, asked)
  const areQuick = firsts.every((first, index) => options.ticket.isQuick({ ...first, ...requestOf(index) }))
  return {
    ...scanning(prepared, options),
    ...(areQuick && { tasks: () => QUICK_TASKS }),
    units,
    requestOf,
  }
}

/** The first unit of each batch, by which a task names it. */
function firstOfEach({ count, at }: Batches): UnitSequence {
  return {
    count,
    at(index) {
      const [first] = at(index)
      if (first === undefined) throw new RangeError(`batch ${index} of ${count}`)
      return first
    },
  }
}

function fileUnits({ files }: ScanPlan, units: readonly Unit[]): readonly FileUnit[] {
  return units.map((unit) => {
    const file = files[unit.file]
    if (!file) throw new RangeError(`unit of file ${unit.file}, of ${files.length}`)
    return { file, unit }
  })
}

/** What all scans of a query have in common. Main takes partials as soon as they are made, so they need no read-ahead limit. */
function scanning(
  { reduced: { files } }: PreparedScan,
  { id, encoding, ticket, workers, onAnswer }: FinishedRowsOptions,
): Omit<OrderedScanOptions, 'requestOf' | 'units'> {
  return {
    id,
    files,
    skip: 0,
    limit: Number.POSITIVE_INFINITY,
    encoding,
    ticket,
    workers,
    readAheadBytes: () => Number.POSITIVE_INFINITY,
    onAnswer,
  }
}

function endingOf({ finish, offset, limit, output }: ScanPlan): Ending {
  return { finish, offset, limit, types: output.fields.map(({ type }) => type) }
}

function fieldsOf({ projection }: ScanPlan['scan']): readonly Field[] {
  return projection.map((each) => each.field)
}
