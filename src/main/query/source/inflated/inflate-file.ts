import { randomUUID } from 'node:crypto'
import { isServiceError, ServiceError } from '../../../../plan/errors.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { Compression } from '../../../../plan/source/plain-bytes.ts'
import type { FileVersion } from '../../../../plan/source/version.ts'
import type { InflatedAnswer, InflateTask } from '../../../../plan/task/inflate.ts'
import type { SharedTicket } from '../../../dispatch/ticket.ts'
import type { TempFile } from '../../../output/temp/temp-file.ts'
import type { TempFolder } from '../../../output/temp/temp-folder.ts'
import type { OnAnswer } from '../on-answer.ts'

/** A temporary file with the bytes that a file inflates to. */
export interface InflatedFile {
  readonly temp: TempFile
  readonly version: FileVersion
}

/** The bytes of the first slice, and the most of a later one. Space is taken for a whole slice before it is inflated. */
const FIRST_SLICE_BYTES = 2 << 20
const MOST_SLICE_BYTES = 32 << 20

/** How often an inflation begins again because its worker is gone. */
const MOST_ATTEMPTS = 3

/**
 * Has a worker inflate a file into a temporary file, slice by slice, so that other queries have their turns. A worker that is lost does not
 * have what it kept between slices, and another one begins again.
 */
export async function inflateFile(
  file: FileRef,
  compression: Compression,
  folder: TempFolder,
  ticket: SharedTicket,
  onAnswer: OnAnswer,
): Promise<InflatedFile> {
  for (let attempt = 1; ; attempt++) {
    const temp = await folder.open('plain')
    try {
      const isWhole = await inflateSlices(file, compression, temp, folder.totalBytes, ticket, onAnswer)
      if (isWhole) return { temp, version: await temp.version() }
      if (attempt === MOST_ATTEMPTS)
        throw new ServiceError(
          'worker_lost',
          'The worker that inflated a file is gone, time and again; ask again.',
        )
    } catch (error) {
      await temp.discard()
      throw withFile(error, file)
    }
    await temp.discard()
  }
}

/** Inflates all slices of a file. False: the worker is gone. */
async function inflateSlices(
  file: FileRef,
  compression: Compression,
  temp: TempFile,
  totalBytes: number,
  ticket: SharedTicket,
  onAnswer: OnAnswer,
): Promise<boolean> {
  const key = randomUUID()
  const { device, inode } = await temp.version()
  const opened = { descriptor: temp.descriptor, device, inode }
  const begun = { kind: 'inflate', key, file, compression, temp: opened, cancel: ticket.cancel } as const
  let placement: { readonly only: number } | undefined
  let written = 0
  for (let slice = FIRST_SLICE_BYTES; ; slice = Math.min(MOST_SLICE_BYTES, 2 * slice)) {
    // At the limit a byte more is asked for, which is refused.
    const maxBytes = Math.max(1, Math.min(slice, totalBytes - written))
    await temp.reserve(written + maxBytes)
    const task: InflateTask = { ...begun, written, maxBytes }
    const { answer, worker, queueMs } = await ticket.run<InflatedAnswer>(task, placement)
    onAnswer(answer, queueMs)
    if (answer.isGone === true) return false
    written = answer.written
    placement = { only: worker }
    if (!answer.hasEnded) continue
    await temp.measure()
    return true
  }
}

/** The error with the name of the file, if it is about the space that the file takes. */
function withFile(error: unknown, { path }: FileRef): unknown {
  if (!isServiceError(error)) return error
  const { code, message } = error
  const shown = `"${path}" is compressed`
  switch (code) {
    case 'memory_limit':
      return message.startsWith('"')
        ? error
        : new ServiceError(code, `${shown}: ${message}.`, { cause: error })
    case 'no_space':
      return new ServiceError(
        code,
        `${shown}, and other temporary files leave no space to inflate it (SERVICE_MAX_TEMP_BYTES); try again in a moment, or inflate it yourself.`,
        { cause: error },
      )
    case 'disk_full':
      return new ServiceError(
        code,
        `${shown}, and the disk of the temporary files has no space to inflate it (SERVICE_MIN_FREE_BYTES stay free); inflate it elsewhere.`,
        { cause: error },
      )
    default:
      return error
  }
}
