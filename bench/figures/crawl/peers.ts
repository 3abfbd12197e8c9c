import { lstatSync, readdirSync } from 'node:fs'
import fastGlob from 'fast-glob'

/** Walks through a folder as fast-glob does with `stats: true`. The number of files. */
export async function globbed(root: string): Promise<number> {
  let count = 0
  for await (const _ of fastGlob.stream('**/*', { cwd: root, stats: true, followSymbolicLinks: false }))
    count++
  return count
}

/** Lists a folder and takes the stats of each file. The number of files. */
export function listed(folder: string): number {
  let count = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) count += listed(path)
    else if (lstatSync(path).isFile()) count++
  }
  return count
}
