import { fault, type StoredBatch, type StoredDictionary } from './message.ts'

/** The dictionaries of a file, each of them one or more batches of values. */
export interface Dictionaries {
  /** The batches whose values, one after the other, record batch `position` refers to; none if there are none yet. */
  of(id: bigint, position: number): readonly StoredBatch[]
}

/** The values that hold from a record batch on, until another dictionary takes the place. */
interface Epoch {
  readonly position: number
  readonly batches: StoredBatch[]
}

/**
 * What a delta adds does not change what is there already, so all record batches of an epoch share its final values.
 */
export function createDictionaries(stored: readonly StoredDictionary[]): Dictionaries {
  const epochs = new Map<bigint, Epoch[]>()
  for (const { id, isDelta, batch, position } of stored) {
    const known = epochs.get(id) ?? []
    epochs.set(id, known)
    const current = known.at(-1)
    if (!isDelta) known.push({ position, batches: [batch] })
    else if (current === undefined) throw fault(`more values for dictionary ${id}, which there is not`)
    else current.batches.push(batch)
  }
  return {
    of: (id, position) => epochs.get(id)?.findLast((epoch) => epoch.position <= position)?.batches ?? [],
  }
}
