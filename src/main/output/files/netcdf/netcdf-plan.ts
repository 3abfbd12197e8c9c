import { type NetcdfPlan, OBS, textDimension } from '../../../../plan/output/netcdf-plan.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import { attributePlans, attributesOfField, splitFields, withoutPlanned } from './attributes.ts'
import { refusedName, variableNames } from './check-names.ts'
import type { NetcdfOptions } from './netcdf-options.ts'
import { variableType } from './variable-type.ts'

/** The plan of a flat file. Throws `not_supported` for a name and a type that no variable can have. */
export function netcdfPlan({ fields }: Schema, { compression }: NetcdfOptions): NetcdfPlan {
  const split = splitFields(fields)
  const names = variableNames(split.variables.map(({ field }) => field.name))
  const variables = split.variables.map(({ column, field }, index) => {
    const stored = variableType(field)
    const attributes = attributesOfField(field, stored.attributes, split.isDescribed(field))
    return Object.freeze({ ...stored, column, name: names[index] ?? field.name, attributes })
  })
  const dimensions = new Set(variables.flatMap(({ width }) => (width === null ? [] : [textDimension(width)])))
  for (const { name, width } of variables) {
    if (dimensions.has(name)) throw refusedName(name, 'it is that of a dimension of other columns')
    if (name === OBS && width !== null)
      throw refusedName(
        name,
        'it is that of the dimension, of which texts of fixed length are no coordinates',
      )
  }
  const attributes = attributePlans(split.attributes, fields, variables)
  return Object.freeze({
    kind: 'netcdf',
    variables: withoutPlanned(variables, attributes),
    attributes,
    compression,
  })
}
