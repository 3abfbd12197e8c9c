import { tableFromIPC } from 'apache-arrow'
import type { Answer } from './answer.ts'
import { cellsOfArrow } from './cells.ts'

/** The answer in an Arrow IPC stream. Throws when the bytes are none, or end early. */
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
