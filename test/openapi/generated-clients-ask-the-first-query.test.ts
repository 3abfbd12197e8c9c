import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { OPENAPI_FILE } from '../../scripts/openapi-file.ts'
import { startSampleService } from '../service/sample-service.ts'
import { PYTHON, skipWithout } from '../support/python.ts'

const ROOT = join(import.meta.dirname, '../..')
const DOCUMENT = join(ROOT, OPENAPI_FILE)

const PAGE = readFileSync(join(ROOT, 'docs/guides/generated-clients.md'), 'utf8')

/** The answer to the first query, from the README. */
const [, ROWS] = /```csv\n(time,latitude[^`]*)\n```/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? []

/** Tools of the package that has what generates and compiles a client in TypeScript. */
const TOOLS = join(ROOT, 'test/clients/typescript/node_modules')

const CLIENT_CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
    allowImportingTsExtensions: true,
  },
  include: ['first-query.ts'],
}

const { address } = await startSampleService(t)

t.test('in TypeScript, by openapi-typescript', async (t) => {
  const folder = t.testdir()
  await run(folder, process.execPath, [
    join(TOOLS, 'openapi-typescript/bin/cli.js'),
    DOCUMENT,
    '--output',
    'halocline.d.ts',
  ])
  writeFileSync(join(folder, 'first-query.ts'), programOf('ts'))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CLIENT_CONFIG))
  for (const [version, compiler] of [
    ['5', join(TOOLS, 'typescript/bin/tsc')],
    ['7', join(ROOT, 'node_modules/typescript/bin/tsc')],
  ] as const)
    t.equal(await run(folder, process.execPath, [compiler, '--project', '.']), '', `TypeScript ${version}`)
  t.equal(await run(folder, process.execPath, ['first-query.ts']), `${ROWS}\n`)

  const wrong = programOf('ts').replace('column: ', 'colum: ')
  writeFileSync(join(folder, 'first-query.ts'), wrong)
  const refused = await run(folder, process.execPath, [
    join(TOOLS, 'typescript/bin/tsc'),
    '--project',
    '.',
  ]).then(
    () => 'nothing',
    ({ stdout }) => stdout,
  )
  t.match(refused, /'?colum'? does not exist|not assignable/)
})

t.test(
  'in Python, by openapi-python-client',
  { skip: skipWithout('openapi_python_client') },
  async (t: Test) => {
    const folder = t.testdir()
    await run(folder, PYTHON, [
      ...['-m', 'openapi_python_client', 'generate', '--path', DOCUMENT, '--fail-on-warning'],
      ...['--meta', 'none', '--output-path', 'halocline_client'],
    ])
    t.equal(await run(folder, PYTHON, ['-m', 'compileall', '-q', 'halocline_client']), '')
    t.equal(await run(folder, PYTHON, ['-c', EVERY_MODULE]), '')
    t.equal(await run(folder, PYTHON, ['-c', programOf('python')]), `${ROWS}\n`)
  },
)

const EVERY_MODULE = `
import importlib, pkgutil, halocline_client
for module in pkgutil.walk_packages(halocline_client.__path__, 'halocline_client.'):
    importlib.import_module(module.name)
`

/** The program of the page in a language, which asks this service. */
function programOf(language: string): string {
  const [, program] = new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``).exec(PAGE) ?? []
  if (program === undefined) throw new TypeError(`the page has no program in ${language}`)
  return program.replaceAll('http://localhost:5001', address)
}

/**
 * What a program prints that runs in a folder. Programs beside the Python are found, as in its virtual environment. The modules that tap loads
 * into each Node are left out, because the compiler of TypeScript 7 does not start with them.
 */
async function run(cwd: string, command: string, args: readonly string[]): Promise<string> {
  const PATH = `${dirname(PYTHON)}${delimiter}${process.env['PATH']}`
  const env = { ...process.env, PATH }
  // tap sets the variable again for each process, so that `env` has to take it away.
  const { stdout } = await promisify(execFile)('env', ['-u', 'NODE_OPTIONS', command, ...args], { cwd, env })
  return stdout
}
