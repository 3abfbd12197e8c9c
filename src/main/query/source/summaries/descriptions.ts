import { isServiceError } from '../../../../plan/errors.ts'
import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { type FileRef, fileKey } from '../../../../plan/source/file.ts'
import type { DescribedAnswer } from '../../../../plan/task/task.ts'
import type { TaskOutcome } from '../../../dispatch/job.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'

/** Has the annex describe files: once for all queries that ask for the same version of a file at the same time. */
export interface Descriptions {
  /**
   * Describes a file, or waits for the description that another query has begun; `isBegun` says which. It goes on as long as a query
   * waits for it. `isShared`: whether others may wait for it too. Rejects as `Ticket.run` does. A query that asks again for a file that
   * cannot be read, as a statement does that is bound anew, gets the same error at once.
   */
  of(
    format: FileFormat,
    file: FileRef,
    ticket: Ticket,
    isShared: boolean,
  ): Promise<TaskOutcome<DescribedAnswer> & { readonly isBegun: boolean }>
}

interface Description {
  readonly outcome: Promise<TaskOutcome<DescribedAnswer>>
  /** The queries that wait for it. */
  waiting: number
  isOver: boolean
  stop(): void
}

export function createDescriptions(): Descriptions {
  const running = new Map<string, Description>()
  /** The errors of each query for the files that it cannot read. */
  const refused = new WeakMap<Ticket, Map<string, unknown>>()

  function refuse(ticket: Ticket, key: string, error: unknown): void {
    if (!isServiceError(error) || error.code !== 'unreadable_file') return
    refused.set(ticket, (refused.get(ticket) ?? new Map<string, unknown>()).set(key, error))
  }

  function begin(format: FileFormat, file: FileRef, ticket: Ticket): Description {
    const { cancel, run, stop } = ticket.forOthersToo()
    const outcome = run<DescribedAnswer>({ kind: 'describe', format, file, cancel })
    return { outcome, waiting: 0, isOver: false, stop }
  }

  return {
    async of(format, file, ticket, isShared) {
      // Links may give one file several paths, and messages name that of the query.
      const key = `${format.kind}:${fileKey(file)} ${file.path}`
      const before = refused.get(ticket)?.get(key)
      if (before !== undefined) throw before
      const known = isShared ? running.get(key) : undefined
      const description = known ?? begin(format, file, ticket)
      const forget = (): void => {
        description.isOver = true
        if (running.get(key) === description) running.delete(key)
      }
      if (known === undefined) {
        if (isShared) running.set(key, description)
        void description.outcome.then(forget, forget)
      }
      description.waiting++
      try {
        return { ...(await ticket.waitFor(description.outcome)), isBegun: known === undefined }
      } catch (error) {
        refuse(ticket, key, error)
        throw error
      } finally {
        description.waiting--
        if (description.waiting === 0 && !description.isOver) {
          forget()
          description.stop()
        }
      }
    },
  }
}
