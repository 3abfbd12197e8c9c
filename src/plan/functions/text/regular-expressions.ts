import type { FunctionFamily } from '../function-row.ts'
import { macro, REGISTERED, row, withNames } from '../row.ts'

const FLAGS =
  'The flags are i (upper and lower case are the same), m (`^` and `$` match at lines), s (`.` matches a line break), U (the fewest characters first) and x (white space and comments are ignored).'

/** Functions of regular expressions, which are those of RE2. */
export const REGULAR_EXPRESSIONS: FunctionFamily = Object.freeze({
  title: 'Regular expressions',
  about: 'They are those of RE2, which has no look-around and no back-references.',
  rows: [
    row({
      name: 'regexp_count',
      overloads: [
        'text VARCHAR, pattern VARCHAR -> BIGINT',
        'text VARCHAR, pattern VARCHAR, start BIGINT -> BIGINT',
        'text VARCHAR, pattern VARCHAR, start BIGINT, flags VARCHAR -> BIGINT',
      ],
      form: REGISTERED,
      description: `How often an expression matches, from a position of the text on. Matches do not overlap, and an empty expression has none. ${FLAGS}`,
      examples: [
        ["regexp_count('abcAbAbc', 'abc', 2, 'i')", '1'],
        ["regexp_count('T1 T2 T10', 'T[0-9]+')", '3'],
      ],
    }),
    row({
      name: 'regexp_escape',
      overloads: ['text VARCHAR -> VARCHAR'],
      description: 'A regular expression that matches this text alone.',
      examples: [["regexp_escape('a.b')", 'a\\.b']],
    }),
    row({
      name: 'regexp_extract',
      overloads: [
        'text VARCHAR, pattern VARCHAR -> VARCHAR',
        'text VARCHAR, pattern VARCHAR, group INTEGER -> VARCHAR',
        'text VARCHAR, pattern VARCHAR, group INTEGER, options VARCHAR -> VARCHAR',
      ],
      description: 'The first match, or the group of it with that number; empty if there is none.',
      examples: [
        ["regexp_extract('float-04', '[0-9]+')", '04'],
        ["regexp_extract('float-04', '-([0-9]+)', 1)", '04'],
      ],
    }),
    row({
      name: 'regexp_extract_all',
      overloads: [
        'text VARCHAR, pattern VARCHAR -> VARCHAR[]',
        'text VARCHAR, pattern VARCHAR, group INTEGER -> VARCHAR[]',
        'text VARCHAR, pattern VARCHAR, group INTEGER, options VARCHAR -> VARCHAR[]',
      ],
      description: 'All matches, or of each the group with that number.',
      examples: [["regexp_extract_all('a1b22', '[0-9]+')", '[1, 22]']],
    }),
    row({
      name: 'regexp_full_match',
      overloads: [
        'text VARCHAR, pattern VARCHAR -> BOOLEAN',
        'text VARCHAR, pattern VARCHAR, options VARCHAR -> BOOLEAN',
      ],
      description: 'Whether the whole text matches.',
      examples: [["regexp_full_match('float-04', 'float-[0-9]+')", 'true']],
    }),
    row({
      name: 'regexp_instr',
      overloads: [
        'text VARCHAR, pattern VARCHAR -> BIGINT',
        'text VARCHAR, pattern VARCHAR, start BIGINT -> BIGINT',
        'text VARCHAR, pattern VARCHAR, start BIGINT, occurrence BIGINT -> BIGINT',
        'text VARCHAR, pattern VARCHAR, start BIGINT, occurrence BIGINT, flags VARCHAR -> BIGINT',
        'text VARCHAR, pattern VARCHAR, start BIGINT, occurrence BIGINT, flags VARCHAR, capture BIGINT -> BIGINT',
      ],
      form: REGISTERED,
      description: `The position of a match: the first one, or that with the given number, from a position of the text on; or of a group in it. 0: there is none. ${FLAGS}`,
      examples: [
        ["regexp_instr('ABCDEF', 'C(.)(..)')", '3'],
        ["regexp_instr('ABCABC', 'b', 1, 2, 'i')", '5'],
        ["regexp_instr('ABCDEF', 'C(.)(..)', 1, 1, '', 2)", '5'],
      ],
    }),
    row({
      name: 'regexp_like',
      overloads: [
        'text VARCHAR, pattern VARCHAR -> BOOLEAN',
        'text VARCHAR, pattern VARCHAR, flags VARCHAR -> BOOLEAN',
      ],
      form: macro(
        ['text, pattern', 'regexp_matches(text, _regexp(pattern))'],
        ['text, pattern, flags', 'regexp_matches(text, _regexp(pattern, flags))'],
      ),
      description: `Whether an expression matches somewhere in the text. ${FLAGS}`,
      examples: [
        ["regexp_like('aBc', '(b|d)')", 'false'],
        ["regexp_like('aBc', '(b|d)', 'i')", 'true'],
      ],
    }),
    row({
      name: 'regexp_match',
      overloads: [
        'text VARCHAR, pattern VARCHAR -> VARCHAR[]',
        'text VARCHAR, pattern VARCHAR, flags VARCHAR -> VARCHAR[]',
      ],
      form: REGISTERED,
      description: `The groups of the first match, or all of it if the expression has no groups. A group that took no part is an empty text. Null: there is no match. ${FLAGS}`,
      examples: [
        ["regexp_match('profile 17B', '([0-9]+)([A-Z])')", '[17, B]'],
        ["regexp_match('aBc', 'b', 'i')", '[B]'],
        ["regexp_match('abc', 'x')", 'NULL'],
      ],
    }),
    row({
      name: 'regexp_matches',
      overloads: [
        'text VARCHAR, pattern VARCHAR -> BOOLEAN',
        'text VARCHAR, pattern VARCHAR, options VARCHAR -> BOOLEAN',
      ],
      description: 'Whether a part of the text matches.',
      examples: [
        ["regexp_matches('float-04', '[0-9]+$')", 'true'],
        ["regexp_matches('FLOAT', 'float', 'i')", 'true'],
      ],
    }),
    row({
      name: 'regexp_replace',
      overloads: [
        'text VARCHAR, pattern VARCHAR, by VARCHAR -> VARCHAR',
        'text VARCHAR, pattern VARCHAR, by VARCHAR, options VARCHAR -> VARCHAR',
      ],
      description:
        'The text with another one in place of the first match, or with the option `g` of all. `\x01` is the first group.',
      examples: [
        ["regexp_replace('a1b22', '[0-9]+', '#')", 'a#b22'],
        ["regexp_replace('a1b22', '[0-9]+', '#', 'g')", 'a#b#'],
      ],
    }),
    ...withNames(
      row({
        name: 'regexp_split_to_array',
        overloads: [
          'text VARCHAR, pattern VARCHAR -> VARCHAR[]',
          'text VARCHAR, pattern VARCHAR, options VARCHAR -> VARCHAR[]',
        ],
        description: 'The parts of the text between the matches.',
        examples: [["regexp_split_to_array('a1b22c', '[0-9]+')", '[a, b, c]']],
      }),
      'str_split_regex',
      'string_split_regex',
    ),
  ],
})
