import type { FormatOption } from './format-row.ts'

/** The most names that are given. */
const MOST_NAMES = 1024

/**
 * The list that `read_zarr` takes after the paths. It has two meanings, between which the dimensions of each store decide: they are the
 * dimensions of the rows, or columns of whose chunks statistics are kept.
 */
export const STATISTICS_COLUMNS: FormatOption = Object.freeze({
  name: 'statistics_columns',
  schema: {
    type: ['array', 'null'],
    items: { type: 'string' },
    examples: [['analysed_sst']],
    description:
      'Columns whose least and greatest values in each chunk are kept once it was decoded, so that later queries leave out chunks. If all names are dimensions, it is `dimensions`',
  },
  default: null,
  sqlDefault: 'NULL',
  read(given: unknown, reject: (what: string) => never): readonly string[] | null {
    if (given === null) return null
    const expected =
      "statistics_columns must be a list of columns, such as ['analysed_sst'], or of dimensions"
    if (!Array.isArray(given)) return reject(expected)
    if (given.length > MOST_NAMES)
      return reject(`statistics_columns has ${given.length} names, over ${MOST_NAMES}`)
    const names = given.map((name: unknown) => (typeof name === 'string' ? name : reject(expected)))
    return names.length === 0 ? null : [...new Set(names)].toSorted()
  },
})
