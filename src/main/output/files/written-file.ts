import type { WrittenPlan } from '../../../plan/output/file-plan.ts'
import type { FileTask, WriterAnswer } from '../../../plan/task/file-tasks.ts'
import { type Part, partBytes } from '../../../plan/task/part.ts'
import type { TaskOutcome } from '../../dispatch/queued-task.ts'
import type { Delivery } from '../deliver.ts'
import { deliverFile } from '../deliver-file.ts'
import type { PreparedOutput } from '../output-format.ts'
import type { TempFile } from '../temp/temp-file.ts'
import { FREE_BYTES } from './gather-budget.ts'

/** What a file that one worker writes is made with, besides its plan. */
export interface WrittenFile {
  /** Whether the writer needs a second file for what it sets aside. */
  readonly hasSpool: boolean
}

/** The most bytes of rows that are under way to the worker that writes. */
const UNDER_WAY_BYTES = 16 << 20

/** Parts go to the worker together as soon as they have so many bytes. */
const SENT_BYTES = 4 << 20

/** What main gathers and what is under way together. */
const GATHERED_BYTES = UNDER_WAY_BYTES + SENT_BYTES

/** A file that one worker writes with a library, while the others decode. */
export function writtenFile(plan: WrittenPlan, { hasSpool }: WrittenFile): PreparedOutput {
  return {
    file: plan,
    encoding: 'arrow',
    deliver: (delivery, files) =>
      deliverFile(delivery, files, async (file) => {
        const spool = hasSpool ? await files.folder.open('rows') : null
        try {
          await writeFileBy(file, spool, delivery, plan)
        } finally {
          await spool?.discard()
        }
      }),
  }
}

async function writeFileBy(
  file: TempFile,
  spool: TempFile | null,
  delivery: Delivery,
  plan: WrittenPlan,
): Promise<void> {
  const { id, ticket, schema, onAnswer } = delivery
  const key = `${id}/file`
  const { cancel } = ticket
  const run = async (task: FileTask, worker?: number): Promise<TaskOutcome<WriterAnswer>> => {
    const outcome = await ticket.run<WriterAnswer>(task, worker === undefined ? undefined : { only: worker })
    onAnswer(outcome.answer, outcome.queueMs)
    return outcome
  }
  const { fields } = schema
  const [descriptor, spoolDescriptor] = [file.descriptor, spool?.descriptor ?? null]
  const open = { kind: 'writer_open', key, plan, fields, descriptor, spool: spoolDescriptor, cancel } as const
  const { worker } = await run(open)
  try {
    await sendRows(delivery, file, spool, (parts) => run({ kind: 'writer_rows', key, parts, cancel }, worker))
    for (let isDone = false; !isDone; ) {
      const { answer } = await run({ kind: 'writer_finish', key, cancel }, worker)
      await file.reserve(answer.bytes)
      await spool?.reserve(answer.setAside)
      isDone = answer.isDone
    }
  } catch (error) {
    // The worker closes the file with its next task, if this one is not run any more.
    void close(delivery, key, worker).catch(() => {})
    throw error
  }
  await close(delivery, key, worker)
  await file.measure()
}

/** Has the file closed, even if the query is over. */
async function close({ ticket }: Delivery, key: string, worker: number): Promise<void> {
  const { run, cancel } = ticket.forOthersToo()
  await run<WriterAnswer>({ kind: 'writer_close', key, cancel }, { only: worker })
}

/** Sends rows in their order, so many at a time as may be under way. */
async function sendRows(
  { parts, figures, gathering, ticket }: Delivery,
  file: TempFile,
  spool: TempFile | null,
  send: (parts: readonly Part[]) => Promise<TaskOutcome<WriterAnswer>>,
): Promise<void> {
  const pending: { readonly bytes: number; readonly sent: Promise<TaskOutcome<WriterAnswer>> }[] = []
  let gathered: Part[] = []
  let gatheredBytes = 0
  let pendingBytes = 0
  let written = 0
  let giveBack: (() => void) | null = null

  async function sendGathered(): Promise<void> {
    if (gathered.length === 0) return
    // What is written of rows has about their size. The answer has the number of bytes.
    await (spool ?? file).reserve(written + pendingBytes + gatheredBytes)
    const sent = send(gathered)
    // Awaited later, or never if the query fails. Until then a rejection must not count as unhandled.
    sent.catch(() => {})
    pending.push({ bytes: gatheredBytes, sent })
    pendingBytes += gatheredBytes
    gathered = []
    gatheredBytes = 0
  }

  async function oldestSent(): Promise<void> {
    const oldest = pending.shift()
    if (oldest === undefined) return
    const { bytes, setAside } = (await oldest.sent).answer
    written = spool === null ? bytes : setAside
    pendingBytes -= oldest.bytes
  }

  try {
    for await (const part of parts) {
      figures.rows += part.rows
      gathered.push(part)
      gatheredBytes += partBytes(part)
      if (pendingBytes + gatheredBytes > FREE_BYTES) giveBack ??= await gathering.take(GATHERED_BYTES, ticket)
      if (gatheredBytes >= SENT_BYTES) await sendGathered()
      while (pendingBytes > UNDER_WAY_BYTES) await oldestSent()
    }
    await sendGathered()
    while (pending.length > 0) await oldestSent()
  } finally {
    giveBack?.()
  }
}
