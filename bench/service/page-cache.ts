import { spawnSync } from 'node:child_process'
import { statSync, utimesSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Milliseconds after which a changed file counts as settled: the change is older than a tick of the clock. */
const REST_MS = 50

/** Drops the pages of files from the kernel's page cache, by `nocache` of dd on Linux. Whether that is possible here. */
export function dropFromPageCache(paths: readonly string[]): boolean {
  return paths.every(
    (path) => spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' }).status === 0,
  )
}

/** Makes files new to the service: their time of change is part of their version, by which the service caches them. */
export async function renew(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { atime, mtime } = statSync(path)
    utimesSync(path, atime, mtime)
  }
  await setTimeout(REST_MS)
}
