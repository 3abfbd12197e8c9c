import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ServiceError } from '../plan/errors.ts'

const SCRIPT = fileURLToPath(new URL('../sample/make-sample.ts', import.meta.url))

/**
 * Makes a dataset root with sample observations where there is none, and leaves one that exists alone. The files are
 * written beside it and the folder renamed at the end, so that a crash leaves no half of a sample. In a process of its
 * own, because this thread loads no readers or writers. Resolves to whether a sample was made; throws `internal`.
 */
export async function ensureSample(datasetsDir: string): Promise<boolean> {
  if (existsSync(datasetsDir)) return false
  const partial = `${datasetsDir}.partial`
  try {
    mkdirSync(dirname(datasetsDir), { recursive: true })
    rmSync(partial, { recursive: true, force: true })
    await promisify(execFile)(process.execPath, [SCRIPT, partial])
    renameSync(partial, datasetsDir)
    return true
  } catch (cause) {
    rmSync(partial, { recursive: true, force: true })
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ServiceError('internal', `cannot make the sample data in ${datasetsDir}: ${reason}`, { cause })
  }
}
