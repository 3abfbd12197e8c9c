import type { FormatRow } from '../../../src/plan/format/format-row.ts'
import { wholeNumber } from '../../../src/plan/format/whole-number.ts'

export const LINES: FormatRow = {
  id: 'lines',
  title: 'Lines',
  from: ['lines'],
  functions: ['read_lines'],
  datasets: [{ id: 'lines', extensions: ['lines'], listingOrder: 10 }],
  options: [
    {
      name: 'skip',
      schema: { type: 'integer', minimum: 0, default: 0, description: 'Lines to leave out at the beginning' },
      default: 0,
      sqlDefault: '0',
      read: (given, reject) => wholeNumber(given) ?? reject('skip must be a whole number of lines'),
    },
  ],
  layout: 'row_groups',
  storage: { kind: 'object' },
}
