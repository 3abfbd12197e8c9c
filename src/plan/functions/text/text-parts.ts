import type { FunctionFamily } from '../function-row.ts'
import { OVERLOAD, REGISTERED, row, withNames } from '../row.ts'

/** Functions that take parts of texts, fill them up, and tell how long they are. Positions are counted from 1. */
export const TEXT_PARTS: FunctionFamily = Object.freeze({
  title: 'Parts and lengths of text',
  about: 'Positions are counted from 1.',
  rows: [
    row({
      name: 'bit_length',
      overloads: ['text VARCHAR -> BIGINT', 'bits BIT -> BIGINT'],
      description: 'The number of bits of the text in UTF-8.',
      examples: [["bit_length('é')", '16']],
    }),
    row({
      name: 'left',
      overloads: ['text VARCHAR, count BIGINT -> VARCHAR'],
      description: 'The first characters. A negative count leaves out the last ones.',
      examples: [
        ["left('float-04', 5)", 'float'],
        ["left('float-04', -3)", 'float'],
      ],
    }),
    ...withNames(
      row({
        name: 'length',
        overloads: ['text VARCHAR -> BIGINT', 'bits BIT -> BIGINT', 'list ANY[] -> BIGINT'],
        description: 'The number of characters; of a list the number of its items.',
        examples: [["length('über')", '4']],
      }),
      'char_length',
      'character_length',
      'len',
    ),
    row({
      name: 'length_grapheme',
      overloads: ['text VARCHAR -> BIGINT'],
      description: 'The number of characters as they are seen: a letter with its marks is one.',
      examples: [["length_grapheme('u' || chr(776))", '1']],
    }),
    row({
      name: 'ltrim',
      overloads: ['text VARCHAR -> VARCHAR', 'text VARCHAR, characters VARCHAR -> VARCHAR'],
      description: 'The text without the spaces, or the given characters, in front.',
      examples: [["ltrim('xxa', 'x')", 'a']],
    }),
    row({
      name: 'octet_length',
      overloads: ['text VARCHAR -> BIGINT', 'bytes BLOB -> BIGINT', 'bits BIT -> BIGINT'],
      form: OVERLOAD,
      description: 'The number of bytes, of a text in UTF-8.',
      examples: [["octet_length('Ångström')", '10']],
    }),
    row({
      name: 'overlay',
      overloads: [
        'text VARCHAR, replacement VARCHAR, start BIGINT -> VARCHAR',
        'text VARCHAR, replacement VARCHAR, start BIGINT, count BIGINT -> VARCHAR',
      ],
      form: REGISTERED,
      description:
        'The text with another text in place of so many characters from a position on; without a count, of as many as the other text has.',
      examples: [
        ["overlay('Txxxxas' PLACING 'hom' FROM 2 FOR 4)", 'Thomas'],
        ["overlay('Txxxxas', 'hom', 2)", 'Thomxas'],
      ],
    }),
    row({
      name: 'right',
      overloads: ['text VARCHAR, count BIGINT -> VARCHAR'],
      description: 'The last characters. A negative count leaves out the first ones.',
      examples: [["right('float-04', 2)", '04']],
    }),
    row({
      name: 'rtrim',
      overloads: ['text VARCHAR -> VARCHAR', 'text VARCHAR, characters VARCHAR -> VARCHAR'],
      description: 'The text without the spaces, or the given characters, behind.',
      examples: [["rtrim('axx', 'x')", 'a']],
    }),
    row({
      name: 'split_part',
      overloads: ['text VARCHAR, separator VARCHAR, index BIGINT -> VARCHAR'],
      description:
        'The part of that number, counted from 1, or from the last one if it is negative; empty if there is none.',
      examples: [
        ["split_part('a/b/c', '/', 2)", 'b'],
        ["split_part('a/b/c', '/', -1)", 'c'],
      ],
    }),
    ...withNames(
      row({
        name: 'string_split',
        overloads: ['text VARCHAR, separator VARCHAR -> VARCHAR[]'],
        nulls: 'are values',
        description: 'The parts of a text as a list; the text alone if the separator is null.',
        examples: [["string_split('a/b/c', '/')", '[a, b, c]']],
      }),
      'split',
      'str_split',
      'string_to_array',
    ),
    row({
      name: 'strlen',
      overloads: ['text VARCHAR -> BIGINT'],
      description: 'The number of bytes of the text in UTF-8.',
      examples: [["strlen('é')", '2']],
    }),
    ...withNames(
      row({
        name: 'substr_index',
        overloads: ['text VARCHAR, delimiter VARCHAR, count BIGINT -> VARCHAR'],
        form: REGISTERED,
        description:
          'What stands before the delimiter of that number, or behind the one of that number from the end if it is negative; all if there are fewer.',
        examples: [
          ["substr_index('www.example.org', '.', 2)", 'www.example'],
          ["substr_index('www.example.org', '.', -1)", 'org'],
        ],
      }),
      'substring_index',
    ),
    ...withNames(
      row({
        name: 'substring',
        overloads: [
          'text VARCHAR, from BIGINT, length BIGINT -> VARCHAR',
          'text VARCHAR, from BIGINT -> VARCHAR',
        ],
        description:
          'So many characters, or all, from a position on. A negative position counts from the end.',
        examples: [
          ["substring('float-04', 7, 2)", '04'],
          ["substring('float-04', -2)", '04'],
        ],
      }),
      'substr',
    ),
    row({
      name: 'substring_grapheme',
      overloads: [
        'text VARCHAR, from BIGINT, length BIGINT -> VARCHAR',
        'text VARCHAR, from BIGINT -> VARCHAR',
      ],
      description: 'The same as `substring` for characters as they are seen.',
      examples: [["substring_grapheme('float-04', 7, 2)", '04']],
    }),
    row({
      name: 'trim',
      overloads: ['text VARCHAR -> VARCHAR', 'text VARCHAR, characters VARCHAR -> VARCHAR'],
      description: 'The text without the spaces, or the given characters, at its start and end.',
      examples: [
        ["trim('  a ')", 'a'],
        ["trim('xax', 'x')", 'a'],
      ],
    }),
  ],
})
