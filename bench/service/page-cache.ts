import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
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

/** Reads files, or those of folders, so that they are in the page cache. */
export function readIntoPageCache(paths: readonly string[]): void {
  for (const path of paths) {
    const files = statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path]
    for (const file of files) {
      const descriptor = openSync(file, 'r')
      while (readSync(descriptor, memory, 0, memory.length, null) > 0);
      closeSync(descriptor)
    }
  }
}

const memory = Buffer.allocUnsafe(1 << 20)
