import { type BuiltFiles, readBuiltFiles } from '../../src/main/threads/built-files.ts'

const WORKER = new URL('../../src/workers/worker.ts', import.meta.url)

/** Where `npm test` has bundled the modules of threads, and of some programs. Absent: a file that runs alone takes the modules themselves. */
const FOLDER = process.env['BUNDLED_WORKERS']

let files: BuiltFiles | null = null

/** The same module in a bundle, which loads in a quarter of the time, if there is one. */
export function bundled(entry: URL = WORKER): URL {
  if (FOLDER === undefined) return entry
  files ??= readBuiltFiles(FOLDER)
  return files.get(entry.href) ?? entry
}
