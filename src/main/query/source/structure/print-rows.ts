import type { FileStructure } from '../../../../plan/source/structure.ts'

/** The most names that are printed, and about the most characters. */
const MOST_NAMES = 64
const MOST_CHARACTERS = 4000

/**
 * The dimensions of a file's rows, as `(time, lat, lon)`, those of several groups of a Zarr store with `; ` between them, and the names of
 * the variables that are in no row. Without such variables there is no `left_out`.
 */
export function printRows({ grids, variables }: FileStructure): Readonly<Record<string, string>> {
  const tables = new Set(grids.map(({ group }) => group))
  const dimensions = [...new Set(grids.map((grid) => `(${grid.dimensions.join(', ')})`))]
  const leftOut = variables.filter(({ column, group }) => column === null && tables.has(group))
  return {
    dimensions: printNames(dimensions, '; '),
    ...(leftOut.length > 0 && { left_out: printNames(leftOut.map(({ name }) => JSON.stringify(name))) }),
  }
}

function printNames(names: readonly string[], between = ', '): string {
  const printed: string[] = []
  let characters = 0
  for (const name of names.slice(0, MOST_NAMES)) {
    characters += name.length
    if (characters > MOST_CHARACTERS && printed.length > 0) break
    printed.push(name)
  }
  const rest = names.length - printed.length
  return printed.join(between) + (rest > 0 ? ` and ${rest} more` : '')
}
