import type { Column } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'

/** Collects columns of the core; if `work` fails half-way, those that it had by then are freed. */
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

/** The columns, one after the other, as one; they are freed, or given back where there is one only. */
export function joined(core: Core, columns: readonly Column[]): Column {
  const [only] = columns
  if (columns.length === 1 && only !== undefined) return only
  try {
    return core.concat(columns)
  } finally {
    for (const column of columns) core.free(column)
  }
}
