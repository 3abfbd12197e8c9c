import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { resolveFiles } from '../../src/main/datasets/resolve.ts'
import { type DatasetRoot, openDatasetRoot } from '../../src/main/datasets/root.ts'

export const never = new AbortController().signal

export interface TestRoot {
  readonly root: DatasetRoot
  /** A folder beside the root, on the same file system. */
  readonly outside: string
  /** Paths of the files that the paths of a query resolve to. */
  resolve(...paths: string[]): Promise<string[]>
}

/** A dataset root with these files (each holds one byte, unless given) and links. Gone when the test ends. */
export async function makeRoot(
  t: Test,
  files: readonly (string | Buffer)[],
  links: Readonly<Record<string, string>> = {},
): Promise<TestRoot> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'halocline-datasets-')))
  t.teardown(() => rm(folder, { recursive: true }))
  const inside = join(folder, 'root')
  const outside = join(folder, 'root-and-more')
  await mkdir(inside)
  await mkdir(outside)
  await writeFile(join(outside, 'secret.parquet'), 'x')
  for (const file of files) {
    const path = Buffer.concat([Buffer.from(`${inside}/`), Buffer.from(file)])
    await mkdir(dirname(path.toString()), { recursive: true })
    await writeFile(path, 'x')
  }
  for (const [path, target] of Object.entries(links)) await symlink(target, join(inside, path))
  const root = await openDatasetRoot(inside)
  return {
    root,
    outside,
    resolve: async (...paths) => (await resolveFiles(root, paths, never)).files.map((file) => file.path),
  }
}
