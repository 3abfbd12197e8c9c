import type { FunctionFamily } from './function-row.ts'
import { row } from './row.ts'

/** Functions that tell and change types. */
export const TYPES: FunctionFamily = Object.freeze({
  title: 'Types',
  rows: [
    row({
      name: 'can_cast_implicitly',
      overloads: ['value ANY, other ANY -> BOOLEAN'],
      nulls: 'are values',
      description: 'Whether a value of the first type may stand where one of the second type is asked for.',
      examples: [['can_cast_implicitly(1, 2.5)', 'true']],
    }),
    row({
      name: 'cast_to_type',
      overloads: ['value ANY, other ANY -> ANY'],
      nulls: 'are values',
      description: 'The value in the type of another one.',
      examples: [["cast_to_type('5', 1)", '5']],
    }),
    row({
      name: 'hash',
      overloads: ['value ANY... -> UBIGINT'],
      nulls: 'are values',
      description: 'A hash of the values, which may be another one in the next version.',
      examples: [["hash('a')", null]],
    }),
    row({
      name: 'typeof',
      overloads: ['value ANY -> VARCHAR'],
      nulls: 'are values',
      description: 'The name of the type in SQL.',
      examples: [['typeof(1.5)', 'DECIMAL(2,1)']],
    }),
  ],
})
