import type {
  AttributeStructure,
  GroupStructure,
  StoredDimension,
} from '../../../../plan/source/structure.ts'
import type { Attribute } from '../array-file.ts'
import { attributeStructure } from './attribute-structure.ts'
import type { FoundVariable, StoredStructure } from './stored-structure.ts'

/** Lists what is in a file, up to limits. Beyond them things are counted. */
export interface StructureBuilder {
  group(path: string, attributes: Iterable<Attribute | AttributeStructure>): void
  dimension(dimension: StoredDimension): void
  variable(
    variable: Omit<FoundVariable, 'attributes'>,
    attributes: Iterable<Attribute | AttributeStructure>,
  ): void
  finish(): StoredStructure
}

/** The most characters, approximately, of all variables, dimensions and groups, and of all attributes. */
const MOST_CHARACTERS = 4 << 20

/** What a thing takes besides its names. */
const ITEM_CHARACTERS = 64

export function createStructureBuilder(mostCharacters = MOST_CHARACTERS): StructureBuilder {
  const groups: GroupStructure[] = []
  const dimensions: StoredDimension[] = []
  const variables: FoundVariable[] = []
  const leftOut = { groups: 0, dimensions: 0, variables: 0, attributes: 0 }
  let remaining = mostCharacters
  let leftForAttributes = mostCharacters

  /** Whether there is room for a thing of so many characters. If not, it is counted. */
  function hasRoom(kind: 'groups' | 'dimensions' | 'variables', characters: number): boolean {
    remaining -= ITEM_CHARACTERS + characters
    if (remaining >= 0) return true
    leftOut[kind]++
    return false
  }

  /** Of equal names the last attribute counts. */
  function list(attributes: Iterable<Attribute | AttributeStructure>): readonly AttributeStructure[] {
    const shown = new Map<string, AttributeStructure>()
    for (const attribute of attributes) {
      const each =
        leftForAttributes < 0 ? null : 'json' in attribute ? attribute : attributeStructure(attribute)
      leftForAttributes -= ITEM_CHARACTERS + attribute.name.length + (each?.json.length ?? 0)
      if (each === null || leftForAttributes < 0) leftOut.attributes++
      else shown.set(each.name, each)
    }
    return [...shown.values()]
  }

  return {
    group(path, attributes) {
      if (hasRoom('groups', path.length)) groups.push({ path, attributes: list(attributes) })
    },
    dimension(dimension) {
      if (hasRoom('dimensions', dimension.name.length + dimension.group.length)) dimensions.push(dimension)
    },
    variable(variable, attributes) {
      const { group, name, type, dimensions: variableDimensions, filters } = variable
      const texts = [
        group,
        name,
        type,
        ...variableDimensions,
        ...filters.map(({ name, parameters }) => name + parameters),
      ]
      if (
        hasRoom(
          'variables',
          texts.reduce((sum, { length }) => sum + length, 0) + 8 * variableDimensions.length,
        )
      )
        variables.push({ ...variable, attributes: list(attributes) })
    },
    finish: () => ({ groups, dimensions, variables, leftOut }),
  }
}
