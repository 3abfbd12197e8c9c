import type { FileStructure, VariableStructure } from '../../../../plan/source/structure.ts'
import { typeName } from '../../../../plan/types/schema.ts'
import { arrangeColumns } from '../arranged.ts'
import type { Arrangement } from '../arrangement.ts'
import type { StructuredFile } from '../array-file.ts'
import { type ArrayOptions, optionsFor } from '../array-options.ts'
import type { FoundVariable } from './stored-structure.ts'

/** What a file holds, and what of it is in the table that these options make. */
export function fileStructure({ structure, tables }: StructuredFile, options: ArrayOptions): FileStructure {
  const arrangements = new Map(
    tables.map(({ group, file }) => {
      return [group, arrangeColumns(file, optionsFor(file, options))]
    }),
  )
  return {
    ...structure,
    dimensions: structure.dimensions.map((dimension) => ({
      ...dimension,
      isInGrid: tables.some(
        ({ group, hasGroups }) =>
          (hasGroups || group === dimension.group) &&
          arrangements.get(group)?.storedDimensions.includes(dimension.name) === true,
      ),
    })),
    variables: structure.variables.map((variable) => inTable(variable, arrangements)),
    grids: [...arrangements].map(([group, { dimensions }]) => ({ group, dimensions })),
  }
}

function inTable(
  { array, ...stored }: FoundVariable,
  arrangements: ReadonlyMap<string, Arrangement>,
): VariableStructure {
  const arrangement = array === null ? undefined : arrangements.get(array.group)
  if (array === null || arrangement === undefined) return { ...stored, column: null }
  const column = arrangement.columns.get(array.name)
  if (column?.kind === 'array')
    return { ...stored, column: { name: column.name, type: typeName(column.type) } }
  return { ...stored, column: null, note: stored.note ?? whyNot(stored.dimensions, arrangement) }
}

function whyNot(ownDimensions: readonly string[], { dimensions, isCounted }: Arrangement): string {
  const others = ownDimensions.filter((name) => !dimensions.includes(name))
  if (isCounted) return 'it does not lie along the observations of the rows, or tells where they are'
  if (others.length === 0) return 'it tells where the values of other variables are'
  return `the rows have the dimensions (${dimensions.join(', ')}), and not ${others.join(', ')}`
}
