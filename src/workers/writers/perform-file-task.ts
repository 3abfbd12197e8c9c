import type { EncodedPlan, WrittenPlan } from '../../plan/output/file-plan.ts'
import type {
  EncodedAnswer,
  FileAnswer,
  FileTask,
  WriterAnswer,
  WriterOpenTask,
} from '../../plan/task/file-tasks.ts'
import { bytesOfParts, rowBuffers } from '../../plan/task/part.ts'
import type { ReadContext } from '../formats/provider.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import type { FileEncoder } from './file-encoder.ts'
import type { FileKinds } from './file-kinds.ts'
import type { FileWriter, OpenWriter, WriterFiles } from './file-writer.ts'
import type { OpenWriters } from './open-writers.ts'

/** What a worker makes files with. */
export interface FileWork {
  readonly kinds: FileKinds
  readonly open: OpenWriters
}

/** Performs a task that makes a file. Returns a promise only if a writer is opened. */
export function performFileTask(
  task: FileTask,
  { kinds, open }: FileWork,
  state: WorkerState,
  context: ReadContext,
): FileAnswer | Promise<FileAnswer> {
  switch (task.kind) {
    case 'encode': {
      const answer = withMemory(state, context, () =>
        toEncodedAnswer(context, encoderOf(task.plan, kinds).encode(task, context)),
      )
      // The rows would wait for the garbage collector, which does not see how large they are.
      for (const bytes of rowBuffers(task.parts)) bytes.transfer(0)
      return answer
    }
    case 'encode_end':
      return toEncodedAnswer(context, {
        chunks: encoderOf(task.plan, kinds).end(task, context),
        summary: NOTHING,
      })
    case 'writer_open':
      return openWriter(task, { kinds, open }, context)
    case 'writer_rows': {
      const writer = open.at(task.key)
      // What is written cannot be written again, so memory is made free before and not when it runs out.
      state.reclaim(bytesOfParts(task.parts), context.stopwatch)
      writer.write(task.parts, context)
      return written(context, writer, false)
    }
    case 'writer_finish': {
      const writer = open.at(task.key)
      return written(context, writer, writer.finish(context))
    }
    case 'writer_close':
      open.close(task.key)
      return { kind: 'writer', bytes: 0, setAside: 0, isDone: true, metrics: context.stopwatch.metrics() }
  }
}

const NOTHING = new Uint8Array(0)

async function openWriter(
  task: WriterOpenTask,
  { kinds, open }: FileWork,
  context: ReadContext,
): Promise<WriterAnswer> {
  const writer = await open.open(task, (files) => writerOf(task, kinds, files, context))
  return written(context, writer, false)
}

function encoderOf<P extends EncodedPlan>(plan: P, { encoders }: FileKinds): FileEncoder<P> {
  const encoder = encoders[plan.kind] as FileEncoder<P> | undefined
  if (encoder === undefined) throw new TypeError(`workers encode no ${plan.kind}`)
  return encoder
}

function writerOf<P extends WrittenPlan>(
  { plan, fields }: Pick<WriterOpenTask, 'fields'> & { readonly plan: P },
  { writers }: FileKinds,
  files: WriterFiles,
  context: ReadContext,
): FileWriter | Promise<FileWriter> {
  const open = writers[plan.kind] as OpenWriter<P> | undefined
  if (open === undefined) throw new TypeError(`workers write no ${plan.kind}`)
  return open(plan, fields, files, context)
}

function toEncodedAnswer(
  { stopwatch }: ReadContext,
  rows: Pick<EncodedAnswer, 'chunks' | 'summary'>,
): EncodedAnswer {
  return { kind: 'encoded', ...rows, metrics: stopwatch.metrics() }
}

function written({ stopwatch }: ReadContext, { bytes, setAside }: FileWriter, isDone: boolean): WriterAnswer {
  return { kind: 'writer', bytes, setAside, isDone, metrics: stopwatch.metrics() }
}
