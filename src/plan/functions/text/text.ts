import type { FunctionFamily } from '../function-row.ts'
import { alike, macro, REGISTERED, row, withNames } from '../row.ts'

/** Words: letters with their marks, and digits. What stands between them is kept. */
const WORDS = String.raw`[\pL\pM\pN]+|[^\pL\pM\pN]+|^$`

const ofText = alike({ overloads: ['text VARCHAR -> VARCHAR'] })

/** Functions of text. Positions and lengths are counted in characters from 1. */
export const TEXT: FunctionFamily = Object.freeze({
  title: 'Text',
  rows: [
    ...withNames(
      row({
        name: 'ascii',
        overloads: ['text VARCHAR -> INTEGER'],
        description: 'The Unicode code of the first character; 0 of an empty text.',
        examples: [["ascii('A')", '65']],
      }),
      'ord',
      'unicode',
    ),
    row({
      name: 'btrim',
      overloads: ['text VARCHAR -> VARCHAR', 'text VARCHAR, characters VARCHAR -> VARCHAR'],
      form: macro(['text', 'trim(text)'], ['text, characters', 'trim(text, characters)']),
      description: 'The text without the spaces, or the given characters, at its start and its end.',
      examples: [
        ["btrim('  deep ')", 'deep'],
        ["btrim('xyxdeepyx', 'xy')", 'deep'],
      ],
    }),
    row({
      name: 'cast_int8_as_char',
      overloads: ['code TINYINT -> VARCHAR'],
      form: macro(['code', 'chr(code::TINYINT::INTEGER & 255)']),
      description:
        'The character with the code, of which -128 to -1 stand for 128 to 255. A code out of the range of TINYINT is an error.',
      examples: [
        ['cast_int8_as_char(65)', 'A'],
        ['cast_int8_as_char(-23)', 'é'],
      ],
    }),
    row({
      name: 'chr',
      overloads: ['code INTEGER -> VARCHAR'],
      description: 'The character with the Unicode code. An error if there is none.',
      examples: [['chr(233)', 'é']],
    }),
    row({
      name: 'concat',
      overloads: ['text ANY... -> VARCHAR', 'list ANY[]... -> ANY[]'],
      nulls: 'are values',
      description: 'All texts behind each other; those that are null are left out.',
      examples: [
        ["concat('float', '-', 4)", 'float-4'],
        ["concat('a', NULL, 'b')", 'ab'],
      ],
    }),
    row({
      name: 'concat_ws',
      overloads: ['separator VARCHAR, text ANY... -> VARCHAR'],
      nulls: 'are values',
      description:
        'All texts behind each other with the separator between them; those that are null are left out.',
      examples: [["concat_ws('/', 'a', NULL, 'c')", 'a/c']],
    }),
    row({
      name: 'find_in_set',
      overloads: ['text VARCHAR, list VARCHAR -> INTEGER'],
      form: REGISTERED,
      description: 'The position of a text in a list of texts with commas between them. 0: it is not there.',
      examples: [
        ["find_in_set('b', 'a,b,c')", '2'],
        ["find_in_set('x', 'a,b,c')", '0'],
      ],
    }),
    row({
      name: 'initcap',
      overloads: ['text VARCHAR -> VARCHAR'],
      form: macro([
        'text',
        `array_to_string(list_transform(regexp_extract_all(text, '${WORDS}'), lambda _word: upper(_word[1]) || lower(_word[2:])), '')`,
      ]),
      description:
        'The text with the first letter of each word in upper case and the others in lower case. A word is a run of letters and digits.',
      examples: [["initcap('north SEA-bed 2nd')", 'North Sea-Bed 2nd']],
    }),
    ...withNames(ofText('lower', 'The text in lower case.', "lower('ARGO')", 'argo'), 'lcase'),
    row({
      name: 'lpad',
      overloads: [
        'text VARCHAR, length INTEGER -> VARCHAR',
        'text VARCHAR, length INTEGER, fill VARCHAR -> VARCHAR',
      ],
      form: macro(
        ['text, length', "system.main.lpad(text, length, ' ')"],
        ['text, length, fill', 'system.main.lpad(text, length, fill)'],
      ),
      description:
        'The text with spaces, or with the given text again and again, before it, so that it has that length. A longer text is cut at its end. A fill of no characters is an error where the text is shorter.',
      examples: [
        ["lpad('7', 3)", '  7'],
        ["lpad('7', 3, '0')", '007'],
      ],
    }),
    row({
      name: 'nfc_normalize',
      overloads: ['text VARCHAR -> VARCHAR'],
      description:
        "The text in Unicode's normal form NFC, in which a letter and its marks are one character if there is one.",
      examples: [["length(nfc_normalize('u' || chr(776)))", '1']],
    }),
    row({
      name: 'repeat',
      overloads: [
        'text VARCHAR, count BIGINT -> VARCHAR',
        'bytes BLOB, count BIGINT -> BLOB',
        'list ANY[], count BIGINT -> ANY[]',
      ],
      description: 'The text so many times.',
      examples: [["repeat('ab', 3)", 'ababab']],
    }),
    row({
      name: 'replace',
      overloads: ['text VARCHAR, what VARCHAR, by VARCHAR -> VARCHAR'],
      description: 'The text with another one in place of each occurrence of one.',
      examples: [["replace('1,5', ',', '.')", '1.5']],
    }),
    ofText('reverse', 'The characters in reverse order.', "reverse('abc')", 'cba'),
    row({
      name: 'rpad',
      overloads: [
        'text VARCHAR, length INTEGER -> VARCHAR',
        'text VARCHAR, length INTEGER, fill VARCHAR -> VARCHAR',
      ],
      form: macro(
        ['text, length', "system.main.rpad(text, length, ' ')"],
        ['text, length, fill', 'system.main.rpad(text, length, fill)'],
      ),
      description:
        'The text with spaces, or with the given text again and again, behind it, so that it has that length. A longer text is cut at its end. A fill of no characters is an error where the text is shorter.',
      examples: [["rpad('ab', 5, '.-')", 'ab.-.']],
    }),
    ofText('strip_accents', 'The letters without accents.', "strip_accents('Größe é')", 'Große e'),
    row({
      name: 'translate',
      overloads: ['text VARCHAR, from VARCHAR, to VARCHAR -> VARCHAR'],
      description:
        'The text with each character of the second text replaced by the one at the same position of the third, or left out if there is none.',
      examples: [["translate('1.234,5', '.,', ',.')", '1,234.5']],
    }),
    ...withNames(ofText('upper', 'The text in upper case.', "upper('argo')", 'ARGO'), 'ucase'),
  ],
})
