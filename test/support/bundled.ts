import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '../..')

const WORKER = new URL('../../src/workers/worker.ts', import.meta.url)

/** Where `npm test` has bundled the modules of threads, and of some programs. Absent: a file that runs alone takes the modules themselves. */
const FOLDER = process.env['BUNDLED_WORKERS']

/** The same module in a bundle, which loads in a quarter of the time, if there is one. */
export function bundled(entry: URL = WORKER): URL {
  if (FOLDER === undefined) return entry
  const path = join(FOLDER, relative(ROOT, fileURLToPath(entry)).replace(/\.ts$/, '.js'))
  return existsSync(path) ? pathToFileURL(path) : entry
}
