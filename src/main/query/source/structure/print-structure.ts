import { printFew } from '../../../../plan/print-few.ts'
import type { FileStructure } from '../../../../plan/source/structure.ts'

/**
 * The dimensions of a file's rows, as `(time, lat, lon)`, those of several groups of a Zarr store with `; ` between them, and the names of
 * the variables that are in no row. Without such variables there is no `left_out`.
 */
export function printRows({ grids, variables }: FileStructure): Readonly<Record<string, string>> {
  const tables = new Set(grids.map(({ group }) => group))
  const dimensions = [...new Set(grids.map((grid) => `(${grid.dimensions.join(', ')})`))]
  const leftOut = variables.filter(({ column, group }) => column === null && tables.has(group))
  return {
    dimensions: printFew(dimensions, '; '),
    ...(leftOut.length > 0 && { left_out: printFew(leftOut.map(({ name }) => JSON.stringify(name))) }),
  }
}

/** What the limits left out of a listing, as `3 variables, 70000 attributes`. Null: nothing. */
export function printLeftOut({ leftOut }: FileStructure): string | null {
  const counts = Object.entries(leftOut).filter(([, count]) => count > 0)
  return counts.length === 0 ? null : counts.map(([what, count]) => `${count} ${what}`).join(', ')
}
