import { lstat, opendir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../../plan/errors.ts'
import { createFreeSpace, type FreeSpace, freeBytesOf } from './free-space.ts'
import { openTempFile, TEMP_NAME, type TempFile } from './temp-file.ts'

/** The folder of temporary files with its limits. Bytes count from before they are written until their file is closed. */
export interface TempFolder {
  /** Bytes of all files that are open. */
  readonly bytes: number
  /**
   * Opens a file. A write rejects with `output_too_large` beyond the limit of one file, with `no_space` beyond that of all
   * files and with `disk_full` when the volume has too little space left, and both reject as `openTempFile` does. A file for `rows`, which a query
   * sorts or sets aside, is no answer: it has the limit of all files only, and a write beyond it rejects with `memory_limit`.
   */
  open(use?: TempUse): Promise<TempFile>
}

type TempUse = 'answer' | 'rows'

export interface TempLimits {
  /** The most bytes of one file. */
  readonly outputBytes: number
  /** The most bytes of all files together. */
  readonly totalBytes: number
  /** Bytes of the volume that stay free. */
  readonly reservedBytes: number
}

export function createTempFolder(
  folder: string,
  limits: TempLimits,
  freeSpace: FreeSpace = createFreeSpace(limits.reservedBytes, () => freeBytesOf(folder)),
): TempFolder {
  const { totalBytes } = limits
  const outputBytes = Math.min(limits.outputBytes, totalBytes)
  let total = 0

  function take(size: number, bytes: number, use: TempUse): void {
    if (use === 'rows' && size + bytes > totalBytes) throw tooManyRows(totalBytes)
    if (use === 'answer' && size + bytes > outputBytes) throw tooLarge(limits)
    if (total + bytes > totalBytes) throw noSpace(totalBytes)
    total += bytes
  }

  return {
    get bytes() {
      return total
    },
    async open(use = 'answer') {
      const file = await openTempFile(folder)
      let taken = 0
      void file.closed.then(() => {
        total -= taken
        taken = 0
      })
      return {
        get size() {
          return file.size
        },
        closed: file.closed,
        descriptor: file.descriptor,
        async reserve(bytes) {
          const more = bytes - taken
          if (more <= 0) return
          take(taken, more, use)
          taken = bytes
          // Their writer reports later how many there are. Until the volume is measured again they count as written.
          await freeSpace.writing(more, async () => {})
        },
        async measure() {
          await file.measure()
          total += file.size - taken
          taken = file.size
        },
        async write(bytes) {
          const { byteLength } = bytes
          take(taken, byteLength, use)
          taken += byteLength
          await freeSpace.writing(byteLength, () => file.write(bytes))
        },
        writeAt: file.writeAt,
        read: file.read,
        readAt: file.readAt,
        discard: file.discard,
      }
    },
  }
}

/**
 * Deletes the files that a killed process has left: temporary files have a name between their creation and its removal. Only
 * regular files with such a name that lie in the folder itself are deleted, and none if the folder is a link. Returns their
 * number.
 */
export async function sweepTempFolder(folder: string): Promise<number> {
  if (!(await lstat(folder)).isDirectory()) return 0
  let swept = 0
  for await (const entry of await opendir(folder)) {
    if (!entry.isFile() || !TEMP_NAME.test(entry.name)) continue
    await unlink(join(folder, entry.name))
    swept++
  }
  return swept
}

const STREAM = 'leave `output` out for an Arrow stream, which needs no file and has no limit'

function tooLarge({ outputBytes, totalBytes }: TempLimits): ServiceError {
  const [limit, setting] =
    outputBytes <= totalBytes
      ? [outputBytes, 'SERVICE_MAX_OUTPUT_BYTES']
      : [totalBytes, 'SERVICE_MAX_TEMP_BYTES']
  return new ServiceError(
    'output_too_large',
    `The answer has more than ${limit} bytes, the most that may be written to a file (${setting}); ask for fewer rows or columns, or ${STREAM}.`,
  )
}

function tooManyRows(totalBytes: number): ServiceError {
  return new ServiceError(
    'memory_limit',
    `The rows that the query sorts or sets aside take over ${totalBytes} bytes, the most that temporary files may have (SERVICE_MAX_TEMP_BYTES); set a limit, filter more, or ask for fewer columns.`,
  )
}

function noSpace(totalBytes: number): ServiceError {
  return new ServiceError(
    'no_space',
    `The files of all answers together may have ${totalBytes} bytes (SERVICE_MAX_TEMP_BYTES), and others have most of that now; try again in a moment, or ${STREAM}.`,
  )
}
