import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../plan/errors.ts'
import type { Formats } from '../../plan/format/create-formats.ts'
import { groupByFormat } from '../../plan/format/group-by-format.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { settledAt, versionOfKey } from '../../plan/source/version.ts'
import { NO_FILES, NO_FOLDER } from '../crawlers/walk/unread.ts'
import type { Ticket } from '../dispatch/ticket.ts'
import type { FileOutcome, FileRegistry, PendingFile } from '../learned/file-registry.ts'
import type { LearnedFiles } from '../learned/learned-files.ts'
import { parsePath } from '../patterns/path.ts'
import type { Survey } from '../query/source/summaries/survey.ts'
import type { Walk } from './walk/walk.ts'

/** What a run does. */
export interface RunRequest {
  /** The folder, as it was written. Empty: the dataset root. */
  readonly prefix: string
  /** Whether files are analyzed that have not changed. */
  readonly isForced: boolean
}

/** What a run has done. */
export interface StatisticsReport {
  /** Files that were not registered before. */
  readonly discovered: number
  /** Files that were, and wait again. */
  readonly requeued: number
  readonly analyzed: number
  readonly failed: number
  /** Of the whole registry. */
  readonly segments: number
  /** Files that still wait: they are being written, or could not be asked for. */
  readonly pending: number
}

export interface StatisticsRunOptions {
  readonly root: string
  readonly hidden: readonly string[]
  readonly formats: Formats
  readonly learned: Pick<LearnedFiles, 'flush'> & { readonly registry: FileRegistry }
  readonly survey: Survey
  readonly walk: Walk
  readonly log: { info(details: object, message: string): void }
}

/** Files that are analyzed before it is stored. After a crash, so many are analyzed again. */
const BATCH_FILES = 1024

/** The most milliseconds that a batch waits for files that are being written. */
const SETTLE_MS = 1000

/** The most failures of a run that the log has one by one. */
const LOGGED_FAILURES = 20

/**
 * Walks through a folder, and analyzes the files that are new or have changed. Rejects with `invalid_path` for a folder that is none, or with
 * the reason of the signal.
 */
export async function runStatistics(
  { prefix: written, isForced }: RunRequest,
  { root, hidden, formats, learned, survey, walk, log }: StatisticsRunOptions,
  ticket: Ticket,
  signal: AbortSignal,
): Promise<StatisticsReport> {
  const { registry } = learned
  const prefix = written === '' ? '' : parsePath(written).names.join('/')
  const counts = { discovered: 0, requeued: 0, analyzed: 0, failed: 0 }
  await registry.beginRun(prefix, isForced)
  let hasMetAll = false
  for await (const step of walk({ root, hidden, prefix }, signal)) {
    if (step.kind === 'files') {
      const { discovered, requeued } = await registry.register(step.files)
      counts.discovered += discovered
      counts.requeued += requeued
      continue
    }
    const none = step.unread.find(({ reason }) => reason === NO_FOLDER)
    if (none !== undefined)
      throw new ServiceError('invalid_path', `There is no folder ${JSON.stringify(written)}.`)
    hasMetAll = step.unread.every(({ reason }) => NO_FILES.has(reason))
    for (const each of step.unread) log.info({ ...each }, 'files were not met for statistics')
  }

  let after = 0
  for (;;) {
    signal.throwIfAborted()
    const pending = await registry.takePending(after, BATCH_FILES)
    const last = pending.at(-1)
    if (last === undefined) break
    after = last.id
    await untilSettled(pending, signal)
    const outcomes = await analyze(pending)
    await learned.flush()
    await registry.settle(outcomes)
  }
  return Object.freeze({ ...counts, ...(await registry.endRun(hasMetAll)) })

  async function analyze(pending: readonly PendingFile[]): Promise<readonly FileOutcome[]> {
    const outcomes: FileOutcome[] = []
    for (const [format, files] of groupByFormat(pending, ({ path }) => path, formats)) {
      const surveyed = await survey(format, files.map(fileRefOf), ticket)
      for (const [index, { id, path }] of files.entries()) {
        const each = surveyed[index]
        if (each === undefined || each.kind === 'unsettled') continue
        if (each.kind === 'learned') {
          counts.analyzed++
          const { columns, rows, bytes } = each
          outcomes.push({ id, state: 'Analyzed', columns, rows, bytes })
          continue
        }
        if (++counts.failed <= LOGGED_FAILURES)
          log.info({ file: path, reason: each.message }, 'a file could not be analyzed')
        outcomes.push({ id, state: 'Failed', columns: null, rows: null, bytes: null })
      }
    }
    return outcomes
  }
}

function fileRefOf({ path, location, version }: PendingFile): FileRef {
  return Object.freeze({ path, location, version: versionOfKey(version) })
}

/** Waits a moment for files that have just been written: what is read of them before may not be kept. */
async function untilSettled(pending: readonly PendingFile[], signal: AbortSignal): Promise<void> {
  const times = pending.map(({ version }) => settledAt(versionOfKey(version)) - Date.now())
  const ms = Math.max(0, ...times.filter((each) => each <= SETTLE_MS))
  if (ms > 0) await sleep(Math.ceil(ms), undefined, { signal, ref: false })
}
