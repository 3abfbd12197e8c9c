import { ServiceError } from '../../../plan/errors.ts'
import { freeMemory } from '../../../plan/free-memory.ts'
import { type Part, partBytes } from '../../../plan/task/part.ts'
import { MAX_RUNS, type SortedRun, type SortRunTask } from '../../../plan/task/sort-tasks.ts'
import type { SortedRunAnswer } from '../../../plan/task/task.ts'
import type { TempFile } from '../temp/temp-file.ts'
import type { Sorted, SortOptions, SortSizes } from './sort-options.ts'

/** A run in the temporary file. */
export interface WrittenRun extends Omit<SortedRun, 'chunks'> {
  /** Where in the file each of its blocks begins, and where the last one ends. */
  readonly starts: readonly number[]
}

/** The most rows of a run, but for its last part: rows of few bytes take more in memory, and blocks have at most 65,536. */
const RUN_ROWS = 4 << 20

type SizedOptions = SortOptions & { readonly sizes: SortSizes }

/**
 * Has workers sort runs of the rows, and writes them to the file. Returns the runs in the order of their rows. Which rows a run has
 * depends on the parts alone.
 */
export async function writeRuns(
  parts: AsyncIterable<Part>,
  sorted: Sorted,
  file: TempFile,
  options: SizedOptions,
): Promise<readonly WrittenRun[]> {
  const { workers, sizes, onRunWritten } = options
  const begun: Promise<WrittenRun>[] = []
  const running = new Set<Promise<unknown>>()
  /** Runs are written one after the other. */
  let written: Promise<unknown> = Promise.resolve()
  for await (const gathered of gatheredParts(parts, sizes.runBytes)) {
    const answered = sortedRun(gathered, begun.length, sorted, options)
    const before = written
    const write = answered.then(async (answer) => {
      await before
      const run = await writeRun(answer, file)
      onRunWritten?.((run.starts.at(-1) ?? 0) - (run.starts[0] ?? 0))
      return run
    })
    written = write.catch(() => {})
    begun.push(write)
    const ended = write.finally(() => running.delete(ended))
    running.add(ended)
    ended.catch(() => {})
    if (running.size >= workers) await Promise.race(running)
  }
  return Promise.all(begun)
}

/** Neighbouring parts, as many as a run has. */
async function* gatheredParts(
  parts: AsyncIterable<Part>,
  runBytes: number,
): AsyncGenerator<readonly Part[], void, undefined> {
  let gathered: Part[] = []
  let [bytes, rows] = [0, 0]
  for await (const part of parts) {
    gathered.push(part)
    bytes += partBytes(part)
    rows += part.rows
    if (bytes < runBytes && rows < RUN_ROWS) continue
    yield gathered
    gathered = []
    bytes = 0
    rows = 0
  }
  if (gathered.length > 0) yield gathered
}

async function sortedRun(
  parts: readonly Part[],
  run: number,
  { fields, ending }: Sorted,
  { ticket, sizes: { blockBytes }, onAnswer }: SizedOptions,
): Promise<SortedRunAnswer> {
  if (run >= MAX_RUNS) throw new ServiceError('memory_limit', `A sort has at most ${MAX_RUNS} runs.`)
  const { cancel } = ticket
  const task: SortRunTask = {
    kind: 'sort_run',
    run,
    fields,
    order: ending.finish.order,
    parts,
    blockBytes,
    cancel,
  }
  const { answer, queueMs } = await ticket.run<SortedRunAnswer>(task)
  onAnswer(answer, queueMs)
  return answer
}

async function writeRun(
  { chunks, blocks, ends, dictionaries }: SortedRun,
  file: TempFile,
): Promise<WrittenRun> {
  const starts = [file.size]
  for (const { bytes } of blocks) starts.push((starts.at(-1) ?? 0) + bytes)
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk)
    await file.write(bytes)
    freeMemory(bytes)
  }
  return { blocks, ends, dictionaries, starts }
}
