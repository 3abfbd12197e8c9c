import type { ArrayFile, Attribute, StoredArray } from '../arrays/array-file.ts'
import { elementName } from '../arrays/structure/element-name.ts'
import type { StoredStructure } from '../arrays/structure/stored-structure.ts'
import { createStructureBuilder } from '../arrays/structure/structure-builder.ts'
import { dimensionsOf } from './coordinates.ts'
import { compressionName } from './data/compressions.ts'
import { type Image, UNCOMPRESSED } from './metadata/image.ts'

/** What the first image of a file holds: its bands, and the coordinates that its tags say. */
export function structureOf({ arrays, attributes }: ArrayFile, image: Image): StoredStructure {
  const builder = createStructureBuilder()
  builder.group('/', attributes)
  for (const { name, size } of dimensionsOf(image))
    builder.dimension({ group: '/', name, size, isUnlimited: false })
  for (const array of arrays) builder.variable(variableOf(array, image), attributesOf(array))
  return builder.finish()
}

function variableOf(array: StoredArray, { compression, predictor }: Image) {
  const { name, element, dimensions, chunk } = array
  const filters = [
    ...(compression === UNCOMPRESSED ? [] : [{ name: compressionName(compression), parameters: '[]' }]),
    ...(predictor === 1 ? [] : [{ name: 'predictor', parameters: `[${predictor}]` }]),
  ]
  return {
    group: '/',
    name,
    type: elementName(element),
    dimensions: dimensions.map((each) => each.name),
    shape: dimensions.map((each) => each.size),
    chunk,
    shard: null,
    filters: array.storedBytes === 0 ? [] : filters,
    note: null,
    array: { group: '/', name },
  }
}

function attributesOf({ attributes, meaning = [] }: StoredArray): readonly Attribute[] {
  return [...attributes, ...meaning]
}
