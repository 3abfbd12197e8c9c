import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'

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

/** What a program in Python has done. */
interface Ended {
  readonly code: number
  readonly output: string
  readonly errors: string
}

const PROGRAMS = join(import.meta.dirname, 'forked_programs.py')

/** Runs one program after the other, each in a process of its own, until the test file ends. */
function startPrograms(): (program: string, args: readonly string[]) => Promise<Ended> {
  const child = spawn(PYTHON, [PROGRAMS], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.teardown(() => child.stdin.end())
  const waiting: PromiseWithResolvers<Ended>[] = []
  createInterface(child.stdout).on('line', (line) => waiting.shift()?.resolve(JSON.parse(line) as Ended))
  const fail = (): void => {
    for (const { reject } of waiting.splice(0)) reject(new TypeError(`${PYTHON} has ended`))
  }
  child.once('error', fail)
  child.once('close', fail)
  return (program, args) => {
    const ended = Promise.withResolvers<Ended>()
    waiting.push(ended)
    child.stdin.write(`${JSON.stringify({ program, arguments: args })}\n`)
    return ended.promise
  }
}

let programs: ReturnType<typeof startPrograms> | null = null

/**
 * What a program in Python prints. Its arguments are `sys.argv[1:]`. Throws if it fails, with what it has written to
 * standard error. Modules that programs of a test file import are loaded once: xarray alone takes a second.
 */
export async function runPython(program: string, args: readonly string[] = []): Promise<string> {
  programs ??= startPrograms()
  const { code, output, errors } = await programs(program, args)
  if (code !== 0) throw new TypeError(`the program in Python ended with ${code}: ${errors}`)
  return output
}
