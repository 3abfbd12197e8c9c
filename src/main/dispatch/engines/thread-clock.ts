import { closeSync, openSync, readSync } from 'node:fs'

/** Tells how long a thread of this process has used a CPU. Where the system does not tell, its clock is that of the wall. */
export interface ThreadClock {
  /** Milliseconds from an arbitrary time on. Once it is closed, always the last ones. */
  ms(): number
  close(): void
}

export const WALL_CLOCK: ThreadClock = Object.freeze({ ms: () => performance.now(), close() {} })

/** Opens the clock of a thread, by its number in Linux. Null: the number is not known. */
export function openThreadClock(threadId: number | null): ThreadClock {
  if (threadId === null) return WALL_CLOCK
  try {
    const clock = clockOf(openSync(`/proc/self/task/${threadId}/schedstat`, 'r'))
    // A kernel that does not count the time says 0, which no thread has that has done anything.
    if (clock.ms() > 0) return clock
    clock.close()
    return WALL_CLOCK
  } catch {
    return WALL_CLOCK
  }
}

function clockOf(fd: number): ThreadClock {
  const buffer = Buffer.alloc(64)
  let last = 0
  let isOpen = true
  return {
    ms() {
      // The number of a closed descriptor may be that of another file by now.
      if (!isOpen) return last
      // The first number is the time on a CPU in nanoseconds. A thread that is gone cannot be read.
      try {
        last =
          Number(buffer.toString('latin1', 0, readSync(fd, buffer, 0, buffer.length, 0)).split(' ')[0]) / 1e6
      } catch {}
      return last
    },
    close() {
      if (isOpen) closeSync(fd)
      isOpen = false
    },
  }
}
