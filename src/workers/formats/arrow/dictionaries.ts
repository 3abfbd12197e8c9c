import { fault, type StoredBatch, type StoredDictionary } from './message.ts'

/** The dictionaries of a file, each of them one or more batches of values. */
export interface Dictionaries {
  /** The batches whose values, one after the other, record batch `position` refers to; none if there are none. */
  of(id: bigint, position: number): readonly StoredBatch[]
  /** Whether record batches refer to different values under this id. */
  isReplaced(id: bigint): boolean
}

/** The values that hold from a record batch on, until another dictionary takes the place. */
interface Epoch {
  readonly position: number
  readonly batches: StoredBatch[]
}

/**
 * What a delta adds does not change what is there already, so all record batches of an epoch share its final values. The
 * first epoch reaches back to the beginning: batches before the first dictionary hold nulls alone.
 */
export function createDictionaries(stored: readonly StoredDictionary[]): Dictionaries {
  const epochs = new Map<bigint, Epoch[]>()
  for (const { id, isDelta, batch, position } of stored) {
    const known = epochs.get(id)
    if (!isDelta) {
      if (known === undefined) epochs.set(id, [{ position: 0, batches: [batch] }])
      else known.push({ position, batches: [batch] })
    } else if (known === undefined) throw fault(`more values for dictionary ${id}, which there is not`)
    else known.at(-1)?.batches.push(batch)
  }
  return {
    of: (id, position) => epochs.get(id)?.findLast((epoch) => epoch.position <= position)?.batches ?? [],
    isReplaced: (id) => (epochs.get(id)?.length ?? 0) > 1,
  }
}
