import type { FunctionFamily, FunctionRow } from '../function-row.ts'
import { row, SYNTAX, type WrittenFunction } from '../row.ts'

const OF_NEIGHBOURS = [
  'value ANY -> ANY',
  'value ANY, rows BIGINT -> ANY',
  'value ANY, rows BIGINT, other ANY -> ANY',
]

function window(written: WrittenFunction): FunctionRow {
  return row({ ...written, kind: 'window', form: SYNTAX })
}

/** Functions of a row and of others around it. */
export const WINDOWS: FunctionFamily = Object.freeze({
  title: 'Windows',
  about:
    'They tell something of a row and of those around it, in SQL only, `OVER (PARTITION BY … ORDER BY …)`. Every aggregate may be used so, too.',
  from: "(VALUES (1, 2.5::DOUBLE, 'a'), (2, 4, 'b'), (3, 8, 'a'), (4, NULL, NULL)) AS t(n, x, s)",
  rows: [
    window({
      name: 'cume_dist',
      overloads: [' -> DOUBLE'],
      description: 'The share of rows that do not come after this one.',
      examples: [['cume_dist() OVER (ORDER BY n)', '0.25, 0.5, 0.75, 1.0']],
    }),
    window({
      name: 'dense_rank',
      overloads: [' -> BIGINT'],
      description: 'The number of the group of equal rows, counted from 1.',
      examples: [['dense_rank() OVER (ORDER BY s)', '1, 1, 2, 3']],
    }),
    window({
      name: 'fill',
      overloads: ['x NUMBER -> NUMBER', 't TIMESTAMP -> TIMESTAMP'],
      description: 'The value, or where it is null one on the line between its neighbours.',
      examples: [['fill(x) OVER (ORDER BY n)', '2.5, 4.0, 8.0, 12.0']],
    }),
    window({
      name: 'lag',
      overloads: OF_NEIGHBOURS,
      description:
        'The value of the row before, or so many rows before; where there is none, null or the other value.',
      examples: [
        ['lag(n) OVER (ORDER BY n)', 'NULL, 1, 2, 3'],
        ['lag(n, 2, 0) OVER (ORDER BY n)', '0, 0, 1, 2'],
      ],
    }),
    window({
      name: 'lead',
      overloads: OF_NEIGHBOURS,
      description:
        'The value of the row behind, or so many rows behind; where there is none, null or the other value.',
      examples: [['lead(n) OVER (ORDER BY n)', '2, 3, 4, NULL']],
    }),
    window({
      name: 'ntile',
      overloads: ['buckets BIGINT -> BIGINT'],
      description:
        'The number of the bucket of the row, where the rows are put into buckets of the same size.',
      examples: [['ntile(2) OVER (ORDER BY n)', '1, 1, 2, 2']],
    }),
    window({
      name: 'percent_rank',
      overloads: [' -> DOUBLE'],
      description: 'The share of the other rows that come before this one.',
      examples: [['percent_rank() OVER (ORDER BY n)', '0.0, 0.3333333333333333, 0.6666666666666666, 1.0']],
    }),
    window({
      name: 'rank',
      overloads: [' -> BIGINT'],
      description: 'One more than the number of rows that come before this one.',
      examples: [['rank() OVER (ORDER BY s)', '1, 1, 3, 4']],
    }),
    window({
      name: 'row_number',
      overloads: [' -> BIGINT'],
      description: 'The number of the row, counted from 1.',
      examples: [['row_number() OVER (ORDER BY n)', '1, 2, 3, 4']],
    }),
  ],
})
