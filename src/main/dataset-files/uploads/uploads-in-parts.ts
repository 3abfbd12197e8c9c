import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { ServiceError } from '../../../plan/errors.ts'
import type { BegunUpload, UploadChange, UploadStore } from '../../catalog/store/begun-uploads.ts'
import { writeFailure } from '../write-failure.ts'
import { requireSameBytes } from './compare-incoming.ts'
import type { IncomingFile } from './incoming-file.ts'
import { publish } from './publish.ts'
import { checkUpload, type UploadContext, type UploadedFile, uploadTooLarge } from './upload-context.ts'
import { writeIncoming } from './write-incoming.ts'

/** Uploads whose parts come one after the other, in requests of their own. They go on after a restart. */
export interface UploadsInParts {
  /** Begins an upload, and reserves its path. Rejects as an upload in one piece does. */
  begin(path: string, replaces: boolean): Promise<BegunUpload>
  /**
   * Adds the next part, or compares the last one, if it is sent again. Rejects with `unknown_upload`; with `upload_conflict` for any other
   * part, for other bytes, and while another request is at the same upload; with `upload_too_large`, after which the upload is over.
   */
  add(id: string, number: number, incoming: IncomingFile): Promise<void>
  /** Puts the file in its place. If that fails, the upload is still there. */
  complete(id: string): Promise<UploadedFile>
  abort(id: string): Promise<void>
  isBegun(id: string): boolean
  /** Ends those to which no part has come for an hour. */
  expire(): Promise<void>
}

/** The bytes of a part that clients are asked for, and the most of one. */
export const PART_BYTES = 32 << 20
const MOST_PART_BYTES = 128 << 20

/** How long after its last part an upload ends. Milliseconds. */
const EXPIRES_MS = 3_600_000

/** For changes that do not depend on whether the client is there. */
const ALWAYS = new AbortController().signal

/**
 * Takes up the uploads that were begun before the start: those whose files have all bytes of their parts, and that have not ended meanwhile.
 * @param now Milliseconds since 1970.
 */
export async function openUploadsInParts(
  context: UploadContext,
  store: UploadStore,
  now: () => number,
): Promise<UploadsInParts> {
  const { root, staging, calls, reserved } = context
  const uploads = new Map<string, BegunUpload>()
  /** The uploads at which a request is. */
  const busy = new Set<string>()

  const commit = (change: UploadChange): Promise<void> => store.commit([change], ALWAYS)
  const isOver = ({ changedAt }: BegunUpload): boolean => changedAt + EXPIRES_MS <= now()

  async function end({ id, path }: BegunUpload): Promise<void> {
    await commit({ kind: 'drop_upload', id })
    if (uploads.delete(id)) reserved.release(path)
    // If it cannot be deleted now, the next start does it.
    await staging.discard(id).catch(() => {})
  }

  /** Does something with an upload, at which no other request is meanwhile. */
  async function alone<T>(id: string, work: (upload: BegunUpload) => Promise<T>): Promise<T> {
    const upload = uploads.get(id)
    if (busy.has(id))
      throw new ServiceError('upload_conflict', 'Another request is at this upload; wait until it has ended.')
    if (upload === undefined || isOver(upload))
      throw new ServiceError(
        'unknown_upload',
        'There is no such upload: it was completed or aborted, or no part has come for an hour. Begin again.',
      )
    busy.add(id)
    try {
      return await work(upload)
    } catch (error) {
      throw writeFailure(error, upload.path)
    } finally {
      busy.delete(id)
    }
  }

  /** Writes a part behind the others. Resolves with its bytes. */
  async function write(upload: BegunUpload, incoming: IncomingFile): Promise<number> {
    const rest = context.mostBytes - upload.bytes
    const tooLarge = (): ServiceError =>
      rest < MOST_PART_BYTES ? uploadTooLarge(context.mostBytes) : partTooLarge()
    const mostBytes = Math.min(rest, MOST_PART_BYTES)
    if ((incoming.announcedBytes ?? 0) > mostBytes) throw tooLarge()
    const handle = await staging.open(upload.id, true)
    try {
      const limits = { mostBytes, tooLarge, freeSpace: context.freeSpace }
      return await writeIncoming(incoming, handle, upload.bytes, calls, limits)
    } catch (error) {
      await handle.truncate(upload.bytes).catch(() => {})
      throw error
    } finally {
      await handle.close()
    }
  }

  async function hasAllBytes({ id, bytes, parts }: BegunUpload): Promise<boolean> {
    const stats = await stat(staging.fileOf(id)).catch(() => null)
    return parts === 0 || (stats?.size ?? 0) >= bytes
  }

  for (const upload of store.begun)
    if (isOver(upload) || !(await hasAllBytes(upload))) await commit({ kind: 'drop_upload', id: upload.id })
    else {
      uploads.set(upload.id, upload)
      reserved.reserve(upload.path, describe(upload.id))
    }

  return {
    async begin(path, replaces) {
      const names = await checkUpload(context, path, replaces, null)
      const id = randomUUID()
      const begun = {
        id,
        path: names.join('/'),
        replaces,
        parts: 0,
        bytes: 0,
        lastBytes: 0,
        changedAt: now(),
      }
      reserved.reserve(begun.path, describe(id))
      try {
        // A root that cannot be written to is known before the first part.
        await (await staging.open(id, false)).close()
        await commit({ kind: 'put_upload', upload: begun })
      } catch (error) {
        reserved.release(begun.path)
        await staging.discard(id).catch(() => {})
        throw writeFailure(error, path)
      }
      uploads.set(id, begun)
      return begun
    },
    add: (id, number, incoming) =>
      alone(id, async (upload) => {
        if (number === upload.parts) {
          const handle = await staging.open(id, true)
          const range = { position: upload.bytes - upload.lastBytes, length: upload.lastBytes }
          return requireSameBytes(incoming, handle, range, calls).finally(() => handle.close())
        }
        if (number !== upload.parts + 1) throw wrongNumber(number, upload)
        const lastBytes = await write(upload, incoming).catch(async (error) => {
          if (error.code === 'upload_too_large') await end(upload)
          throw error
        })
        const next = {
          ...upload,
          parts: number,
          bytes: upload.bytes + lastBytes,
          lastBytes,
          changedAt: now(),
        }
        await commit({ kind: 'put_upload', upload: next })
        uploads.set(id, next)
      }),
    complete: (id) =>
      alone(id, async (upload) => {
        const { path, bytes, parts, replaces } = upload
        if (parts === 0)
          throw new ServiceError(
            'upload_conflict',
            `No part of ${path} has come yet; send part 1, or abort it.`,
          )
        const handle = await staging.open(id, true)
        // A part that had not arrived whole when the service ended is behind the others.
        await handle.truncate(bytes).finally(() => handle.close())
        await publish(root, path.split('/'), staging.fileOf(id), replaces, calls)
        await end(upload)
        return { path, size: bytes }
      }),
    abort: (id) => alone(id, end),
    isBegun: (id) => uploads.has(id),
    async expire() {
      for (const upload of uploads.values()) if (isOver(upload) && !busy.has(upload.id)) await end(upload)
    },
  }
}

/** An upload in messages about another one of its path, which has to wait for it or end it. */
function describe(id: string): string {
  return `the upload ${id}, which has begun; complete it, or abort it by DELETE /api/admin/datasets/upload?upload_id=${id}`
}

function wrongNumber(number: number, { parts }: BegunUpload): ServiceError {
  const again = parts === 0 ? '' : `, and part ${parts} may be sent again`
  return new ServiceError('upload_conflict', `Part ${parts + 1} comes next${again}; this is part ${number}.`)
}

function partTooLarge(): ServiceError {
  return new ServiceError(
    'upload_too_large',
    `The part has more than ${MOST_PART_BYTES} bytes, the most of one; begin again, with parts of ${PART_BYTES} bytes.`,
  )
}
