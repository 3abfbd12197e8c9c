import { setTimeout } from 'node:timers/promises'
import { isServiceError } from '../../../plan/errors.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { CLOCK_TICK_MS } from '../../../plan/source/version.ts'
import type { Part } from '../../../plan/task/part.ts'
import type { PreparedQuery } from './prepare.ts'

/** How often rows are begun: objects that are written to all the time are an error, as files are. */
const MOST_BEGINNINGS = 5

/** Whether a query reads datasets that are folders. */
export function readsFolders(prepared: PreparedQuery): boolean {
  const isFolder = ({ folder }: FileRef): boolean => folder !== undefined
  if ('lease' in prepared) return prepared.scans.some(({ files }) => files.some(isFolder))
  return prepared.plan.files.some(isFolder)
}

/**
 * The rows of a query over folders. An object that was written to just when it was planned may have been so before or
 * after. If no row has left yet, the same is planned for a later moment, of which that can be told. `prepareAgain` prepares
 * what cannot be begun twice.
 */
export async function* begunAgain(
  prepared: PreparedQuery,
  prepareAgain: (prepared: PreparedQuery) => Promise<PreparedQuery>,
  rowsOf: (prepared: PreparedQuery, beginning: number) => AsyncGenerator<Part, void, undefined>,
): AsyncGenerator<Part, void, undefined> {
  let planned = prepared
  for (let beginning = 1; ; beginning++) {
    let hasLeft = false
    try {
      for await (const part of rowsOf(planned, beginning)) {
        hasLeft = true
        yield part
      }
      return
    } catch (error) {
      const isInWriting = isServiceError(error) && error.code === 'file_in_writing'
      if (!isInWriting || hasLeft || beginning === MOST_BEGINNINGS) throw error
    }
    await setTimeout(CLOCK_TICK_MS)
    planned = plannedNow(await prepareAgain(planned))
  }
}

/** The same with files as they are now: workers check that their documents still are what they were. */
function plannedNow(prepared: PreparedQuery): PreparedQuery {
  const plannedAt = Date.now()
  const later = (files: readonly FileRef[]): readonly FileRef[] =>
    files.map((file) =>
      file.folder === undefined ? file : { ...file, folder: { ...file.folder, plannedAt } },
    )
  if ('lease' in prepared)
    return { ...prepared, scans: prepared.scans.map((open) => ({ ...open, files: later(open.files) })) }
  const { plan, reduced } = prepared
  return {
    ...prepared,
    plan: { ...plan, files: later(plan.files) },
    reduced: { ...reduced, files: later(reduced.files) },
  }
}
