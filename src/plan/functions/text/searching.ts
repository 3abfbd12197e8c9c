import type { FunctionFamily } from '../function-row.ts'
import { OVERLOAD, row, withNames } from '../row.ts'

/** Functions that compare texts and search in them. */
export const SEARCHING: FunctionFamily = Object.freeze({
  title: 'Searching in text',
  rows: [
    row({
      name: 'contains',
      overloads: ['text VARCHAR, part VARCHAR -> BOOLEAN', 'list ANY[], item ANY -> BOOLEAN'],
      description: 'Whether a text has another one in it, or a list an item.',
      examples: [["contains('float-04', '-0')", 'true']],
    }),
    row({
      name: 'damerau_levenshtein',
      overloads: ['a VARCHAR, b VARCHAR -> BIGINT'],
      description:
        'The least number of changes that make one text of another: to insert, remove or replace a character, or swap two neighbours.',
      examples: [["damerau_levenshtein('argo', 'agro')", '1']],
    }),
    ...withNames(
      row({
        name: 'ends_with',
        overloads: ['text VARCHAR, end VARCHAR -> BOOLEAN'],
        description: 'Whether a text ends with another one.',
        examples: [["ends_with('float-04', '04')", 'true']],
      }),
      'suffix',
    ),
    ...withNames(
      row({
        name: 'hamming',
        overloads: ['a VARCHAR, b VARCHAR -> BIGINT'],
        description: 'The number of positions at which two texts of the same length differ.',
        examples: [["hamming('argo', 'arco')", '1']],
      }),
      'mismatches',
    ),
    ...withNames(
      row({
        name: 'instr',
        overloads: ['text VARCHAR, part VARCHAR -> BIGINT'],
        description: 'Where a text is first found in another one, counted from 1. 0: it is not there.',
        examples: [["instr('float-04', '-')", '6']],
      }),
      'strpos',
    ),
    row({
      name: 'jaccard',
      overloads: ['a VARCHAR, b VARCHAR -> DOUBLE'],
      description: 'The share of the characters of two texts that both have.',
      examples: [["jaccard('argo', 'agro')", '1.0']],
    }),
    row({
      name: 'jaro_similarity',
      overloads: ['a VARCHAR, b VARCHAR -> DOUBLE', 'a VARCHAR, b VARCHAR, least DOUBLE -> DOUBLE'],
      description: 'The similarity of two texts by Jaro, from 0 to 1; 0 if it is below the least one.',
      examples: [["round(jaro_similarity('argo', 'agro'), 3)", '0.917']],
    }),
    row({
      name: 'jaro_winkler_similarity',
      overloads: ['a VARCHAR, b VARCHAR -> DOUBLE', 'a VARCHAR, b VARCHAR, least DOUBLE -> DOUBLE'],
      description: 'The similarity of two texts by Jaro and Winkler, to which a common start adds.',
      examples: [["round(jaro_winkler_similarity('argo', 'agro'), 3)", '0.925']],
    }),
    ...withNames(
      row({
        name: 'levenshtein',
        overloads: ['a VARCHAR, b VARCHAR -> BIGINT'],
        form: OVERLOAD,
        description:
          'The least number of characters to insert, remove or replace that makes one text of another. Texts whose bytes have a product above 100 million are an error.',
        examples: [
          ["levenshtein('argo', 'cargos')", '2'],
          ["levenshtein('été', 'ete')", '2'],
        ],
      }),
      'editdist3',
    ),
    row({
      name: 'position',
      overloads: ['text VARCHAR, part VARCHAR -> BIGINT'],
      description: 'The same as `instr`. SQL writes the part first, and `IN` between them.',
      examples: [
        ["position('-' IN 'float-04')", '6'],
        [`"position"('float-04', '-')`, '6'],
      ],
    }),
    ...withNames(
      row({
        name: 'starts_with',
        overloads: ['text VARCHAR, start VARCHAR -> BOOLEAN'],
        description: 'Whether a text starts with another one.',
        examples: [["starts_with('float-04', 'float')", 'true']],
      }),
      'prefix',
    ),
  ],
})
