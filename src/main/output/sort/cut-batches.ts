import { BATCH_BYTES, BATCH_ROWS } from '../../../plan/limits.ts'
import type { Encoding } from '../../../plan/task/encoding.ts'
import { allRows } from '../../../plan/task/finish.ts'
import { type Part, partBytes, payloadAs } from '../../../plan/task/part.ts'
import type { FinishTask, ScanAnswer } from '../../../plan/task/task.ts'
import { type DataType, field } from '../../../plan/types/schema.ts'
import type { SortOptions } from './sort-options.ts'

/**
 * Cuts rows into the batches that one worker would make of all of them. The parts may begin and end anywhere: the last batch of those
 * that have been cut, which may lack rows, is cut again with the parts that follow.
 */
export async function* cutBatches(
  parts: AsyncIterable<Part>,
  types: readonly DataType[],
  options: Pick<SortOptions, 'ticket' | 'encoding' | 'onAnswer'>,
): AsyncGenerator<Part, void, undefined> {
  let waiting: Part[] = []
  let [bytes, rows] = [0, 0]
  for await (const part of parts) {
    waiting.push(part)
    bytes += partBytes(part)
    rows += part.rows
    if (bytes < BATCH_BYTES && rows < BATCH_ROWS) continue
    const batches = await cut(waiting, types, options)
    yield* batches.slice(0, -1)
    waiting = batches.slice(-1)
    bytes = 0
    rows = 0
  }
  if (waiting.length > 0) yield* await cut(waiting, types, options)
}

/** Has a worker join the rows of parts and cut them from the first one on. */
async function cut(
  parts: readonly Part[],
  types: readonly DataType[],
  { ticket, encoding, onAnswer }: Pick<SortOptions, 'ticket' | 'encoding' | 'onAnswer'>,
): Promise<readonly Part[]> {
  const task: FinishTask = {
    kind: 'finish',
    key: '',
    ending: { finish: allRows(types.length), offset: 0, limit: Number.POSITIVE_INFINITY, types },
    fields: types.map((type, index) => field(String(index), type)),
    table: { kind: 'rows', parts: parts.map(withOwnDictionaries) },
    resume: 0,
    skip: 0,
    take: Number.POSITIVE_INFINITY,
    encoding,
    answerBytes: Number.POSITIVE_INFINITY,
    cancel: ticket.cancel,
  }
  const { answer, queueMs } = await ticket.run<ScanAnswer>(task)
  onAnswer(answer, queueMs)
  return answer.parts
}

/** A part whose dictionaries are copies: the task takes the buffers away, and later parts may share them. */
function withOwnDictionaries(part: Part): Part {
  const payload = payloadAs(part, 'arrow')
  const dictionaries = payload.dictionaries.map((each) => ({ ...each, bytes: each.bytes.slice() }))
  return { ...part, payload: { ...payload, dictionaries } }
}

/** The encoding of parts that are to be cut again. */
export const UNCUT: Encoding = 'arrow'
