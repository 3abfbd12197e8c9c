import type { FunctionFamily } from './function-row.ts'
import { row, withNames } from './row.ts'

/** Functions of lists. Positions are counted from 1. */
export const LISTS: FunctionFamily = Object.freeze({
  title: 'Lists',
  rows: [
    row({
      name: 'array_to_string',
      overloads: ['list ANY[], separator VARCHAR -> VARCHAR'],
      description: 'The items as text with the separator between them. Nulls are left out.',
      examples: [["array_to_string([1, 2, 3], '-')", '1-2-3']],
    }),
    row({
      name: 'flatten',
      overloads: ['lists ANY[][] -> ANY[]'],
      description: 'The items of lists in one list.',
      examples: [['flatten([[1, 2], [3]])', '[1, 2, 3]']],
    }),
    row({
      name: 'generate_series',
      overloads: [
        'from BIGINT, to BIGINT -> ANY[]',
        'from BIGINT, to BIGINT, step BIGINT -> ANY[]',
        'to BIGINT -> ANY[]',
      ],
      description: 'The numbers from one to another, with that one too.',
      examples: [['generate_series(1, 3)', '[1, 2, 3]']],
    }),
    ...withNames(
      row({
        name: 'list_aggregate',
        overloads: ['list ANY[], aggregate VARCHAR -> ANY'],
        description: 'The answer of an aggregate, which is named, over the items.',
        examples: [["list_aggregate([1, 2, 3], 'sum')", '6']],
      }),
      'aggregate',
      'array_aggr',
      'array_aggregate',
      'list_aggr',
    ),
    ...withNames(
      row({
        name: 'list_append',
        overloads: ['list ANY[], item ANY -> ANY[]'],
        nulls: 'are values',
        description: 'The list with one more item at its end.',
        examples: [['list_append([1, 2], 3)', '[1, 2, 3]']],
      }),
      'array_append',
      'array_push_back',
    ),
    ...withNames(
      row({
        name: 'list_concat',
        overloads: ['list ANY[]... -> ANY[]'],
        nulls: 'are values',
        description: 'The items of all lists in one.',
        examples: [['list_concat([1], [2, 3])', '[1, 2, 3]']],
      }),
      'array_cat',
      'array_concat',
      'list_cat',
    ),
    ...withNames(
      row({
        name: 'list_contains',
        overloads: ['list ANY[], item ANY -> BOOLEAN'],
        description: 'Whether there is such an item.',
        examples: [['list_contains([1, 2, 3], 2)', 'true']],
      }),
      'array_contains',
      'array_has',
      'list_has',
    ),
    ...withNames(
      row({
        name: 'list_distinct',
        overloads: ['list ANY[] -> ANY[]'],
        description: 'Each item once, in no certain order, and without nulls.',
        examples: [['list_distinct([1, 1, 1, NULL])', '[1]']],
      }),
      'array_distinct',
    ),
    ...withNames(
      row({
        name: 'list_extract',
        overloads: ['list ANY[], index BIGINT -> ANY', 'text VARCHAR, index BIGINT -> VARCHAR'],
        description:
          'The item at that position, counted from 1, or from the last one if it is negative; as `list[index]`.',
        examples: [['list_extract([4, 5, 6], 2)', '5']],
      }),
      'list_element',
    ),
    ...withNames(
      row({
        name: 'list_has_all',
        overloads: ['list ANY[], items ANY[] -> BOOLEAN'],
        description: 'Whether the list has all of the items.',
        examples: [['list_has_all([1, 2, 3], [3, 1])', 'true']],
      }),
      'array_has_all',
    ),
    ...withNames(
      row({
        name: 'list_has_any',
        overloads: ['list ANY[], items ANY[] -> BOOLEAN'],
        description: 'Whether the list has one of the items.',
        examples: [['list_has_any([1, 2, 3], [4, 1])', 'true']],
      }),
      'array_has_any',
    ),
    ...withNames(
      row({
        name: 'list_position',
        overloads: ['list ANY[], item ANY -> INTEGER'],
        nulls: 'are values',
        description: 'The position of an item, counted from 1. Null: it is not there.',
        examples: [['list_position([4, 5, 6], 5)', '2']],
      }),
      'array_indexof',
      'array_position',
      'list_indexof',
    ),
    ...withNames(
      row({
        name: 'list_prepend',
        overloads: ['item ANY, list ANY[] -> ANY[]'],
        nulls: 'are values',
        description: 'The list with one more item at its start.',
        examples: [['list_prepend(1, [2, 3])', '[1, 2, 3]']],
      }),
      'array_prepend',
    ),
    ...withNames(
      row({
        name: 'list_reverse',
        overloads: ['list ANY[] -> ANY[]'],
        description: 'The items in reverse order.',
        examples: [['list_reverse([1, 2, 3])', '[3, 2, 1]']],
      }),
      'array_reverse',
    ),
    ...withNames(
      row({
        name: 'list_reverse_sort',
        overloads: ['list ANY[] -> ANY[]'],
        description: 'The items, the greatest first.',
        examples: [['list_reverse_sort([2, 3, 1])', '[3, 2, 1]']],
      }),
      'array_reverse_sort',
    ),
    ...withNames(
      row({
        name: 'list_slice',
        overloads: ['list ANY[], from BIGINT, to BIGINT -> ANY[]'],
        nulls: 'are values',
        description: 'The items from one position to another, as `list[from:to]`.',
        examples: [['list_slice([4, 5, 6], 2, 3)', '[5, 6]']],
      }),
      'array_slice',
    ),
    ...withNames(
      row({
        name: 'list_sort',
        overloads: [
          'list ANY[] -> ANY[]',
          'list ANY[], order VARCHAR -> ANY[]',
          'list ANY[], order VARCHAR, nulls VARCHAR -> ANY[]',
        ],
        description: 'The items in order.',
        examples: [
          ['list_sort([2, 3, 1])', '[1, 2, 3]'],
          ["list_sort([2, 3, 1], 'DESC')", '[3, 2, 1]'],
        ],
      }),
      'array_sort',
    ),
    ...withNames(
      row({
        name: 'list_unique',
        overloads: ['list ANY[] -> UBIGINT'],
        description: 'How many different items there are, without nulls.',
        examples: [['list_unique([1, 1, 2, NULL])', '2']],
      }),
      'array_unique',
    ),
    ...withNames(
      row({
        name: 'list_value',
        overloads: ['item ANY... -> ANY[]'],
        nulls: 'are values',
        description: 'A list of the items, as `[…]`.',
        examples: [['list_value(1, 2)', '[1, 2]']],
      }),
      'list_pack',
    ),
    row({
      name: 'range',
      overloads: [
        'from BIGINT, to BIGINT -> ANY[]',
        'from BIGINT, to BIGINT, step BIGINT -> ANY[]',
        'to BIGINT -> ANY[]',
      ],
      description: 'The numbers from one to another, without that one.',
      examples: [['range(0, 6, 2)', '[0, 2, 4]']],
    }),
  ],
})
