/**
 * Says what came of a run of tests: `summarize-tests.ts STREAM ERRORS STATUS [FILE...]`, in the folder of package.json. STREAM is a file
 * of TAP with a subtest for each test file, ERRORS one with what went to the standard error, and STATUS 0 if all processes ended well.
 * Without FILES it was a run of all tests. Prints the assertions that failed, then the end of ERRORS, then the test files that failed or did
 * not finish, and `N passed, N failed` as the last line. Ends with 1 if anything failed.
 *
 * A process of tests may be killed. So a test file without a result is a failure. What it had written until then is in
 * `.tap/test-results`.
 */
import { globSync, readFileSync } from 'node:fs'
import { Parser, type Result } from 'tap-parser'
import { stringify } from 'yaml'

/** The most lines of each part. Together they are less than the 300 that `.ci/run` shows. */
const MOST_NAMES = 60
const MOST_LINES = 180
const MOST_LINES_EACH = 60
const MOST_ERRORS = 40

/** Lines of a test file that did not finish. */
const LAST_LINES = 10

const MOST_CHARACTERS = 1000
/** Of a cause beside what failed. */
const MOST_CAUSE = 400

/** What a stream of TAP says. */
interface Outcome {
  passed: number
  /** Assertions that failed, except those that stand for a whole test file. */
  failures: Result[]
  /** The results of whole test files. */
  files: Map<string, Result>
}

/** A test file that failed. */
interface Failure {
  file: string
  reason: string
  /** A text for each assertion that failed, as lines. */
  assertions: string[][]
  /** The message of the error that made the first of them fail, if that has one beside its own. */
  cause?: string | undefined
}

const [streamPath = '', errorsPath = '', status = '', ...asked] = process.argv.slice(2)
const { tap } = JSON.parse(readFileSync('package.json', 'utf8')) as { tap: { include: string[] } }
const files = asked.length > 0 ? asked : globSync(tap.include).sort()

const outcome = readStream(readFileSync(streamPath, 'utf8'))
const failures = files.flatMap(describeFailure)
const notStarted = files.filter((file) => !outcome.files.has(file) && readResult(file) === undefined)
const failed =
  failures.reduce((sum, { assertions }) => sum + Math.max(assertions.length, 1), 0) + notStarted.length
// A run that breaks without a test file that failed is one failure.
const allFailed = status === '0' ? failed : Math.max(failed, 1)

if (allFailed > 0) {
  print(upTo(failures.flatMap(({ assertions }) => assertions)))
  const errors = readFileSync(errorsPath, 'utf8').trimEnd().split('\n').slice(-MOST_ERRORS)
  if (errors.some((line) => line !== '')) print(['', 'The end of the standard error:', ...errors])
  // At the end, which is shown even if only a part is.
  print([
    '',
    ...(notStarted.length > 0
      ? [`Without a result: ${notStarted.length} test files from ${notStarted[0]} on`]
      : []),
    `tap ended with code ${status}`,
    ...firstOf(failures.map(nameOf), MOST_NAMES, 'test files'),
  ])
}
console.log(`${outcome.passed} passed, ${allFailed} failed`)
process.exitCode = allFailed > 0 ? 1 : 0

function readStream(text: string): Outcome {
  const parser = new Parser()
  const read: Outcome = { passed: 0, failures: [], files: new Map() }
  parser.on('result', (result: Result) => {
    if (result.skip || result.todo) return
    if (result.ok) read.passed++
    // A file without assertions, or one that was killed, is one itself.
    else if (!files.includes(result.fullname)) read.failures.push(result)
  })
  parser.on('assert', (result: Result) => read.files.set(result.name, result))
  parser.end(text)
  return read
}

/** A test file that failed, and the first of its assertions that did, with its cause: a property tells its case, which may be long. */
function nameOf({ file, reason, assertions, cause }: Failure): string {
  const [, first = ''] = assertions[0] ?? []
  const title = `not ok - ${file}`
  const name = `${file}: ${reason}`
  if (!first.startsWith(title)) return name
  const why = cause === undefined ? '' : ` (cause: ${upToLength(cause.replaceAll(/\s+/g, ' '), MOST_CAUSE)})`
  return `${name}, first of all${upToLength(first.slice(title.length), MOST_CHARACTERS - MOST_CAUSE - name.length)}${why}`
}

function describeFailure(file: string): Failure[] {
  const result = outcome.files.get(file)
  if (result?.ok) return []
  if (result !== undefined) {
    const { signal, exitCode } = (result.diag ?? {}) as { signal?: string | null; exitCode?: number | null }
    const failures = outcome.failures.filter(({ fullname }) => fullname.startsWith(`${file} > `))
    const { cause } = (failures[0]?.diag ?? {}) as { cause?: { message?: string } }
    const ends = [
      ...(signal ? [`ended by ${signal}`] : []),
      ...(!signal && typeof exitCode === 'number' ? [`ended with code ${exitCode}`] : []),
    ]
    const reason = [`${failures.length} failed`, ...ends].join(', ')
    return [{ file, reason, assertions: failures.map(textOf), cause: cause?.message }]
  }
  const written = readResult(file)
  if (written === undefined) return []
  const own = readStream(written).failures.map((failure) =>
    textOf({ ...failure, fullname: `${file} > ${failure.fullname}` }),
  )
  const last = written.trimEnd().split('\n').slice(-LAST_LINES)
  const end = ['', `The last lines of ${file}:`, ...last.map((line) => `  ${line}`)]
  return [{ file, reason: 'did not finish', assertions: [...own, end] }]
}

/** What a test file has written, if it was started. */
function readResult(file: string): string | undefined {
  try {
    return readFileSync(`.tap/test-results/${file}.tap`, 'utf8')
  } catch {
    return undefined
  }
}

function textOf({ fullname, diag }: Pick<Result, 'fullname' | 'diag'>): string[] {
  const lines = diag ? stringify(diag).trimEnd().split('\n') : []
  return [
    '',
    `not ok - ${fullname}`,
    ...firstOf(lines, MOST_LINES_EACH - 3, 'lines').map((line) => `  ${line}`),
  ]
}

/** The first texts, as many as fit. */
function upTo(texts: readonly string[][]): string[] {
  const lines: string[] = []
  for (const [index, text] of texts.entries()) {
    if (lines.length + text.length > MOST_LINES) return [...lines, `... and ${texts.length - index} more`]
    lines.push(...text)
  }
  return lines
}

function firstOf(lines: readonly string[], most: number, what: string): string[] {
  const rest = lines.length - most
  return rest > 0 ? [...lines.slice(0, most), `... and ${rest} more ${what}`] : [...lines]
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(upToLength(line, MOST_CHARACTERS))
}

function upToLength(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}...` : text
}
