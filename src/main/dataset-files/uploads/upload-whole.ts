import { randomUUID } from 'node:crypto'
import { writeFailure } from '../write-failure.ts'
import type { IncomingFile } from './incoming-file.ts'
import { publish } from './publish.ts'
import { checkUpload, type UploadContext, type UploadedFile, uploadTooLarge } from './upload-context.ts'
import { writeIncoming } from './write-incoming.ts'

/**
 * Brings a file into the dataset root in one piece. It is there as a whole when this resolves, and also after a loss of power; else
 * nothing is there. Rejects with an error of `checkUpload`, `upload_conflict`, `digest_mismatch`, or one of `writeFailure`.
 */
export async function uploadWhole(
  context: UploadContext,
  path: string,
  replaces: boolean,
  incoming: IncomingFile,
): Promise<UploadedFile> {
  const { root, staging, calls, reserved, mostBytes, freeSpace } = context
  try {
    const names = await checkUpload(context, path, replaces, incoming.announcedBytes)
    const normalPath = names.join('/')
    reserved.reserve(normalPath, 'another request')
    const id = randomUUID()
    try {
      const handle = await staging.open(id, false)
      const limits = { mostBytes, tooLarge: () => uploadTooLarge(mostBytes), freeSpace }
      const size = await writeIncoming(incoming, handle, 0, calls, limits).finally(() => handle.close())
      await publish(root, names, staging.fileOf(id), replaces, calls)
      return { path: normalPath, size }
    } catch (error) {
      // If it cannot be deleted now, the next start does it.
      await staging.discard(id).catch(() => {})
      throw error
    } finally {
      reserved.release(normalPath)
    }
  } catch (error) {
    throw writeFailure(error, path)
  }
}
