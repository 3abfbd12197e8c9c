import { type NetcdfPlan, OBS, textDimension } from '../../../../plan/output/netcdf-plan.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import { refusedName, variableNames } from './check-names.ts'
import { variableType } from './variable-type.ts'

/** The plan of a flat file. Throws `not_supported` for a name and a type that no variable can have. */
export function netcdfPlan({ fields }: Schema): NetcdfPlan {
  const names = variableNames(fields.map(({ name }) => name))
  const variables = fields.map((field, index) =>
    Object.freeze({ name: names[index] ?? field.name, ...variableType(field) }),
  )
  const dimensions = new Set(variables.flatMap(({ width }) => (width === null ? [] : [textDimension(width)])))
  for (const { name, width } of variables) {
    if (dimensions.has(name)) throw refusedName(name, 'it is that of a dimension of other columns')
    if (name === OBS && width !== null)
      throw refusedName(
        name,
        'it is that of the dimension, of which texts of fixed length are no coordinates',
      )
  }
  return Object.freeze({ kind: 'netcdf', variables: Object.freeze(variables) })
}
