import type { FileFormat } from '../../../plan/format/file-format.ts'
import { type FileRef, fileKey } from '../../../plan/source/file.ts'
import type { DescribedAnswer } from '../../../plan/task/task.ts'
import type { TaskOutcome } from '../../dispatch/job.ts'
import type { Ticket } from '../../dispatch/ticket.ts'

/** Has the annex describe files: once for all queries that ask for the same version of a file at the same time. */
export interface Descriptions {
  /**
   * Describes a file, or waits for the description that another query has begun; `isBegun` says which. It goes on as long as a query
   * waits for it. `isShared`: whether others may wait for it too. Rejects as `Ticket.run` does.
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

  function begin(format: FileFormat, file: FileRef, ticket: Ticket): Description {
    const { cancel, run, stop } = ticket.forOthersToo()
    const outcome = run<DescribedAnswer>({ kind: 'describe', format, file, cancel })
    return { outcome, waiting: 0, isOver: false, stop }
  }

  return {
    async of(format, file, ticket, isShared) {
      // Links may give one file several paths, and messages name that of the query.
      const key = `${format.kind}:${fileKey(file)} ${file.path}`
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
