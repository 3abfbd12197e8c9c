import { freeMemory } from '../../../plan/free-memory.ts'
import type { EncodedPlan, FilePlan } from '../../../plan/output/file-plan.ts'
import type { EncodedAnswer, EncodedRun, EncodeTask } from '../../../plan/task/file-tasks.ts'
import type { Delivery } from '../deliver.ts'
import { deliverFile } from '../deliver-file.ts'
import type { PreparedOutput } from '../output-format.ts'
import type { TempFile } from '../temp/temp-file.ts'
import { FREE_BYTES } from './gather-budget.ts'
import { createRowRuns, type RowRun, type RunLimits } from './row-runs.ts'

/** What a file that workers encode run by run is made with, besides its plan. */
export interface EncodedFile {
  /** The first bytes of the file. */
  readonly head: Uint8Array
  readonly run: RunLimits
}

/** The runs of most formats. Half of what a query may gather, so that two workers encode at once. */
export const RUN_LIMITS: RunLimits = Object.freeze({ rows: 262_144, bytes: 32 << 20 })

/** The most bytes of rows and of encoded runs that main and the workers that encode hold for a query. */
const GATHERED_BYTES = 64 << 20

/** A file whose runs any worker encodes, several at once, and which main writes in their order. */
export function encodedFile(plan: EncodedPlan & FilePlan, options: EncodedFile): PreparedOutput {
  return {
    file: plan,
    encoding: 'arrow',
    deliver: (delivery, files) =>
      deliverFile(delivery, files, (file) => writeEncodedFile(file, delivery, plan, options)),
  }
}

/** Writes head, runs and end of a file. Counts the rows in the figures of the delivery. */
async function writeEncodedFile(
  file: TempFile,
  delivery: Delivery,
  plan: EncodedPlan,
  { head, run }: EncodedFile,
): Promise<void> {
  const { ticket, schema, onAnswer } = delivery
  const { fields } = schema
  const runs: EncodedRun[] = []
  if (head.length > 0) await file.write(head)
  for await (const { chunks, summary } of encodedRuns(delivery, plan, run)) {
    runs.push({ at: file.size, summary })
    await writeChunks(file, chunks)
  }
  const task = { kind: 'encode_end', plan, fields, runs, at: file.size, cancel: ticket.cancel } as const
  const { answer, queueMs } = await ticket.run<EncodedAnswer>(task)
  onAnswer(answer, queueMs)
  await writeChunks(file, answer.chunks)
}

/** Encodes the rows of a delivery, several runs at once. The runs come in their order, and only as they are taken. */
export async function* encodedRuns(
  { parts, schema: { fields }, ticket, figures, onAnswer, gathering }: Delivery,
  plan: EncodedPlan,
  limits: RunLimits,
): AsyncGenerator<EncodedAnswer, void, undefined> {
  const runs = createRowRuns(limits)
  const pending: { readonly bytes: number; readonly answer: Promise<EncodedAnswer> }[] = []
  let pendingBytes = 0
  let giveBack: (() => void) | null = null

  function encode({ parts, from, rows, bytes }: RowRun): void {
    const task: EncodeTask = { kind: 'encode', plan, fields, parts, from, rows, cancel: ticket.cancel }
    const answer = ticket.run<EncodedAnswer>(task).then((outcome) => {
      onAnswer(outcome.answer, outcome.queueMs)
      return outcome.answer
    })
    // Awaited later, or never if the query fails. Until then a rejection must not count as unhandled.
    answer.catch(() => {})
    pending.push({ bytes, answer })
    pendingBytes += bytes
  }

  async function* takeOldest(): AsyncGenerator<EncodedAnswer, void, undefined> {
    const oldest = pending.shift()
    if (oldest === undefined) return
    yield await oldest.answer
    pendingBytes -= oldest.bytes
  }

  try {
    for await (const part of parts) {
      figures.rows += part.rows
      for (const run of runs.add(part)) encode(run)
      if (pendingBytes + runs.bytes > FREE_BYTES) giveBack ??= await gathering.take(GATHERED_BYTES, ticket)
      while (pending.length > 0 && pendingBytes + runs.bytes > GATHERED_BYTES) yield* takeOldest()
    }
    const rest = runs.rest()
    if (rest !== null) encode(rest)
    while (pending.length > 0) yield* takeOldest()
  } finally {
    giveBack?.()
  }
}

async function writeChunks(file: TempFile, chunks: readonly ArrayBuffer[]): Promise<void> {
  for (const chunk of chunks) {
    await file.write(new Uint8Array(chunk))
    freeMemory(Buffer.from(chunk))
  }
}
