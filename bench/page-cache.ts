import { spawnSync } from 'node:child_process'

/** Drops the pages of files from the kernel's page cache (dd's `nocache`, Linux). Whether that is possible here. */
export function dropFromPageCache(paths: readonly string[]): boolean {
  return paths.every(
    (path) => spawnSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' }).status === 0,
  )
}
