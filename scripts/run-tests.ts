/**
 * Runs the tests, or some test files: `run-tests.ts [FILE...]`, in the folder of package.json. Several files share a process
 * (`test-process.ts`), as many processes at a time as `tap.jobs` says. Prints a line for each file, with how long it took and the time of CPUs in that, and then what `summarize-tests.ts` says
 * of all. Ends with 1 if anything failed. What the files wrote is in `.tap`.
 *
 * A file that changes or measures its process has it for itself, if a line of it begins with `// In a process of its own: `. A file that
 * takes longer than `tap.timeout`, or ends its process, has failed, and those that would have come after it run in another process.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { bundleModules } from './bundle-modules.ts'
import { START_FLAGS } from './start-flags.ts'

const FOLDER = '.tap'
/** What a file has written that did not finish, where `summarize-tests.ts` looks for it. */
const UNFINISHED = join(FOLDER, 'test-results')
const STREAM = join(FOLDER, 'stream')
const ERRORS = join(FOLDER, 'errors')
/** The threads of the service, workers of tests, which wrap its worker, and what tests start as a program again and again, to kill it. */
const ENTRIES = [
  'src/workers/worker.ts',
  'src/main/**/*-thread.ts',
  'test/**/{worker,worker-*}.ts',
  'test/**/dying-{server,service}.ts',
]
/** Their bundles, from which `test-process.ts` has threads started. */
const WORKERS = resolve(FOLDER, 'workers')

/**
 * The most files that share a process: what one of them has loaded and compiled takes 3 s of CPU. The last processes have fewer, so that
 * none is left alone for long.
 */
const MOST_FILES = 40
const FEWEST_FILES = 5

const OWN_PROCESS = /^\/\/ In a process of its own: /m

/** Lines of the first assertion of a file that failed. */
const FIRST_LINES = 20

/** For how long a process may load what runs tests. Milliseconds. */
const MAY_START_MS = 120_000

interface Settings {
  readonly include: readonly string[]
  readonly jobs: number
  /** Seconds. */
  readonly timeout: number
}

const { tap } = JSON.parse(readFileSync('package.json', 'utf8')) as { tap: Settings }
/** The most that a file takes. Milliseconds. */
const MOST_MS = tap.timeout * 1000

/** For how long a process may go on when all of its files have ended, and one that is to end with what it does. Milliseconds. */
const MAY_LINGER_MS = Math.min(30_000, MOST_MS)

const asked = process.argv.slice(2)
const files = asked.length > 0 ? asked : globSync(tap.include).sort()

/** The plan of a file without a test, which is none that passes. */
const NO_TESTS = '    1..0'

/** What the processes wrote: a result of each file that has ended, with its number in the whole run. */
const stream: string[] = ['TAP version 14']
const errors: string[] = []
let ended = 0
let hasFailed = false

rmSync(UNFINISHED, { recursive: true, force: true })
mkdirSync(UNFINISHED, { recursive: true })
await bundleModules(globSync(ENTRIES), WORKERS)
const waiting = planProcesses(files)
await Promise.all(Array.from({ length: tap.jobs }, work))
writeFileSync(STREAM, [...stream, `1..${ended}`, ''].join('\n'))
writeFileSync(ERRORS, errors.join('\n'))
const status = hasFailed ? '1' : '0'
const summary = [join(import.meta.dirname, 'summarize-tests.ts'), STREAM, ERRORS, status, ...asked]
process.exitCode = spawnSync(process.execPath, summary, { stdio: 'inherit' }).status ?? 1

/** The files of each process. Those that have one for themselves are first: among them are the longest ones. */
function planProcesses(files: readonly string[]): (readonly string[])[] {
  const alone = files.filter((file) => OWN_PROCESS.test(readFileSync(file, 'utf8')))
  const together = files.filter((file) => !alone.includes(file))
  const processes: (readonly string[])[] = alone.map((file) => [file])
  for (let left = together; left.length > 0; ) {
    const share = Math.ceil(left.length / (4 * tap.jobs))
    const count = Math.min(MOST_FILES, Math.max(FEWEST_FILES, share))
    processes.push(left.slice(0, count))
    left = left.slice(count)
  }
  return processes
}

/** Runs one process after the other until none is left. */
async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const left = await runProcess(next)
    if (left.length > 0) waiting.unshift(left)
  }
}

/** Runs files in one process. Gives those that it has not begun. */
async function runProcess(own: readonly string[]): Promise<readonly string[]> {
  const child = spawn(
    process.execPath,
    [...START_FLAGS, join(import.meta.dirname, 'test-process.ts'), ...own],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      // The time of each file is limited here.
      env: { ...process.env, TAP_TIMEOUT: '0', BUNDLED_WORKERS: WORKERS },
    },
  )
  const begun = new Set<string>()
  const report: string[] = []
  let [current, lines]: [string | null, string[]] = [null, []]
  let since = timesOf(child)
  let done = 0
  /** Where diagnostics go that follow: those of a file that has ended, or of an error outside of all tests. */
  let rest = errors
  let limit = stopAfter(child, MAY_START_MS)
  function restart(ms: number): void {
    since = timesOf(child)
    clearTimeout(limit)
    limit = stopAfter(child, ms)
  }
  createInterface(child.stderr).on('line', (line) => errors.push(line))
  createInterface(child.stdout).on('line', (line) => {
    const [, begins] = /^# Subtest: (.*)$/.exec(line) ?? []
    const [, result, ends] = /^((?:not )?ok) \d+ - (.*)$/.exec(line) ?? []
    if (begins !== undefined && own.includes(begins)) {
      begun.add(begins)
      ;[current, lines] = [begins, [line]]
      restart(MOST_MS)
    } else if (current !== null && ends?.startsWith(current)) {
      const isGood = result === 'ok' && !lines.includes(NO_TESTS)
      report.push(...lines, `${isGood ? 'ok' : 'not ok'} ${++ended} - ${ends}`)
      tell(current, isGood, since, timesOf(child))
      if (!isGood) tellFirstFailure(lines)
      current = null
      done++
      rest = report
      restart(done < own.length ? MOST_MS : MAY_LINGER_MS)
    } else if (result !== undefined) {
      errors.push(line)
      rest = errors
    } else if (current !== null) lines.push(line)
    else if (line.startsWith('  ')) rest.push(line)
  })
  const how = await endOf(child)
  clearTimeout(limit)
  stream.push(...report)
  if (current !== null) {
    const path = join(UNFINISHED, `${current}.tap`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, lines.map((line) => line.replace(/^ {4}/, '')).join('\n'))
    tell(current, false, since, timesOf(child))
  }
  if (how !== 0) {
    hasFailed = true
    errors.push(`The process of these files ended with ${how}: ${own.join(' ')}`)
  }
  // One that has begun none would begin none again.
  return begun.size === 0 ? [] : own.filter((file) => !begun.has(file))
}

/** Resolves with the code or the signal with which a process has ended, when all that it wrote has been read. */
async function endOf(child: ChildProcess): Promise<string | number | null> {
  const { promise, resolve } = Promise.withResolvers<string | number | null>()
  child.once('close', (code, signal) => resolve(signal ?? code))
  // A process that it has left behind may have its pipes.
  child.once('exit', (code, signal) => setTimeout(resolve, MAY_LINGER_MS, signal ?? code).unref())
  return promise
}

/** Stops a process after some time. It is asked first: tap tells what it waits for. */
function stopAfter(child: ChildProcess, ms: number): NodeJS.Timeout {
  const stop = (): void => {
    child.kill('SIGALRM')
    const kill = setTimeout(() => child.kill('SIGKILL'), MAY_LINGER_MS)
    child.once('exit', () => clearTimeout(kill))
  }
  return setTimeout(stop, ms)
}

/** When it is, and the time that CPUs have worked for a process and for those that it has waited for, if the system tells. Seconds. */
interface Times {
  readonly now: number
  readonly cpu: number
}

function timesOf({ pid }: ChildProcess): Times {
  let cpu = Number.NaN
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    // Of the process and of others, in user and in system mode. Linux counts hundredths of a second.
    const ticks = fields.split(' ').slice(11, 15)
    cpu = ticks.reduce((sum, each) => sum + Number(each), 0) / 100
  } catch {}
  return { now: performance.now() / 1000, cpu }
}

/** The first assertion that failed, at once: a run of half an hour may be stopped before its end. */
function tellFirstFailure(lines: readonly string[]): void {
  const first = lines.findIndex((line) => /^ +not ok /.test(line))
  if (first >= 0) console.log(lines.slice(first, first + FIRST_LINES).join('\n'))
}

function tell(file: string, isGood: boolean, since: Times, until: Times): void {
  if (!isGood) hasFailed = true
  const seconds = (until.now - since.now).toFixed(1)
  const cpu = until.cpu - since.cpu
  const work = Number.isNaN(cpu) ? '' : `${cpu.toFixed(1).padStart(7)} s CPU`
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${seconds.padStart(6)} s${work}  ${file}`)
}
