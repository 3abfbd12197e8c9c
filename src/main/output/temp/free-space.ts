import { statfs } from 'node:fs/promises'
import { ServiceError } from '../../../plan/errors.ts'

/** Keeps a part of a volume free, for other users of it. */
export interface FreeSpace {
  /** Runs a write of so many bytes. Rejects if it would use space that has to stay free. */
  writing(bytes: number, write: () => Promise<void>): Promise<void>
}

/** How long the free space of the volume is not asked for again; own writes are subtracted meanwhile. Milliseconds. */
const MEASURED_MS = 1000

/**
 * `freeBytes` measures the volume. It is called at most once a second, and again before a write is refused. What other
 * processes write within the second is not noticed. `refusal` makes the error of a write that is refused.
 */
export function createFreeSpace(
  reservedBytes: number,
  freeBytes: () => Promise<number>,
  now: () => number = () => performance.now(),
  refusal: (reservedBytes: number) => ServiceError = full,
): FreeSpace {
  /** Bytes that may still be written: as last measured, less the reserved ones and those of writes begun since. */
  let remainingBytes = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  let measuring: Promise<void> | null = null
  /** Bytes of writes under way, which a measurement may not include. */
  let pending = 0

  async function measure(): Promise<void> {
    const at = now()
    remainingBytes = (await freeBytes()) - reservedBytes - pending
    measuredAt = at
  }

  /** Reserves space for a write. */
  async function take(bytes: number): Promise<void> {
    if (remainingBytes < bytes || now() - measuredAt >= MEASURED_MS) {
      measuring ??= measure().finally(() => {
        measuring = null
      })
      await measuring
      if (remainingBytes < bytes) throw refusal(reservedBytes)
    }
    remainingBytes -= bytes
    pending += bytes
  }

  return {
    async writing(bytes, write) {
      await take(bytes)
      try {
        await write()
      } finally {
        pending -= bytes
      }
    },
  }
}

/** Free bytes of a folder's volume that this process may use. Infinity: the volume does not tell. */
export async function freeBytesOf(folder: string): Promise<number> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder)
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function full(reservedBytes: number): ServiceError {
  return new ServiceError(
    'disk_full',
    `The disk of the temporary files is nearly full: ${reservedBytes} bytes of it stay free (SERVICE_MIN_FREE_BYTES). Ask for fewer rows or columns, or leave \`output\` out for an Arrow stream, which needs no file.`,
  )
}
