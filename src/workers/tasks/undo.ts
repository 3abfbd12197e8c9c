import type { UndoneAnswer, UndoTask } from '../../plan/task/task.ts'
import type { FilterLibrary } from '../formats/filter-library.ts'

/** Undoes a filter of a chunk that another thread reads. */
export async function undo({ filtered }: UndoTask, library: FilterLibrary | null): Promise<UndoneAnswer> {
  if (library === null) throw new TypeError(`nothing undoes filter ${filtered.filter.id}`)
  return { kind: 'undone', bytes: await library(filtered) }
}
