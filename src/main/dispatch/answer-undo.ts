import { toErrorData } from '../../plan/errors.ts'
import { UNDO_STATE, type UndoReply, type UndoRequest } from '../../plan/task/undo-request.ts'
import type { Annex } from './annex.ts'

/** Has the annex undo the filter that a thread waits for, and wakes the thread. Each thread waits for one at a time. */
export async function answerUndo(annex: Annex, request: UndoRequest): Promise<void> {
  const { filtered, reply } = request
  const state = new Int32Array(request.state)
  const isWanted = (): boolean => Atomics.load(state, 0) === UNDO_STATE.waiting
  const answer = await annex.undo(filtered, isWanted).then(
    (bytes): UndoReply => ({ kind: 'undone', bytes }),
    (error: unknown): UndoReply => ({ kind: 'failed', error: toErrorData(error) }),
  )
  if (isWanted()) reply.postMessage(answer, answer.kind === 'undone' ? [answer.bytes] : [])
  Atomics.compareExchange(state, 0, UNDO_STATE.waiting, UNDO_STATE.answered)
  Atomics.notify(state, 0)
  reply.close()
}
