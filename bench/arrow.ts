import { tableFromIPC } from 'apache-arrow'
import { type Fingerprint, fingerprint } from './fingerprint.ts'

/** What an Arrow IPC stream holds, as a multiset of rows. */
export function fingerprintOfStream(body: Uint8Array): Fingerprint {
  return fingerprint(
    tableFromIPC(body).batches.map((batch) =>
      batch.schema.fields.map((_, i) => {
        const vector = batch.getChildAt(i)
        return { length: batch.numRows, get: (row) => vector?.get(row) }
      }),
    ),
  )
}
