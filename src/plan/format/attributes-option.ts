import type { FormatOption } from './format-row.ts'

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
