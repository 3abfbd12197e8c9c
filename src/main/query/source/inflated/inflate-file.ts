import { randomUUID } from 'node:crypto'
import { type ErrorCode, isServiceError, ServiceError } from '../../../../plan/errors.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { Compression } from '../../../../plan/source/plain-bytes.ts'
import type { FileVersion } from '../../../../plan/source/version.ts'
import type { InflatedAnswer } from '../../../../plan/task/inflate.ts'
import type { SharedTicket } from '../../../dispatch/ticket.ts'
import type { TempFile } from '../../../output/temp/temp-file.ts'
import type { TempFolder } from '../../../output/temp/temp-folder.ts'
import type { OnAnswer } from '../on-answer.ts'

export interface Inflating {
  readonly file: FileRef
  readonly compression: Compression
  readonly folder: TempFolder
  /** Ends when nobody waits for the file any more. */
  readonly ticket: SharedTicket
  readonly onAnswer: OnAnswer
  /** The bytes of other compressed files that the query has to have at the same time. */
  otherBytes(): number
}

/** A temporary file with the bytes that a file inflates to. */
export interface InflatedFile {
  readonly temp: TempFile
  readonly version: FileVersion
}

/** The bytes of the first slice, and the most of a later one. Space is taken for a whole slice before it is inflated. */
const FIRST_SLICE_BYTES = 2 << 20
const MOST_SLICE_BYTES = 32 << 20
/** A smaller slice is not worth a task, if files that can be given up leave more space. */
const LEAST_SLICE_BYTES = 1 << 20

/** How often an inflation begins again because its worker is gone. */
const MOST_ATTEMPTS = 3

/**
 * Has a worker inflate a file into a temporary file, slice by slice, so that other queries have their turns. A worker that is lost does not
 * have what it kept between slices, and another one begins again.
 */
export async function inflateFile(inflating: Inflating): Promise<InflatedFile> {
  for (let attempt = 1; ; attempt++) {
    const temp = await inflating.folder.open('plain')
    try {
      if (await inflateSlices(inflating, temp)) return { temp, version: await temp.version() }
      if (attempt === MOST_ATTEMPTS) throw workerLost()
    } catch (error) {
      await temp.discard()
      throw error
    }
    await temp.discard()
  }
}

/** Inflates all slices of a file. False: the worker is gone. */
async function inflateSlices(inflating: Inflating, temp: TempFile): Promise<boolean> {
  const { file, compression, folder, ticket, onAnswer } = inflating
  const { device, inode } = await temp.version()
  const { cancel } = ticket
  const opened = { descriptor: temp.descriptor, device, inode }
  const task = { kind: 'inflate', key: randomUUID(), file, compression, temp: opened, cancel } as const
  let placement: { readonly only: number } | undefined
  let written = 0
  let reserved = 0
  for (let slice = FIRST_SLICE_BYTES; ; slice = Math.min(MOST_SLICE_BYTES, 2 * slice)) {
    // What is free is used first, so that others are not given up for a slice that the end of the file leaves empty.
    const free = folder.totalBytes - folder.bytes + reserved - written
    const most = Math.min(Math.max(free, LEAST_SLICE_BYTES), folder.totalBytes - written)
    // At the limit one byte more is asked for, which is refused.
    const maxBytes = Math.max(1, Math.min(slice, most))
    const bytes = written + maxBytes
    reserved = Math.max(reserved, bytes)
    await temp.reserve(bytes).catch((error: unknown) => {
      throw shortage(error, bytes, inflating)
    })
    const { answer, worker, queueMs } = await ticket.run<InflatedAnswer>(
      { ...task, written, maxBytes },
      placement,
    )
    onAnswer(answer, queueMs)
    if (answer.isGone === true) return false
    written = answer.written
    placement = { only: worker }
    if (!answer.hasEnded) continue
    await temp.measure()
    return true
  }
}

/** The error of a file for which there is no space. */
function shortage(
  cause: unknown,
  bytes: number,
  { file: { path }, folder: { totalBytes }, otherBytes }: Inflating,
): unknown {
  if (!isServiceError(cause)) return cause
  const of = (code: ErrorCode, what: string) =>
    new ServiceError(code, `"${path}" is compressed, and ${what}.`, { cause })
  const others = otherBytes()
  switch (cause.code) {
    case 'memory_limit':
      return of(
        'memory_limit',
        `has more than ${totalBytes} bytes when it is inflated, the most that temporary files may have (SERVICE_MAX_TEMP_BYTES); unpack it`,
      )
    case 'no_space':
      return others + bytes > totalBytes
        ? of(
            'memory_limit',
            `with the other files of the query it has more than ${totalBytes} bytes when inflated, the most that temporary files may have (SERVICE_MAX_TEMP_BYTES); unpack the files, or read fewer at once`,
          )
        : of(
            'no_space',
            'other temporary files leave no space to inflate it now (SERVICE_MAX_TEMP_BYTES); try again in a moment, or unpack it',
          )
    case 'disk_full':
      return of(
        'disk_full',
        'the disk of the temporary files has no space to inflate it (SERVICE_MIN_FREE_BYTES stay free); unpack it elsewhere',
      )
    default:
      return cause
  }
}

function workerLost(): ServiceError {
  return new ServiceError(
    'worker_lost',
    'The worker that inflated a file is gone, time and again; ask again.',
  )
}
