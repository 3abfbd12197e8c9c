import { didYouMean } from '../nearest-name.ts'
import type { FormatOption } from './format-row.ts'

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
    enum: [...CONVENTIONS.keys()],
    default: 'none',
    description:
      'How files of some instruments name their axes: `optodas` adds `time` and `distance` to `data` of fibre-optic sensing',
  },
  default: null,
  sqlDefault: "'none'",
  read(given: unknown, reject: (what: string) => never): string | null {
    if (given === null) return null
    const known = typeof given === 'string' ? CONVENTIONS.get(given.toLowerCase()) : undefined
    if (known !== undefined) return known
    const meant = typeof given === 'string' ? didYouMean(given, ['none', 'optodas']) : ''
    return reject(`convention must be 'none' or 'optodas'${meant}`)
  },
})
