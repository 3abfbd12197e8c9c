import { spawnSync } from 'node:child_process'

/** A Python with the packages that CI installs. CI names one. */
export const PYTHON = process.env['HALOCLINE_PYTHON'] ?? 'python3'

/** Where nobody promised a Python with the packages, tests do without it. */
const mayBeWithout = process.env['CI'] === undefined && process.env['HALOCLINE_PYTHON'] === undefined

/** Why a test that needs a module of Python is skipped here. False: it is not. */
export function skipWithout(module: string): string | false {
  if (!mayBeWithout || spawnSync(PYTHON, ['-c', `import ${module}`]).status === 0) return false
  return `${PYTHON} has no ${module} here`
}
