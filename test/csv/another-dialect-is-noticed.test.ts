import t from 'tap'
import type { FormatOptions } from '../../src/plan/format/file-format.ts'
import { csvError, openCsv } from './read.ts'

const notices = (text: string, options: FormatOptions = {}) => openCsv(text, { options }).file.notices

t.test('the option that helps is named', async (t) => {
  for (const [text, options, notice] of [
    ['a;b\n1;2\n', {}, "delimiter = ';', or 'auto', would give 2 columns, and it was read as one"],
    ['a\tb\tc\n', {}, "delimiter = '\\t', or 'auto', would give 3 columns, and it was read as one"],
    [
      'a,b\n1,2\n',
      { delimiter: ';' },
      "delimiter = ',', or 'auto', would give 2 columns, and it was read as one",
    ],
    [
      'a;b\n1;2\n',
      { header: false },
      "delimiter = ';', or 'auto', would give 2 columns, and it was read as one",
    ],
    [
      'a;b;c;d;e\n1,5;x;2;-,5;1,0\n7;y;3;;1\n',
      { delimiter: ';' },
      'decimal = \',\' would read "a", "d", "e" as numbers',
    ],
    ['a,b\n1,29.02.2024\n2,1.3.2024\n', {}, `date_format = '%d.%m.%Y' would read "b" as dates or times`],
    ['a,b\n1,2024/02/29 12:00\n', {}, `date_format = '%Y/%m/%d %H:%M' would read "b" as dates or times`],
    ['a,b\nNA,x\n1.5,y\n', {}, `na = ['NA'] would read "a" as numbers`],
    [
      '#YY  MM DD  WTMP\n#yr  mo dy  degC\n2024 02 29  13.1\n',
      {},
      "delimiter = 'whitespace' would give 4 columns, and it was read as one",
    ],
    [
      'a,b\n1,x\nNaN,y\n',
      {},
      'NaN is a value in "a", greater than every number; na = \'NaN\' would read it as null',
    ],
    [
      'a,b\nnan,1.5\n2,nan\n',
      {},
      'NaN is a value in "a", "b", greater than every number; na = \'nan\' would read it as null',
    ],
    ['0,SHIP,0.0\n1,SHIP,0.5\n', {}, 'its header looks like a record; header = false would read it as one'],
  ] as const)
    t.same(notices(text, options), [notice], text)
})

t.test('a file in its dialect has none', async (t) => {
  for (const [text, options] of [
    ['', {}],
    ['a\n1\n', {}],
    ['a b c\n', {}],
    ['a b\n1 2\n', {}],
    ['one line of text\nand another one\n', {}],
    ['a b c\n1 2 3\n', { delimiter: 'whitespace' }],
    ['a;b\n1\n', {}],
    ['a,b\n1,x;y\n', {}],
    ['"a;b"\n"1;2"\n', {}],
    ['a;b\n1,5;2\n', { delimiter: ';', decimal: ',' }],
    ['a,b\n"1,5",2\n', {}],
    ['a,b\nx,y\nNA,z\n', {}],
    ['name,2019,2020\nx,1,2\n', { types: { name: 'Utf8', '2019': 'Utf8', '2020': 'Utf8' } }],
    ['1,2\n3,4\n', { header: false }],
    ['a,b\n007,1\n', {}],
    ['a,b\n1,x\nNaN,y\n', { na: ['NaN'] }],
    ['a,b\n1,abc\ny,NaN\n', {}],
  ] as const)
    t.same(notices(text, options), [], text)
})

t.test('NaN is noticed in any record that is inspected', async (t) => {
  const rows = Array.from({ length: 5000 }, (_, index) => (index === 4321 ? 'NaN' : `${index}.5`))
  t.match(notices(`a\n${rows.join('\n')}\n`), [/na = 'NaN' would read it as null/])
  t.same(notices(`a\n${rows.join('\n')}\n`, { infer_records: 4000 }), [])
})

// With time in the square of the length the test would take an hour.
t.test('long fields are told to be text in no time', async (t) => {
  const digits = '1'.repeat(1 << 20)
  t.same(notices(`a,b\n${digits}x,1\n`), [])
  t.same(notices(`${digits}x,b\n1,2\n`), [])
  t.same(notices(`a,b\n${'-'.repeat(1 << 20)},1\n2,3\n`), [], 'nor does a message quote them')
})

t.test('a record of another length says what may help', async (t) => {
  for (const [text, end] of [
    ['a;b\n1,5;2\n', "line 2 has 2 fields, the header has 1; delimiter = ';' may be meant, or 'auto'"],
    ['a,b\n1,2\n# c\n', "line 3 has 1 field, the header has 2; comment = '#' leaves out lines that begin so"],
    [
      '# c\na,b\n1,2\n',
      "line 2 has 2 fields, the header has 1; comment = '#' leaves out lines that begin so",
    ],
    ['Cruise 7\na,b\n1,2\n', 'line 2 has 2 fields, the header has 1; skip leaves out lines above the header'],
    ['a,b\n1\n', 'line 2 has 1 field, the header has 2'],
  ])
    t.equal(csvError(text ?? ''), `"test.csv" cannot be read as CSV: ${end}`)
})
