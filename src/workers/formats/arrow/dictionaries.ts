import { fault } from '../fault.ts'
import type { StoredBatch, StoredDictionary } from './message.ts'

/** The dictionaries of a file. The values of one are those of its batches, one after the other. */
export interface Dictionaries {
  /** The batches of the dictionary that the record batch of index `position` refers to. Empty: there is no such dictionary. */
  of(id: bigint, position: number): readonly StoredBatch[]
  /** Whether different record batches refer to different dictionaries of this id. */
  isReplaced(id: bigint): boolean
}

/** A dictionary, which is valid from record batch `position` on until the next one of the same id. */
interface Epoch {
  readonly position: number
  readonly batches: StoredBatch[]
}

/**
 * Assigns dictionary batches to record batches. A delta leaves the indices of earlier values as they are, so all record batches
 * of an epoch can share its final values. The first epoch begins with the file: record batches before the first dictionary
 * hold only nulls.
 */
export function createDictionaries(stored: readonly StoredDictionary[]): Dictionaries {
  const epochs = new Map<bigint, Epoch[]>()
  for (const { id, isDelta, batch, position } of stored) {
    const dictionaryEpochs = epochs.get(id)
    if (!isDelta) {
      if (dictionaryEpochs === undefined) epochs.set(id, [{ position: 0, batches: [batch] }])
      else dictionaryEpochs.push({ position, batches: [batch] })
    } else if (dictionaryEpochs === undefined)
      throw fault(`more values for dictionary ${id}, which there is not`)
    else dictionaryEpochs.at(-1)?.batches.push(batch)
  }
  return {
    of: (id, position) => epochs.get(id)?.findLast((epoch) => epoch.position <= position)?.batches ?? [],
    isReplaced: (id) => (epochs.get(id)?.length ?? 0) > 1,
  }
}
