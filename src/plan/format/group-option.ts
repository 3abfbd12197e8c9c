import type { FormatOption } from './format-row.ts'

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
