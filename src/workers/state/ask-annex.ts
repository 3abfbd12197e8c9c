import { MessageChannel, parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { fromErrorData } from '../../plan/errors.ts'
import type { FilteredBytes } from '../../plan/task/filtered-bytes.ts'
import { UNDO_STATE, type UndoReply, type UndoRequest } from '../../plan/task/undo-request.ts'

/** How often the cancel flag is checked while the annex works. Milliseconds. */
const CANCEL_CHECK_MS = 20

/** Has the annex undo a filter, and waits for it. As `UndoFilter`. */
export function askAnnex(filtered: FilteredBytes, checkCancelled: () => void): ArrayBuffer {
  if (parentPort === null) throw new TypeError('only threads of the pool have an annex')
  const { port1: port, port2: reply } = new MessageChannel()
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const request: UndoRequest = { kind: 'undo', filtered, reply, state: state.buffer }
  parentPort.postMessage(request, [reply, filtered.stored])
  try {
    for (;;) {
      const answer = receiveMessageOnPort(port)?.message as UndoReply | undefined
      if (answer?.kind === 'undone') return answer.bytes
      if (answer !== undefined) throw fromErrorData(answer.error)
      Atomics.wait(state, 0, UNDO_STATE.waiting, CANCEL_CHECK_MS)
      checkCancelled()
    }
  } finally {
    Atomics.compareExchange(state, 0, UNDO_STATE.waiting, UNDO_STATE.abandoned)
    port.close()
  }
}
