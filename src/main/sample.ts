import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ServiceError } from '../plan/errors.ts'

const SCRIPT = fileURLToPath(new URL('../sample/make-sample.ts', import.meta.url))

/**
 * Makes a dataset root with sample observations, unless the folder exists. The files are written into another folder, which is
 * renamed at the end, so that a crash leaves no partial sample. A child process writes them, because the main thread loads no
 * format readers and writers. Resolves to whether a sample was made. Rejects with `internal`.
 */
export async function ensureSample(datasetsDir: string): Promise<boolean> {
  if (existsSync(datasetsDir)) return false
  const unfinished = `${datasetsDir}.partial`
  try {
    mkdirSync(dirname(datasetsDir), { recursive: true })
    rmSync(unfinished, { recursive: true, force: true })
    await promisify(execFile)(process.execPath, [SCRIPT, unfinished])
    renameSync(unfinished, datasetsDir)
    return true
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true })
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ServiceError('internal', `cannot make the sample data in ${datasetsDir}: ${reason}`, { cause })
  }
}
