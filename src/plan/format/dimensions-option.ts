import type { FormatOption } from './format-row.ts'

/** The most dimensions that are given. Files have at most 1024. */
const MOST_DIMENSIONS = 1024

/** The dimensions of the rows of files of arrays. They are a set: neither their order nor a name that is given twice matters. */
export const DIMENSIONS: FormatOption = Object.freeze({
  name: 'dimensions',
  schema: {
    type: ['array', 'null'],
    items: { type: 'string' },
    examples: [['N_PROF', 'N_LEVELS']],
    description:
      'The dimensions of the rows. Variables with another dimension are left out. Without it, those that keep most variables',
  },
  default: null,
  sqlDefault: 'NULL',
  read(given: unknown, reject: (what: string) => never): readonly string[] | null {
    if (given === null) return null
    const expected = "dimensions must be a list of names, such as ['lat', 'lon']"
    if (!Array.isArray(given)) return reject(expected)
    if (given.length > MOST_DIMENSIONS)
      return reject(`dimensions has ${given.length} names, over ${MOST_DIMENSIONS}`)
    const names = given.map((name: unknown) => (typeof name === 'string' ? name : reject(expected)))
    return names.length === 0 ? null : [...new Set(names)].toSorted()
  },
})
