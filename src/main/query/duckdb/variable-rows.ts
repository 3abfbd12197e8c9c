import type { AttributeStructure, FileStructure, VariableStructure } from '../../../plan/source/structure.ts'
import { field } from '../../../plan/types/schema.ts'
import type { Value } from './values-columns.ts'

const TEXT = { kind: 'utf8' } as const

/** The columns of `read_netcdf_variables` and the like. Lists and attributes are JSON text. */
export const VARIABLE_FIELDS = Object.freeze([
  field('path', TEXT, false),
  field('group_path', TEXT, false),
  field('name', TEXT, false),
  field('type', TEXT, false),
  field('dimensions', TEXT, false),
  field('shape', TEXT, false),
  field('chunks', TEXT),
  field('filters', TEXT, false),
  field('units', TEXT),
  field('long_name', TEXT),
  field('standard_name', TEXT),
  field('attributes', TEXT, false),
  field('is_in_grid', { kind: 'bool' }, false),
  field('column_name', TEXT),
  field('column_type', TEXT),
  field('note', TEXT),
])

/** A row for each variable of a file. */
export function variableRows(path: string, { variables }: FileStructure): readonly (readonly Value[])[] {
  return variables.map((variable) => {
    const { group, name, type, dimensions, shape, chunk, attributes, column, note } = variable
    return [
      path,
      group,
      name,
      type,
      JSON.stringify(dimensions),
      JSON.stringify(shape),
      chunk && JSON.stringify(chunk),
      filtersJson(variable),
      textOf(attributes, 'units'),
      textOf(attributes, 'long_name'),
      textOf(attributes, 'standard_name'),
      `{${attributes.map((each) => `${JSON.stringify(each.name)}:${each.json}`).join()}}`,
      column !== null,
      column?.name ?? null,
      column?.type ?? null,
      note,
    ]
  })
}

function filtersJson({ filters }: VariableStructure): string {
  const each = filters.map(
    ({ name, parameters }) => `{"name":${JSON.stringify(name)},"parameters":${parameters}}`,
  )
  return `[${each.join()}]`
}

/** The text of an attribute. Null: there is none of this name, or it is no text. */
function textOf(attributes: readonly AttributeStructure[], name: string): string | null {
  const json = attributes.find((each) => each.name === name)?.json
  return json?.startsWith('"') === true ? (JSON.parse(json) as string) : null
}
