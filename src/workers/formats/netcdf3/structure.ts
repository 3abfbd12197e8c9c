import type { ArrayFile } from '../arrays/array-file.ts'
import { elementName } from '../arrays/structure/element-name.ts'
import type { StoredStructure } from '../arrays/structure/stored-structure.ts'
import { createStructureBuilder } from '../arrays/structure/structure-builder.ts'
import type { Header } from './header.ts'

/** What a classic file holds: everything lies in one group, and in no chunks. `file` has the same variables as arrays. */
export function structureOf(header: Header, { arrays, otherDimensions = [] }: ArrayFile): StoredStructure {
  const builder = createStructureBuilder()
  const byName = new Map(arrays.map((array) => [array.name, array]))
  const sizes = new Map(
    [...otherDimensions, ...arrays.flatMap((array) => array.dimensions)].map(({ name, size }) => [
      name,
      size,
    ]),
  )
  builder.group('/', header.attributes)
  for (const { name, size } of header.dimensions)
    builder.dimension({ group: '/', name, size: sizes.get(name) ?? size, isUnlimited: size === 0 })
  for (const { name, type, attributes } of header.variables) {
    const dimensions = byName.get(name)?.dimensions ?? []
    const variable = {
      group: '/',
      name,
      type: elementName(type.element),
      dimensions: dimensions.map((each) => each.name),
      shape: dimensions.map((each) => each.size),
      chunk: null,
      shard: null,
      filters: [],
      note: null,
      array: { group: '/', name },
    }
    builder.variable(variable, attributes)
  }
  return builder.finish()
}
