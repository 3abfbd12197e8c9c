import { didYouMean } from '../nearest-name.ts'
import type { FormatOption } from './format-row.ts'
import { flagOption, listOption, type TableOption, textOption } from './table-options.ts'

/** The most names that an option has. Files have at most 1024 dimensions. */
const MOST_NAMES = 1024

/** Reads an option that is a set of names: neither their order nor a name that is given twice matters. None are as if it was not given. */
function readNames(
  option: string,
  expected: string,
  given: unknown,
  reject: (what: string) => never,
): readonly string[] | null {
  if (given === null) return null
  if (!Array.isArray(given)) return reject(expected)
  if (given.length > MOST_NAMES) return reject(`${option} has ${given.length} names, over ${MOST_NAMES}`)
  const names = given.map((name: unknown) => (typeof name === 'string' ? name : reject(expected)))
  return names.length === 0 ? null : [...new Set(names)].toSorted()
}

/** The dimensions of the rows of files of arrays. */
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
    return readNames(
      'dimensions',
      "dimensions must be a list of names, such as ['lat', 'lon']",
      given,
      reject,
    )
  },
})

/** The most characters of the key of a group. */
const MOST_CHARACTERS = 4096

/** The group of a store whose rows are read, with the groups below it. */
export const GROUP: FormatOption = Object.freeze({
  name: 'group',
  schema: {
    type: ['string', 'null'],
    examples: ['monthly'],
    description:
      'The group that is read, by its path in the store. Without it, the rows of all groups come one after the other',
  },
  default: null,
  sqlDefault: 'NULL',
  read(given: unknown, reject: (what: string) => never): string | null {
    if (given === null) return null
    const expected = "group must be the path of a group in the store, such as 'monthly' or 'ocean/daily'"
    if (typeof given !== 'string' || given.length > MOST_CHARACTERS) return reject(expected)
    const key = given.replace(/^\//, '').replace(/\/$/, '')
    if (key === '') return null
    const isPlain = key.split('/').every((name) => name !== '' && !/^\.+$/.test(name) && !name.includes('\0'))
    return isPlain ? key : reject(expected)
  },
})

/** What NaN in arrays is: null, as almost all files mean it, or a value like others, the greatest number. */
export type ArrayNan = 'null' | 'value'

const ARRAY_NANS: readonly ArrayNan[] = Object.freeze(['null', 'value'])

/** The option `nan` of files of arrays. `usual` is what NaN is where a request does not say it. */
export function nanOption(usual: ArrayNan): FormatOption {
  return Object.freeze({
    name: 'nan',
    schema: {
      type: 'string',
      enum: ARRAY_NANS,
      default: usual,
      description: 'What NaN in arrays is: `null`, or a `value`, which is greater than every number',
    },
    // Formats in which NaN is null have no option, so that their keys are those of plain ones.
    default: usual === 'null' ? null : usual,
    sqlDefault: `'${usual}'`,
    read(given: unknown, reject: (what: string) => never): ArrayNan | null {
      const asked = ARRAY_NANS.find((each) => typeof given === 'string' && each === given.toLowerCase())
      if (asked === undefined) return reject("nan must be 'null' or 'value'")
      return asked === 'null' && usual === 'null' ? null : asked
    },
  })
}

/** Whether attributes of files of arrays are columns. */
export const ATTRIBUTES: FormatOption = Object.freeze({
  name: 'attributes',
  schema: {
    type: 'boolean',
    default: true,
    description: 'Whether attributes, such as `.title` and `sst.units`, are columns',
  },
  // Formats with attributes have no option, so that their keys are those of plain ones.
  default: null,
  sqlDefault: 'true',
  read(given: unknown, reject: (what: string) => never): false | null {
    if (typeof given !== 'boolean') return reject('attributes must be true or false')
    return given ? null : false
  },
})

/** By their names in lower case. `none` is as if no convention was given. */
const CONVENTIONS: ReadonlyMap<string, 'optodas' | null> = new Map([
  ['none', null],
  ['optodas', 'optodas'],
  ['opto-das', 'optodas'],
  ['opto_das', 'optodas'],
])

/** What the datasets of an HDF5 file mean beside what HDF5 says. */
export const CONVENTION: FormatOption = Object.freeze({
  name: 'convention',
  schema: {
    type: 'string',
    // The other spellings would have one name in generated clients.
    enum: ['none', 'optodas'],
    default: 'none',
    description:
      'How files of some instruments name their axes: `optodas` (or `opto-das`, `opto_das`) adds `time` and `distance` to `data` of fibre-optic sensing',
  },
  default: null,
  sqlDefault: "'none'",
  read(given: unknown, reject: (what: string) => never): string | null {
    if (given === null) return null
    const convention = typeof given === 'string' ? CONVENTIONS.get(given.toLowerCase()) : undefined
    if (convention !== undefined) return convention
    const meant = typeof given === 'string' ? didYouMean(given, ['none', 'optodas']) : ''
    return reject(`convention must be 'none' or 'optodas'${meant}`)
  },
})

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
    const expected =
      "statistics_columns must be a list of columns, such as ['analysed_sst'], or of dimensions"
    return readNames('statistics_columns', expected, given, reject)
  },
})

/** The keys of OPTIONS of tables of arrays. The last two choose among readers of the reference service. */
export const ARRAY_TABLE_OPTIONS: readonly TableOption[] = Object.freeze([
  listOption('read_dimensions', 'dimensions'),
  listOption('dimensions'),
  textOption('nan'),
  flagOption('attributes'),
  flagOption('use_rust_reader', null),
  flagOption('enable_statistics', null),
])

/** The keys of OPTIONS of tables of Zarr stores. What is known of coordinates is always used. */
export const ZARR_TABLE_OPTIONS: readonly TableOption[] = Object.freeze([
  listOption('read_dimensions', 'dimensions'),
  listOption('dimensions'),
  textOption('nan'),
  flagOption('attributes'),
  listOption('statistics_columns'),
  textOption('group'),
  flagOption('enable_statistics', null),
])
