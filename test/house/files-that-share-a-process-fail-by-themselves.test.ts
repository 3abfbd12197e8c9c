import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'

const SCRIPT = join(import.meta.dirname, '../../scripts/run-tests.ts')

const good = (name: string): string => `import t from 'tap'
t.test('${name}', (t) => {
  t.pass()
  t.end()
})
`

/** Runs test files, whose names tell their order. A file may take five seconds. */
function run(t: Test, files: Readonly<Record<string, string>>): { code: number | null; lines: string[] } {
  const cwd = t.testdir({
    'package.json': JSON.stringify({
      type: 'module',
      tap: { include: ['test/*.test.ts'], jobs: 2, timeout: 5 },
    }),
    test: files,
  })
  const { TAP_CHILD_ID: _, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT], { cwd, env, encoding: 'utf8' })
  return { code: status, lines: stdout.trimEnd().split('\n') }
}

t.test('files that pass are a line each', async (t) => {
  const { code, lines } = run(t, { 'a.test.ts': good('one'), 'b.test.ts': good('two') })
  t.equal(code, 0)
  t.match(lines, [
    /^ok +\d+\.\d s(?: +\d+\.\d s CPU)? {2}test\/a\.test\.ts$/,
    /^ok +\d+\.\d s(?: +\d+\.\d s CPU)? {2}test\/b\.test\.ts$/,
    '2 passed, 0 failed',
  ])
  t.equal(lines.length, 3)
})

t.test('each file has modules of tests of its own, and what it began ends with it', async (t) => {
  const helper = `import t from 'tap'
export const state = { count: 0, isOpen: true }
t.teardown(() => { state.isOpen = false })
t.afterEach(() => { state.count++ })
`
  const test = `import t from 'tap'
import { state } from './helper.ts'
t.test('one', async (t) => t.same(state, { count: 0, isOpen: true }))
t.test('two', async (t) => t.same(state, { count: 1, isOpen: true }))
`
  const { code, lines } = run(t, { 'helper.ts': helper, 'a.test.ts': test, 'b.test.ts': test })
  t.equal(code, 0)
  t.equal(lines.at(-1), '4 passed, 0 failed')
})

const FAULTS: Readonly<Record<string, { readonly source: string; readonly told: RegExp }>> = {
  'an assertion that fails': {
    source: `import t from 'tap'\nt.test('bad', async (t) => t.equal(1, 2))\n`,
    told: /^not ok - test\/b\.test\.ts > bad > should be equal$/,
  },
  'a file that throws': {
    source: `throw new Error('at once')\n`,
    told: /^not ok - test\/b\.test\.ts > at once$/,
  },
  'a file without a test': {
    source: 'export {}\n',
    told: /^test\/b\.test\.ts: /,
  },
  'a file that ends its process as if all were well': {
    source: `${good('first')}t.test('bad', async () => process.exit(0))\n`,
    told: /^test\/b\.test\.ts: /,
  },
  'a file that kills its process': {
    source: `${good('first')}t.test('bad', async () => process.kill(process.pid, 'SIGKILL'))\n`,
    told: /^test\/b\.test\.ts: did not finish$/,
  },
  'a file that waits for ever': {
    source: `${good('first')}t.test('bad', () => new Promise(() => setInterval(() => {}, 1000)))\n`,
    told: /^test\/b\.test\.ts: /,
  },
  'a file that waits for nothing': {
    source: `${good('first')}t.test('bad', () => new Promise(() => {}))\n`,
    told: /^test\/b\.test\.ts: /,
  },
  'a file that leaves a rejection behind': {
    source: `${good('first')}t.test('bad', async () => { setImmediate(() => Promise.reject(new Error('late'))) })\n`,
    told: /late/,
  },
}

for (const [name, { source, told }] of Object.entries(FAULTS))
  t.test(`${name} has failed, and the others of its process have not`, async (t) => {
    const files = { 'a.test.ts': good('one'), 'b.test.ts': source, 'c.test.ts': good('two') }
    const { code, lines } = run(t, files)
    t.equal(code, 1)
    t.ok(
      lines.some((line) => told.test(line)),
      lines.join('\n'),
    )
    t.match(lines.at(-1), /^[2-4] passed, [1-9] failed$/)
    for (const other of ['a', 'c'])
      t.ok(lines.some((line) => line.startsWith('ok') && line.endsWith(` test/${other}.test.ts`)))
  })

/** A test of a file with a server, which would keep its process running, and a folder. */
const withServer = (rest: string): string => `import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import t from 'tap'
t.test('serves', async (t) => {
  const folder = t.testdir({})
  const server = createServer().listen(0, '127.0.0.1')
  ${rest}
})
`

const CLOSES = `t.teardown(() => {
    if (!existsSync(folder)) throw new Error('too late')
    server.close()
  })`

t.test('what a test began is ended before its folder is removed', async (t) => {
  const { code, lines } = run(t, { 'a.test.ts': withServer(`${CLOSES}\n  t.pass()`) })
  t.equal(code, 0, lines.join('\n'))
})

t.test('what a test began is ended even if it fails, and if something else cannot be ended', async (t) => {
  const throws = (message: string) => `t.teardown(() => { throw new Error('${message}') })`
  const source = withServer(`${CLOSES}\n  ${throws('one')}\n  ${throws('two')}\n  t.fail('what it tests')`)
  const { code, lines } = run(t, { 'a.test.ts': source, 'b.test.ts': good('one') })
  t.equal(code, 1)
  const text = lines.join('\n')
  for (const told of [/what it tests/, /\bone\b/, /\btwo\b/]) t.match(text, told)
  t.notMatch(text, /SIGALRM|timeout|too late/)
})

t.test('what a test registers when it has ended is ended at once', async (t) => {
  const source = withServer(`setImmediate(() => setImmediate(() => { t.teardown(() => server.close()) }))`)
  const { code, lines } = run(t, {
    'a.test.ts': `${source}\n${good('other')}`.replace(/import t from 'tap'\n(?=t.test\('other)/, ''),
  })
  t.equal(code, 0, lines.join('\n'))
})

t.test('a file that leaves a server open is named', async (t) => {
  const { code, lines } = run(t, { 'a.test.ts': withServer('t.ok(server)'), 'b.test.ts': good('one') })
  t.equal(code, 1)
  t.match(lines.join('\n'), /test\/a\.test\.ts has left a server open\./)
})

/** What a file does to its process, or asks it. */
const OF_PROCESS =
  /memoryUsage|resourceUsage|setFlagsFromString|\/proc\/self|process\.(?:on|once|chdir|umask|setegid|seteuid)\(|process\.env\[[^\]]+\] =[^=]/

t.test('a file that changes or measures its process has one of its own', async (t) => {
  for (const file of globSync('test/**/*.test.ts').filter((file) => !file.includes('/house/'))) {
    const text = readFileSync(file, 'utf8')
    if (OF_PROCESS.test(text)) t.match(text, /^\/\/ In a process of its own: ./, file)
  }
})
