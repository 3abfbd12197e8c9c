import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'

const SCRIPT = join(import.meta.dirname, '../../scripts/summarize-tests.ts')

const GOOD = `# Subtest: good.test.ts
    # Subtest: two
        ok 1 - should be equal
        ok 2 - should be equal # SKIP no Python
        1..2
    ok 1 - two # time=2ms

    1..1
ok 1 - good.test.ts # time=21ms
`

/** What `bad.test.ts` writes. */
const BAD = `# Subtest: two
    not ok 1 - should be equal
      ---
      diff: |
        --- expected
        +++ actual
        ok 7 - of a text
      ...

    1..1
not ok 1 - two # time=2ms

1..1
`

const STREAM = `TAP version 14
${GOOD}
# Subtest: bad.test.ts
${BAD.replace(/^(?=.)/gm, '    ')}
not ok 2 - bad.test.ts # time=86ms
  ---
  exitCode: 1
  signal: null
  ...
`

/** The lines of a summary, and the code of the script. */
function summarize(
  t: Test,
  stream: string,
  {
    status = 1,
    errors = '',
    results = {},
  }: { status?: number; errors?: string; results?: Record<string, string> } = {},
): { code: number | null; lines: string[] } {
  const cwd = t.testdir({
    'package.json': JSON.stringify({ tap: { include: ['*.test.ts'] } }),
    'good.test.ts': '',
    'bad.test.ts': '',
    '.tap': { 'test-results': results },
    stream,
    errors,
  })
  const run = spawnSync(process.execPath, [SCRIPT, 'stream', 'errors', String(status)], {
    cwd,
    encoding: 'utf8',
  })
  t.equal(run.stderr, '')
  return { code: run.status, lines: run.stdout.trimEnd().split('\n') }
}

t.test('a run in which all passed has one line', async (t) => {
  const stream = GOOD + GOOD.replaceAll('good', 'bad').replace('ok 1 - bad', 'ok 2 - bad')
  t.same(summarize(t, stream, { status: 0 }), { code: 0, lines: ['2 passed, 0 failed'] })
})

t.test(
  'the test files that failed come last, with their first assertions, where the end is seen',
  async (t) => {
    t.same(summarize(t, STREAM, { errors: 'a warning\n' }), {
      code: 1,
      lines: [
        '',
        'not ok - bad.test.ts > two > should be equal',
        '  diff: |',
        '    --- expected',
        '    +++ actual',
        '    ok 7 - of a text',
        '',
        'The end of the standard error:',
        'a warning',
        '',
        'tap ended with code 1',
        'bad.test.ts: 1 failed, ended with code 1, first of all > two > should be equal',
        '1 passed, 1 failed',
      ],
    })
  },
)

t.test('a property that fails says its cause, however long its case is', async (t) => {
  const bad = BAD.replace('should be equal', `Property failed ${'x'.repeat(5000)}`).replace(
    '  diff: |',
    "  cause:\n        message: |\n          {}\n\n          '400' !== '[]'\n      diff: |",
  )
  const { lines } = summarize(
    t,
    STREAM.replace(BAD.replace(/^(?=.)/gm, '    '), bad.replace(/^(?=.)/gm, '    ')),
  )
  t.match(lines.at(-2), /first of all > two > Property failed x+\.\.\. \(cause: \{\} '400' !== '\[\]' ?\)$/)
})

t.test('a test file that was killed has failed, also if its assertions have not', async (t) => {
  const killed = GOOD.replaceAll('good', 'bad').replace('ok 1 - bad.test', 'not ok 2 - bad.test')
  const { code, lines } = summarize(t, `${GOOD}${killed}  ---\n  exitCode: null\n  signal: SIGKILL\n  ...\n`)
  t.equal(code, 1)
  t.equal(lines.at(-2), 'bad.test.ts: 0 failed, ended by SIGKILL')
  t.equal(lines.at(-1), '2 passed, 1 failed')
})

t.test('if tap is killed, what it did not tell is read from what the test file wrote', async (t) => {
  const { code, lines } = summarize(t, GOOD, { status: 137, results: { 'bad.test.ts.tap': BAD } })
  t.equal(code, 1)
  t.same(lines.slice(0, 2), ['', 'not ok - bad.test.ts > two > should be equal'])
  t.same(lines.slice(-3, -1), [
    'tap ended with code 137',
    'bad.test.ts: did not finish, first of all > two > should be equal',
  ])
  t.ok(lines.includes('The last lines of bad.test.ts:'))
  t.equal(lines.at(-1), '1 passed, 2 failed')
})

t.test('a test file without a result is a failure, in a stream that ends anywhere too', async (t) => {
  for (let length = 0; length < STREAM.length; length += 29) {
    const { code, lines } = summarize(t, STREAM.slice(0, length))
    t.equal(code, 1, `${length} characters`)
    t.match(lines.at(-1), /^\d passed, [1-9] failed$/)
  }
})

t.test('a run that broke is a failure, although all passed', async (t) => {
  const stream = GOOD + GOOD.replaceAll('good', 'bad').replace('ok 1 - bad', 'ok 2 - bad')
  t.same(summarize(t, stream, { status: 7 }), {
    code: 1,
    lines: ['', 'tap ended with code 7', '2 passed, 1 failed'],
  })
})

t.test('a summary of any number of failures is shorter than what CI shows', async (t) => {
  const assertion = (n: number) =>
    `    not ok ${n} - should be equal\n      ---\n      found:\n${'        - 1\n'.repeat(500)}      wide: ${'x'.repeat(5000)}\n      ...\n`
  const many = Array.from({ length: 50 }, (_, index) => assertion(index + 1)).join('')
  const stream = `# Subtest: bad.test.ts\n${many}    1..50\nnot ok 1 - bad.test.ts\n  ---\n  exitCode: 1\n  ...\n`
  const { lines } = summarize(t, stream, { errors: 'a warning\n'.repeat(1000) })
  t.ok(lines.length < 300, `${lines.length} lines`)
  t.match(lines.at(-2), /^bad.test.ts: 50 failed, ended with code 1/)
  t.ok(lines.includes('... and 47 more'))
  t.equal(lines.at(-1), '0 passed, 51 failed', 'one file has no result')
  t.notOk(lines.some((line) => line.length > 1010))
})
