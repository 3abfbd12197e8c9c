import { ServiceError } from '../../../../plan/errors.ts'

/** Limits the bytes of groups and rows that all queries together hold on main until they are merged. */
export interface Budget {
  /** Begins to count the bytes of a query. */
  open(): Holding
}

/** The bytes that one query holds. */
export interface Holding {
  /** Sets how many bytes the query holds now. Throws `overloaded` if all queries together would hold more than the limit. */
  set(bytes: number): void
  /** Ends the count: the query holds nothing any more. */
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
