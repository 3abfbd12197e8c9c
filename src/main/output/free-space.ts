import { statfs } from 'node:fs/promises'
import { ServiceError } from '../../plan/errors.ts'

/** Keeps room on a volume that others need, too. */
export interface FreeSpace {
  /** Runs a write of so many bytes if they leave the room. Throws `no_space` if not. */
  writing(bytes: number, write: () => Promise<void>): Promise<void>
}

/** For so long a figure of the volume is taken to hold, less what is written here. Milliseconds. */
const FIGURE_MS = 1000

/**
 * `freeBytes` asks the volume; it is asked once a second while there is room, and before a write is refused. What others
 * write within that second is not seen.
 */
export function createFreeSpace(
  reservedBytes: number,
  freeBytes: () => Promise<number>,
  now: () => number = () => performance.now(),
): FreeSpace {
  /** Of the last figure, without what is reserved and what was to be written since. */
  let left = 0
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null
  /** Bytes of writes under way, which a figure of the volume may not have counted. */
  let pending = 0

  async function ask(): Promise<void> {
    const at = now()
    left = (await freeBytes()) - reservedBytes - pending
    askedAt = at
  }

  /** Takes room for a write. */
  async function take(bytes: number): Promise<void> {
    if (left < bytes || now() - askedAt >= FIGURE_MS) {
      asking ??= ask().finally(() => {
        asking = null
      })
      await asking
      if (left < bytes) throw full(reservedBytes)
    }
    left -= bytes
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

/** Bytes that the volume of a folder still has for this process; infinite if it does not say. */
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
    'no_space',
    `The disk of the temporary files is nearly full: ${reservedBytes} bytes of it stay free (SERVICE_MIN_FREE_BYTES). Try again later, or leave \`output\` out for an Arrow stream, which needs no file.`,
  )
}
