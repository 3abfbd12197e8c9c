import { ServiceError } from '../../../plan/errors.ts'

/** Bytes that all queries together may hold of groups and rows that are to be merged. */
export interface Budget {
  /** One query's part of it, nothing so far. */
  open(): Holding
}

export interface Holding {
  /** Says how many bytes the query holds now. Throws `overloaded` when that is more than the others leave. */
  set(bytes: number): void
  /** The query has ended, and holds nothing any more. */
  close(): void
}

export function createBudget(maximumBytes: number): Budget {
  let total = 0
  return {
    open() {
      let held = 0
      let isOpen = true
      const set = (bytes: number): void => {
        if (!isOpen) return
        if (bytes > held && total - held + bytes > maximumBytes)
          throw new ServiceError(
            'overloaded',
            'The queries that run now hold as many groups and sorted rows as there may be; try again in a moment.',
          )
        total += bytes - held
        held = bytes
      }
      return {
        set,
        close() {
          set(0)
          isOpen = false
        },
      }
    },
  }
}
