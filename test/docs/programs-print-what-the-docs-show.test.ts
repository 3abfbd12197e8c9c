import { execFile, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startSampleService } from '../service/sample-service.ts'
import { PYTHON, skipWithout } from '../support/python.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A program, and what it prints. */
const PAIR = /^```(sh|js|python|r)\n((?:(?!```).*\n)*)```\n\n```(?:csv|text|json)\n((?:(?!```).*\n)*)```$/gm

const COMMANDS = {
  sh: (program: string) => ['sh', ['-c', program]] as const,
  js: (program: string) => [process.execPath, ['--input-type=module', '-e', program]] as const,
  r: (program: string) => ['Rscript', ['-e', program]] as const,
  python: (program: string) => [PYTHON, ['-c', program]] as const,
}

/** Nobody promises R. It is not installed for the tests. */
const hasR = spawnSync('Rscript', ['--version']).status === 0

const { address } = await startSampleService(t)

for (const page of globSync('docs/**/*.md', { cwd: ROOT })) {
  const programs = [...readFileSync(join(ROOT, page), 'utf8').matchAll(PAIR)]
  if (programs.length === 0) continue
  t.test(page, async (t) => {
    for (const [, language = 'sh', text = '', shown = ''] of programs) {
      const [command, args] = COMMANDS[language as keyof typeof COMMANDS](
        text.replaceAll('http://localhost:5001', address),
      )
      const [name = ''] = text.split('\n').filter((line) => !/^(?:import .*)?$/.test(line))
      t.test(name, { skip: whyNot(language, text) }, async (t) => {
        const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: ROOT })
        t.equal(stdout.trimEnd(), shown.trimEnd(), stderr)
      })
    }
  })
}

/** Why a program is not run here. False: it is. */
function whyNot(language: string, program: string): string | false {
  if (language === 'r') return !hasR && 'there is no R here'
  return language === 'python' && skipWithout(modulesOf(program).join(', '))
}

/** The modules of PyPI that a program needs. Each of the docs needs one at least. */
function modulesOf(program: string): readonly string[] {
  const imported = [...program.matchAll(/^import (pyarrow|polars|duckdb|xarray|geopandas)\b/gm)].map(
    ([, name = '']) => name,
  )
  // Imported by pyarrow.
  return program.includes('to_pandas') ? [...imported, 'pandas'] : imported
}
