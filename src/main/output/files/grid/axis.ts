import type { GridVariable } from '../../../../plan/output/grid-plan.ts'

const WORDS: ReadonlyMap<string, GridVariable['axis']> = new Map([
  ['lat', 'latitude'],
  ['latitude', 'latitude'],
  ['lon', 'longitude'],
  ['long', 'longitude'],
  ['lng', 'longitude'],
  ['longitude', 'longitude'],
])

/** What a dimension is by a whole word of its name: `latitude`, `obs.LAT`, `gridLon`. */
export function axisOf(name: string): GridVariable['axis'] {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
  return words.map((word) => WORDS.get(word) ?? null).find((axis) => axis !== null) ?? null
}
