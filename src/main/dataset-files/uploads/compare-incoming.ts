import type { FileHandle } from 'node:fs/promises'
import { ServiceError } from '../../../plan/errors.ts'
import type { FileCalls } from '../file-calls.ts'
import type { IncomingFile } from './incoming-file.ts'

/** Compares incoming bytes with those of a file in this range while they arrive. Rejects with `upload_conflict` if they are others. */
export async function requireSameBytes(
  incoming: IncomingFile,
  handle: FileHandle,
  { position, length }: { readonly position: number; readonly length: number },
  { run }: FileCalls,
): Promise<void> {
  let at = 0
  for await (const batch of incoming.batches())
    for (const bytes of batch) {
      if (at + bytes.length > length) throw otherBytes()
      const stored = Buffer.allocUnsafe(bytes.length)
      await run(`read ${handle.fd}`, () => handle.read(stored, 0, stored.length, position + at))
      if (!stored.equals(bytes)) throw otherBytes()
      at += bytes.length
    }
  if (at < length) throw otherBytes()
}

function otherBytes(): ServiceError {
  return new ServiceError(
    'upload_conflict',
    'This part has arrived already, with other bytes; send the next one, or abort the upload and begin again.',
  )
}
