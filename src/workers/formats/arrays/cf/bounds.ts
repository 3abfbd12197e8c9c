import type { Attribute, StoredArray } from '../array-file.ts'
import { textOf } from '../attributes.ts'

/** What a variable says of the times of its bounds. */
const INHERITED = ['units', 'calendar'] as const

/**
 * Attributes of bounds by the names of their arrays: what they have themselves, and then `units` and `calendar` of the variable that names
 * them as its `bounds`, as CF (chapter 7) and xarray read them. Bounds that have both are left out.
 */
export function boundsAttributes(arrays: readonly StoredArray[]): ReadonlyMap<string, readonly Attribute[]> {
  const attributesByName = new Map<string, readonly Attribute[]>()
  let byName: ReadonlyMap<string, StoredArray> | null = null
  for (const variable of arrays) {
    const attributes = meaningOf(variable)
    const name = textOf(attributes, 'bounds')
    if (name === null) continue
    byName ??= new Map(arrays.map((each) => [each.name, each]))
    const bounds = byName.get(besideOf(variable.name) + name)
    if (bounds === undefined || bounds === variable || attributesByName.has(bounds.name)) continue
    const ownMeaning = meaningOf(bounds)
    const missing = INHERITED.filter((each) => !ownMeaning.some((attribute) => attribute.name === each))
    const inherited = attributes.filter((each) => missing.some((missed) => missed === each.name))
    if (inherited.length > 0) attributesByName.set(bounds.name, [...ownMeaning, ...inherited])
  }
  return attributesByName
}

/** The attributes that say what the values of an array mean. */
export function meaningOf({ meaning, attributes }: StoredArray): readonly Attribute[] {
  return meaning ?? attributes
}

/** The path of the group of an array, with its slash. */
function besideOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1)
}
