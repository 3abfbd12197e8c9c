import type { Column } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'

/** The columns that `work` adds to its argument. If it throws, those that it has added are freed. */
export function collect(core: Core, work: (columns: Column[]) => void): Column[] {
  const columns: Column[] = []
  try {
    work(columns)
    return columns
  } catch (error) {
    for (const column of columns) core.free(column)
    throw error
  }
}

/** One column of the rows of all, in their order. It takes over the columns: they are freed, or a single one is returned. */
export function join(core: Core, columns: readonly Column[]): Column {
  const [only] = columns
  if (columns.length === 1 && only !== undefined) return only
  try {
    return core.concat(columns)
  } finally {
    for (const column of columns) core.free(column)
  }
}
