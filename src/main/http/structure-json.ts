import type {
  AttributeStructure,
  DimensionStructure,
  FileStructure,
  VariableStructure,
} from '../../plan/source/structure.ts'

/** The structure of a file as JSON text (docs/reference/http.md). Values of attributes are JSON text already. */
export function structureToJson(path: string, format: string, structure: FileStructure): string {
  const { groups, dimensions, variables, grids, leftOut } = structure
  return objectOf([
    ['file', JSON.stringify(path)],
    ['format', JSON.stringify(format)],
    ['grids', JSON.stringify(grids)],
    ['dimensions', listOf(dimensions, dimensionToJson)],
    [
      'groups',
      listOf(groups, ({ path, attributes }) =>
        objectOf([
          ['path', JSON.stringify(path)],
          ['attributes', attributesToJson(attributes)],
        ]),
      ),
    ],
    ['variables', listOf(variables, variableToJson)],
    ['left_out', JSON.stringify(leftOut)],
  ])
}

function dimensionToJson({ group, name, size, isUnlimited, isInGrid }: DimensionStructure): string {
  return JSON.stringify({ group, name, size, is_unlimited: isUnlimited, is_in_grid: isInGrid })
}

function variableToJson(variable: VariableStructure): string {
  const { group, name, type, dimensions, shape, chunk, shard, filters, attributes, column, note } = variable
  return objectOf([
    ['group', JSON.stringify(group)],
    ['name', JSON.stringify(name)],
    ['type', JSON.stringify(type)],
    ['dimensions', JSON.stringify(dimensions)],
    ['shape', JSON.stringify(shape)],
    ['chunks', JSON.stringify(chunk)],
    ['shards', JSON.stringify(shard)],
    [
      'filters',
      listOf(filters, (each) =>
        objectOf([
          ['name', JSON.stringify(each.name)],
          ['parameters', each.parameters],
        ]),
      ),
    ],
    ['attributes', attributesToJson(attributes)],
    ['is_in_grid', String(column !== null)],
    ['column', JSON.stringify(column?.name ?? null)],
    ['column_type', JSON.stringify(column?.type ?? null)],
    ['note', JSON.stringify(note)],
  ])
}

function attributesToJson(attributes: readonly AttributeStructure[]): string {
  let json = ''
  for (const { name, type, json: value, cutFrom } of attributes) {
    const cut = cutFrom === undefined ? '' : `,"cut_from":${cutFrom}`
    json += `${json === '' ? '' : ','}${JSON.stringify(name)}:{"type":${JSON.stringify(type)},"value":${value}${cut}}`
  }
  return `{${json}}`
}

function objectOf(members: readonly (readonly [name: string, json: string])[]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`
}

function listOf<T>(items: readonly T[], json: (item: T) => string): string {
  return `[${items.map(json).join()}]`
}
