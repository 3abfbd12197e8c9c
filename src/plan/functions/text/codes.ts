import type { FunctionFamily } from '../function-row.ts'
import { macro, OVERLOAD, REGISTERED, row, withNames } from '../row.ts'

/** Functions that write values as text, and make digests and identifiers. */
export const CODES: FunctionFamily = Object.freeze({
  title: 'Formats and codes',
  rows: [
    row({
      name: 'decode',
      overloads: ['text VARCHAR, format VARCHAR -> BLOB', 'bytes BLOB -> VARCHAR'],
      form: OVERLOAD,
      description:
        'The bytes that a text stands for in a format: hex or base64. A text that is none of the format is an error. Without a format it is the text of which the bytes are the UTF-8.',
      examples: [
        ["decode(decode('435444', 'hex'))", 'CTD'],
        ["decode(decode('Q1RE', 'base64'))", 'CTD'],
      ],
    }),
    row({
      name: 'encode',
      overloads: [
        'text VARCHAR, format VARCHAR -> VARCHAR',
        'bytes BLOB, format VARCHAR -> VARCHAR',
        'text VARCHAR -> BLOB',
      ],
      form: OVERLOAD,
      description:
        'A text for bytes, or for the UTF-8 of a text, in a format: hex, base64 (without `=` at its end) or base64pad. Without a format it is the UTF-8 itself.',
      examples: [
        ["encode('CTD', 'hex')", '435444'],
        ["encode('hello', 'base64')", 'aGVsbG8'],
        ["encode('hello', 'base64pad')", 'aGVsbG8='],
      ],
    }),
    row({
      name: 'format',
      overloads: ['format VARCHAR, value ANY... -> VARCHAR'],
      description: "The values in place of `{}`, as Python's `format` writes them.",
      examples: [["format('{}-{:02d}', 'float', 4)", 'float-04']],
    }),
    ...withNames(
      row({
        name: 'format_bytes',
        overloads: ['bytes BIGINT -> VARCHAR'],
        description: 'A number of bytes with a unit (powers of 1024).',
        examples: [['format_bytes(1536)', '1.5 KiB']],
      }),
      'formatreadablesize',
    ),
    row({
      name: 'formatreadabledecimalsize',
      overloads: ['bytes BIGINT -> VARCHAR'],
      description: 'A number of bytes with a unit (powers of 1000).',
      examples: [['formatreadabledecimalsize(1500)', '1.5 kB']],
    }),
    row({
      name: 'from_base64',
      overloads: ['text VARCHAR -> BLOB'],
      description: 'The bytes of a text in base64.',
      examples: [["decode(from_base64('YXJnbw=='))", 'argo']],
    }),
    ...withNames(
      row({
        name: 'from_binary',
        overloads: ['text VARCHAR -> BLOB'],
        description: 'The bytes whose bits a text of 0 and 1 has.',
        examples: [["decode(from_binary('01100001'))", 'a']],
      }),
      'unbin',
    ),
    ...withNames(
      row({
        name: 'from_hex',
        overloads: ['text VARCHAR -> BLOB'],
        description: 'The bytes of a text of hexadecimal digits.',
        examples: [["decode(from_hex('6172676F'))", 'argo']],
      }),
      'unhex',
    ),
    row({
      name: 'hex',
      overloads: [
        'n BIGINT -> VARCHAR',
        'n UBIGINT -> VARCHAR',
        'text VARCHAR -> VARCHAR',
        'bytes BLOB -> VARCHAR',
      ],
      description: 'The hexadecimal digits of a whole number, or of the bytes of a text, in upper case.',
      examples: [['hex(255)', 'FF']],
    }),
    row({
      name: 'md5',
      overloads: ['text VARCHAR -> VARCHAR', 'bytes BLOB -> VARCHAR'],
      description: 'The MD5 of the text in UTF-8, in hexadecimal digits.',
      examples: [["md5('')", 'd41d8cd98f00b204e9800998ecf8427e']],
    }),
    row({
      name: 'printf',
      overloads: ['format VARCHAR, value ANY... -> VARCHAR'],
      description: "The values in place of `%d`, `%s` and the like, as C's `printf` writes them.",
      examples: [["printf('%s-%02d', 'float', 4)", 'float-04']],
    }),
    row({
      name: 'service_version',
      overloads: [' -> VARCHAR'],
      form: REGISTERED,
      description:
        'The version of the service. It has a second name, which begins with the value of `SERVICE_NAME`.',
      examples: [['service_version()', null]],
    }),
    row({
      name: 'sha1',
      overloads: ['text VARCHAR -> VARCHAR', 'bytes BLOB -> VARCHAR'],
      description: 'The SHA-1 of the text in UTF-8, in hexadecimal digits.',
      examples: [["sha1('')", 'da39a3ee5e6b4b0d3255bfef95601890afd80709']],
    }),
    row({
      name: 'sha256',
      overloads: ['text VARCHAR -> VARCHAR', 'bytes BLOB -> VARCHAR'],
      description: 'The SHA-256 of the text in UTF-8, in hexadecimal digits.',
      examples: [["left(sha256(''), 8)", 'e3b0c442']],
    }),
    ...withNames(
      row({
        name: 'to_base64',
        overloads: ['bytes BLOB -> VARCHAR'],
        description: 'The bytes in base64.',
        examples: [["to_base64('argo'::BLOB)", 'YXJnbw==']],
      }),
      'base64',
    ),
    ...withNames(
      row({
        name: 'to_binary',
        overloads: ['n BIGINT -> VARCHAR', 'n UBIGINT -> VARCHAR', 'text VARCHAR -> VARCHAR'],
        description: 'The bits of a whole number, or of the bytes of a text.',
        examples: [['to_binary(5)', '101']],
      }),
      'bin',
    ),
    row({
      name: 'to_hex',
      overloads: [
        'n BIGINT -> VARCHAR',
        'n UBIGINT -> VARCHAR',
        'text VARCHAR -> VARCHAR',
        'bytes BLOB -> VARCHAR',
      ],
      form: macro(['n', 'lower(system.main.to_hex(n))']),
      description: 'The hexadecimal digits of a whole number, or of the bytes of a text, in lower case.',
      examples: [
        ['to_hex(12345689)', 'bc6159'],
        ['to_hex(-1)', 'ffffffffffffffff'],
      ],
    }),
    row({
      name: 'url_decode',
      overloads: ['text VARCHAR -> VARCHAR'],
      description: 'A text that was encoded for a URL.',
      examples: [["url_decode('a%20b')", 'a b']],
    }),
    row({
      name: 'url_encode',
      overloads: ['text VARCHAR -> VARCHAR'],
      description: 'The text as it may stand in a URL.',
      examples: [["url_encode('a b/c')", 'a%20b%2Fc']],
    }),
    ...withNames(
      row({
        name: 'uuid',
        overloads: [' -> UUID'],
        isConstant: false,
        description: 'A random UUID of version 4, another one in each row.',
        examples: [['uuid()', null]],
      }),
      'gen_random_uuid',
      'uuidv4',
    ),
    row({
      name: 'uuidv7',
      overloads: [' -> UUID'],
      isConstant: false,
      description: 'A UUID of version 7, which begins with the time.',
      examples: [['uuidv7()', null]],
    }),
  ],
})
