import t from 'tap'
import { readOptions } from '../../src/plan/format/read-options.ts'
import { FORMATS } from '../../src/plan/formats.ts'

const CSV = FORMATS.row('csv')

/** The options as the format has them, or the message of the error. */
function read(given: Readonly<Record<string, unknown>>): unknown {
  try {
    return readOptions(CSV, new Map(Object.entries(given)), (what, option) => {
      throw new Error(`${option}: ${what}`)
    })
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

t.test('what is allowed has one spelling', async (t) => {
  for (const [given, expected] of [
    [{ delimiter: 'auto' }, { delimiter: 'auto' }],
    [
      { delimiter: '\\t', quote: "'" },
      { delimiter: '\t', quote: "'" },
    ],
    [
      { delimiter: '"', quote: '' },
      { delimiter: '"', quote: '' },
    ],
    [
      { decimal: ',', delimiter: ';' },
      { delimiter: ';', decimal: ',' },
    ],
    [{ na: 'NA' }, { na: ['NA'] }],
    [{ na: ['b', 'a', '', 'b'] }, { na: ['a', 'b'] }],
    [{ header: ['x', ''] }, { header: ['x', ''] }],
    [
      { header: false, units: true, skip: 3n },
      { header: false, skip: 3, units: true },
    ],
    [{ encoding: 'ISO-8859-1' }, { encoding: 'latin-1' }],
    [{ encoding: 'cp1252' }, { encoding: 'windows-1252' }],
    [{ types: { b: 'double', a: 'timestamp(ms)' } }, { types: { a: 'Timestamp(ms)', b: 'Float64' } }],
    [{ types: { __proto__: null, a: 'TEXT' } }, { types: { a: 'Utf8' } }],
    [{ date_format: '%-d.%-m.%Y %T' }, { date_format: '%d.%m.%Y %H:%M:%S' }],
    [{ comment: '//' }, { comment: '//' }],
  ] as const)
    t.same(read(given), expected, JSON.stringify(Object.keys(given)))
})

t.test('a default is as if it was not given, and so is null', async (t) => {
  for (const given of [
    {},
    { header: true },
    { skip: 0 },
    { comment: '' },
    { quote: '"' },
    { na: [] },
    { na: '' },
    { decimal: '.' },
    { encoding: 'UTF8' },
    { units: false },
    { types: {} },
    { header: null, skip: null, na: null, types: null, date_format: null, encoding: null, units: null },
  ])
    t.equal(read(given), undefined, JSON.stringify(given))
})

t.test('everything else says what is allowed', async (t) => {
  const many = Array.from({ length: 1_000_000 }, (_, index) => String(index))
  for (const [given, message] of [
    [{ delimiter: null }, /^delimiter: CSV delimiter must be a string/],
    [{ delimiter: '→' }, /^delimiter: CSV delimiter must be a single-byte \(ASCII\) character, got "→"/],
    [{ delimiter: 'x'.repeat(1e6) }, /got "x{40}…"$/],
    [{ delimiter: "'", quote: "'" }, 'delimiter: CSV delimiter must not be the quote'],
    [{ quote: ';', delimiter: ';' }, 'delimiter: CSV delimiter must not be the quote'],
    [{ decimal: ',' }, /^decimal: decimal must not be the delimiter; name the delimiter/],
    [{ delimiter: '.' }, /^delimiter: decimal must not be the delimiter/],
    [{ decimal: ';' }, 'decimal: decimal must be "." or ",", got ";"'],
    [{ decimal: 5 }, 'decimal: decimal must be "." or ","'],
    [{ quote: '""' }, /^quote: quote must be one ASCII sign/],
    [{ quote: '1' }, /^quote: quote must be one ASCII sign/],
    [{ quote: '\n' }, /^quote: /],
    [{ quote: '«' }, /^quote: /],
    [{ comment: ' #' }, /^comment: comment must be what such lines begin with: 1 to 16 ASCII characters/],
    [{ comment: '#'.repeat(17) }, /^comment: /],
    [{ comment: '\n' }, /^comment: /],
    [{ comment: '°' }, /^comment: /],
    [{ comment: ';c', delimiter: ';' }, /^comment: comment must begin neither with the delimiter nor/],
    [{ comment: '"' }, /^comment: comment must begin neither/],
    [{ na: many }, 'na: na must be at most 100 texts, got 1000000'],
    [{ na: ['x'.repeat(257)] }, /^na: na: a text has at most 256 bytes, got "x{40}…"$/],
    [{ na: [-999] }, /^na: na must be a text or a list of texts, such as/],
    [{ na: { a: 1 } }, /^na: na must be a text or a list of texts/],
    [{ skip: -1 }, /^skip: skip must be a whole number of lines, at most 1000000/],
    [{ skip: 1e9 }, /^skip: /],
    [{ skip: '1' }, /^skip: /],
    [{ header: 'true' }, "header: header must be true, false or a list of the columns' names"],
    [{ header: [] }, /^header: /],
    [{ header: ['a', 1] }, /^header: /],
    [{ header: ['a', 'b', 'a'] }, 'header: header has the name "a" twice'],
    [{ header: many }, /^header: /],
    [{ units: 1 }, 'units: units must be true or false'],
    [{ types: ['Int64'] }, /^types: types must be an object of columns and their types/],
    [
      { types: { a: 'Int65' } },
      /^types: types: "Int65" is no type of CSV, did you mean "Int64"\?; expected one of/,
    ],
    [{ types: { a: 'y'.repeat(1e6) } }, /"y{40}" is no type of CSV; expected one of Utf8, Float64/],
    [{ types: { a: {} } }, /^types: types: the type of "a" must be a string/],
    [{ encoding: 'utf-16le' }, /^encoding: encoding: UTF-16LE is not read; convert it|convert the file/],
    [{ encoding: 'koi8-r' }, 'encoding: encoding must be utf-8, latin-1 or windows-1252, got "koi8-r"'],
    [{ encoding: 5 }, 'encoding: encoding must be utf-8, latin-1 or windows-1252'],
    [{ date_format: '' }, /^date_format: date_format is a form such as %d\.%m\.%Y/],
    [{ date_format: 5 }, /^date_format: /],
    [{ date_format: '%d.%m.%Y é' }, /of at most 64 ASCII characters$/],
    [{ date_format: `%Y-%m-%d${' '.repeat(60)}` }, /of at most 64 ASCII characters$/],
    [{ date_format: '%d.%m.%Q' }, /%Q is none of them$/],
    [{ date_format: '%d.%m.%' }, /% at the end stands for nothing$/],
    [{ date_format: '%d.%m' }, /"%d\.%m" has no year$/],
    [{ date_format: '%Y.%d' }, /has no month$/],
    [{ date_format: '%Y.%m' }, /has no day$/],
    [{ date_format: '%F %M' }, /has no hour$/],
    [{ date_format: '%F %H:%S' }, /has no minute$/],
    [{ date_format: '%F %H:%M.%f' }, /has no second$/],
    [{ date_format: '%F %I' }, /has no %I together with %p$/],
    [{ date_format: '%Y %F' }, /%Y stands twice/],
  ] as const)
    t.match(read(given), message, JSON.stringify(given).slice(0, 80))
})
