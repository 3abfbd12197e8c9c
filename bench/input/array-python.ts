import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PYTHON } from './python.ts'

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt')

/** An environment of the benchmark's own. */
const ENVIRONMENT = join(import.meta.dirname, '../data/python')

let interpreter: string | null = null

/**
 * The Python that writes files of arrays, and reads them as a native peer: that of `HALOCLINE_ARRAY_PYTHON`, or else one of the benchmark's
 * own, into which pip installs what requirements.txt says unless an earlier run has. Where that fails, `PYTHON`, which may lack some
 * libraries.
 */
export function arrayPython(): string {
  interpreter ??= process.env['HALOCLINE_ARRAY_PYTHON'] ?? ownPython() ?? PYTHON
  return interpreter
}

function ownPython(): string | null {
  const python = join(ENVIRONMENT, 'bin/python')
  const installed = join(ENVIRONMENT, 'requirements.txt')
  const wanted = readFileSync(REQUIREMENTS, 'utf8')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return python
  rmSync(ENVIRONMENT, { recursive: true, force: true })
  const steps = [
    () => run(PYTHON, ['-m', 'venv', ENVIRONMENT]),
    () => run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', REQUIREMENTS]),
  ]
  for (const step of steps) {
    const { status, error, stderr } = step()
    if (status === 0) continue
    console.error(`No environment for Python could be made, so ${PYTHON} is used: ${error ?? stderr}`)
    return null
  }
  writeFileSync(installed, wanted)
  return python
}

function run(command: string, args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(command, args, { encoding: 'utf8' })
}
