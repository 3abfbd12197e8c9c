import { tableFromIPC } from 'apache-arrow'
import type { Answer } from './answer.ts'
import { cellsOfArrow } from './cells.ts'

/** What an Arrow IPC stream holds. Throws when it is none, or is cut short. */
export function answerOfStream(body: Uint8Array): Answer {
  const { schema, batches } = tableFromIPC(body)
  return {
    names: schema.fields.map(({ name }) => name),
    batches: batches.map((batch) =>
      schema.fields.map((_, i) => {
        const vector = batch.getChildAt(i)
        return { length: batch.numRows, get: vector === null ? () => null : cellsOfArrow(vector) }
      }),
    ),
  }
}
