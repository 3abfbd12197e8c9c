import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Where an earlier run of `.ci/run` has installed the packages. */
const CACHED = join(
  process.env['HALOCLINE_CACHE'] ?? join(homedir(), '.cache/halocline'),
  'python/bin/python',
)

/** A Python with the packages that CI installs. CI names one. */
export const PYTHON = process.env['HALOCLINE_PYTHON'] ?? (existsSync(CACHED) ? CACHED : 'python3')

/** Where nobody promised a Python with the packages, tests do without it. */
const mayBeWithout = process.env['CI'] === undefined && process.env['HALOCLINE_PYTHON'] === undefined

/** Why a test that needs a module of Python (or several: `'pyarrow, duckdb'`) is skipped here. False: it is not. */
export function skipWithout(module: string): string | false {
  if (!mayBeWithout || spawnSync(PYTHON, ['-c', `import ${module}`]).status === 0) return false
  return `${PYTHON} has no ${module} here`
}

/**
 * What a program in Python prints. Its arguments are `sys.argv[1:]`. Throws if it fails, with what it has written to
 * standard error.
 */
export async function runPython(program: string, args: readonly string[] = []): Promise<string> {
  const { stdout } = await promisify(execFile)(PYTHON, ['-c', program, ...args], { maxBuffer: 1 << 28 })
  return stdout
}
