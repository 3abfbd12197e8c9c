import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** The clock by which the file systems of this machine note when files change. */
export interface ChangeClock {
  /**
   * A time, nanoseconds since 1970, that is later than that of every change before the call; every change from now on has
   * this time, or a later one.
   */
  now(): Promise<bigint>
  close(): Promise<void>
}

/**
 * The longest tick of a kernel, with room to spare: its clock goes on every 1 to 10 ms, so changes in between have one
 * time. Milliseconds.
 */
const LONGEST_TICK_MS = 50

/** Reads the clock off a file of its own in a folder, which must be on a file system of this machine. */
export async function openChangeClock(folder: string): Promise<ChangeClock> {
  const path = join(folder, `.clock-${process.pid}`)
  const file = await open(path, 'w')
  await rm(path)
  let asked: Promise<bigint> | null = null

  async function read(): Promise<bigint> {
    const before = await changed(file)
    const until = performance.now() + LONGEST_TICK_MS
    for (;;) {
      const now = await changed(file)
      if (now > before) return now
      if (performance.now() > until) return BigInt(Date.now()) * 1_000_000n
      await setTimeout(1)
    }
  }

  return {
    now() {
      // One that has begun may have seen its first time before this call.
      asked ??= Promise.resolve().then(() => {
        asked = null
        return read()
      })
      return asked
    },
    close: () => file.close(),
  }
}

/** The time of a change that is made now. */
async function changed(file: FileHandle): Promise<bigint> {
  await file.utimes(1, 1)
  return (await file.stat({ bigint: true })).ctimeNs
}
