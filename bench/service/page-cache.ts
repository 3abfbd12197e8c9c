import { spawnSync } from 'node:child_process'
import { statSync, utimesSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Until the change is older than the clock's tick, and nobody takes the files to be in writing, milliseconds. */
const REST_MS = 50

/** Drops the pages of files from the kernel's page cache (dd's `nocache`, Linux). Whether that is possible here. */
export function dropFromPageCache(paths: readonly string[]): boolean {
  return paths.every(
    (path) => spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' }).status === 0,
  )
}

/**
 * Makes the files new ones to the service, as after a start: their time of change is part of their version, and all that it
 * keeps of files it keeps by version.
 */
export async function renew(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { atime, mtime } = statSync(path)
    utimesSync(path, atime, mtime)
  }
  await setTimeout(REST_MS)
}
