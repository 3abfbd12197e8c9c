import type { Column } from '../../wasm/column.ts'
import type { Core } from '../../wasm/core.ts'

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
