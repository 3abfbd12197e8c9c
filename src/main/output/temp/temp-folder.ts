import { lstat, opendir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { createFreeSpace, type FreeSpace, freeBytesOf } from './free-space.ts'
import { openTempFile, TEMP_NAME, type TempFile } from './temp-file.ts'

/** The folder of temporary files with its limits. Bytes count from before they are written until their file is closed. */
export interface TempFolder {
  /** Bytes of all files that are open. */
  readonly bytes: number
  /**
   * Opens a file. A write rejects with `output_too_large` beyond the limit of one file, with `no_space` beyond that of all
   * files and with `disk_full` when the volume has too little space left, and both reject as `openTempFile` does. A file for `rows`, which a query
   * sorts or sets aside, for the `plain` bytes of a compressed file, or for what was `fetched` from another service is no answer: it has the limit of all files only, and a write beyond it
   * rejects with `memory_limit`.
   */
  open(use?: TempUse): Promise<TempFile>
  /** The most bytes of all files together. */
  readonly totalBytes: number
  /**
   * Has `giveUp` called before a write is refused for want of space that others take. It closes a file that can be made again, and returns
   * whether there was one.
   */
  onShortage(giveUp: () => Promise<boolean>): void
}

type TempUse = 'answer' | 'rows' | 'plain' | 'fetched'

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
  let giveUp = async (): Promise<boolean> => false

  function take(size: number, bytes: number, use: TempUse): void {
    if (use === 'rows' && size + bytes > totalBytes) throw tooManyRows(totalBytes)
    if (use === 'plain' && size + bytes > totalBytes) throw tooManyPlain(totalBytes)
    if (use === 'fetched' && size + bytes > totalBytes) throw tooManyFetched(totalBytes)
    if (use === 'answer' && size + bytes > outputBytes) throw tooLarge(limits)
    if (total + bytes > totalBytes) throw noSpace(totalBytes)
    total += bytes
  }

  /** Runs work again as long as it lacks space, and files are given up for it. */
  async function withSpace(work: () => void | Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        const isShort = isServiceError(error) && (error.code === 'no_space' || error.code === 'disk_full')
        if (!isShort || !(await giveUp())) throw error
      }
    }
  }

  /** Runs a write that the volume has room for. What has failed once it had begun is not repeated. */
  async function writeWithSpace(bytes: number, write: () => Promise<void>): Promise<void> {
    const failures: unknown[] = []
    const attempt = () => write().catch((error: unknown) => void failures.push(error))
    await withSpace(() => freeSpace.writing(bytes, attempt))
    if (failures.length > 0) throw failures[0]
  }

  return {
    get bytes() {
      return total
    },
    totalBytes,
    onShortage(work) {
      giveUp = work
    },
    async open(use = 'answer') {
      const file = await openTempFile(folder)
      let taken = 0
      const add = (bytes: number): Promise<void> =>
        withSpace(() => {
          take(taken, bytes, use)
          taken += bytes
        })
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
        version: file.version,
        async reserve(bytes) {
          const more = bytes - taken
          if (more <= 0) return
          await add(more)
          // Their writer reports later how many there are. Until the volume is measured again they count as written.
          await writeWithSpace(more, async () => {})
        },
        async measure() {
          await file.measure()
          total += file.size - taken
          taken = file.size
        },
        async write(bytes) {
          const { byteLength } = bytes
          await add(byteLength)
          await writeWithSpace(byteLength, () => file.write(bytes))
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

function tooManyPlain(totalBytes: number): ServiceError {
  return new ServiceError(
    'memory_limit',
    `The bytes that a compressed file inflates to are over ${totalBytes}, the most that temporary files may have (SERVICE_MAX_TEMP_BYTES); unpack it.`,
  )
}

function tooManyFetched(totalBytes: number): ServiceError {
  return new ServiceError(
    'memory_limit',
    `The rows that another service sends take over ${totalBytes} bytes, the most that temporary files may have (SERVICE_MAX_TEMP_BYTES); filter more, or ask for fewer columns.`,
  )
}

function noSpace(totalBytes: number): ServiceError {
  return new ServiceError(
    'no_space',
    `The files of all answers together may have ${totalBytes} bytes (SERVICE_MAX_TEMP_BYTES), and others have most of that now; try again in a moment, or ${STREAM}.`,
  )
}
