import { type Part, payloadAs } from '../../../plan/task/part.ts'
import type { MergeRunsTask, RunSlice } from '../../../plan/task/sort-tasks.ts'
import type { FinishTask, ScanAnswer } from '../../../plan/task/task.ts'
import { type DataType, field } from '../../../plan/types/schema.ts'
import type { TempFile } from '../temp/temp-file.ts'
import { type MergeStep, mergeSteps } from './merge-steps.ts'
import type { Sorted, SortOptions, SortSizes } from './sort-options.ts'
import type { WrittenRun } from './write-runs.ts'

/** The most steps that are read, merged, and wait to be handed out. */
const MOST_STEPS = 4

/** Merges runs step by step, several at a time, and hands out the steps in their order. */
export async function* mergedRuns(
  runs: readonly WrittenRun[],
  sorted: Sorted,
  file: TempFile,
  options: SortOptions & { readonly sizes: SortSizes },
): AsyncGenerator<Part, void, undefined> {
  const ends = await sortedEnds(runs, sorted, options)
  const steps = stepsWithin(
    mergeSteps(
      runs.map(({ blocks }) => blocks),
      ends,
      options.sizes.stepBytes,
    ),
    sorted,
  )
  const most = Math.min(MOST_STEPS, options.workers + 1)
  const begun: Promise<readonly Part[]>[] = []
  for (let isMore = true; isMore || begun.length > 0; ) {
    while (isMore && begun.length < most) {
      const { done, value } = steps.next()
      if (done) isMore = false
      else begun.push(markAsHandled(merge(value, runs, sorted, file, options)))
    }
    const next = begun.shift()
    if (next !== undefined) yield* await next
  }
}

/** A promise that is awaited later, or never if the query is stopped. Until then a rejection must not count as unhandled. */
function markAsHandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

/** The steps that may have rows within offset and limit. */
function* stepsWithin(
  steps: Iterable<MergeStep>,
  { ending: { offset, limit } }: Sorted,
): Generator<MergeStep, void, undefined> {
  for (const step of steps) {
    if (step.before >= offset + limit) return
    if (step.before + step.rows > offset) yield step
  }
}

const BLOCK_NUMBER: DataType = Object.freeze({ kind: 'int', bits: 32, signed: false })

/** The numbers of all blocks, in the order of their last rows. */
async function sortedEnds(
  runs: readonly WrittenRun[],
  { fields, ending }: Sorted,
  { ticket, onAnswer }: SortOptions,
): Promise<readonly number[]> {
  const { order } = ending.finish
  const keys = order.flatMap(({ column }) => fields[column] ?? [])
  const finish = {
    grouping: null,
    order: order.map((key, column) => ({ ...key, column })),
    output: [keys.length],
    isCounted: false,
  }
  const task: FinishTask = {
    kind: 'finish',
    key: '',
    ending: { finish, offset: 0, limit: Number.POSITIVE_INFINITY, types: [BLOCK_NUMBER] },
    fields: [...keys, field('block', BLOCK_NUMBER)],
    table: { kind: 'rows', parts: runs.flatMap(({ ends }) => ends) },
    resume: 0,
    skip: 0,
    take: Number.POSITIVE_INFINITY,
    encoding: 'csv',
    answerBytes: Number.POSITIVE_INFINITY,
    cancel: ticket.cancel,
  }
  const { answer, queueMs } = await ticket.run<ScanAnswer>(task)
  onAnswer(answer, queueMs)
  const lines = answer.parts.map((part) => Buffer.from(payloadAs(part, 'text').bytes).toString('latin1'))
  return lines.join('').trimEnd().split('\n').map(Number)
}

async function merge(
  step: MergeStep,
  runs: readonly WrittenRun[],
  { fields, ending }: Sorted,
  file: TempFile,
  { ticket, encoding, onAnswer }: SortOptions,
): Promise<readonly Part[]> {
  const { after, upTo, before } = step
  const slices = await Promise.all(step.slices.map(({ run, from, to }) => read(runs[run], from, to, file)))
  const { cancel } = ticket
  const task: MergeRunsTask = {
    kind: 'merge_runs',
    fields,
    slices,
    after,
    upTo,
    before,
    ending,
    encoding,
    cancel,
  }
  const { answer, queueMs } = await ticket.run<ScanAnswer>(task)
  onAnswer(answer, queueMs)
  return answer.parts
}

/** Reads neighbouring blocks of a run. */
async function read(
  run: WrittenRun | undefined,
  from: number,
  to: number,
  file: TempFile,
): Promise<RunSlice> {
  const [start, end] = [run?.starts[from], run?.starts[to]]
  if (run === undefined || start === undefined || end === undefined)
    throw new RangeError(`blocks ${from} to ${to} of a run`)
  const rows = run.blocks.slice(from, to).reduce((sum, block) => sum + block.rows, 0)
  return { rows, bytes: await file.readAt(start, end - start), dictionaries: run.dictionaries }
}
