import t from 'tap'
import type { FormatOptions } from '../../src/plan/format/file-format.ts'
import { typeName } from '../../src/plan/types/schema.ts'
import { readAll } from '../formats/values.ts'
import { context, csvError, openCsv } from './read.ts'

/** Names and types of the columns, then their values. */
function read(bytes: string | Uint8Array, options: FormatOptions = {}) {
  const { file, source } = openCsv(bytes, { options })
  const columns = file.schema.fields.map(({ name, type }) => `${name} ${typeName(type)}`)
  return [columns, ...readAll(file, source, context).map((column) => column.map(String))]
}

t.test('delimiter: auto', async (t) => {
  for (const [text, columns] of [
    ['a;b\n1;2\n', 2],
    ['a\tb\tc\n1\t2\t3\n', 3],
    ['a|b\nx|y\n', 2],
    ['a,b\n1,2\n', 2],
    ['a\n1\n', 1],
    ['a b\n1 2\n', 1],
    ['', 0],
    ['a;b\n1,5;2,5\n', 2],
    ['place;x, y\nParis;1,5\n', 2],
    ['place, country;x, y\nParis, FR;1,5\n', 2],
    ['a,"b;c",d\n1,";",2\n', 3],
    ['a\tb,c\n1\t2,3\nx\ty,z\n', 2],
  ] as const)
    t.equal(openCsv(text, { options: { delimiter: 'auto' } }).file.schema.fields.length, columns, text)
  t.same(read('1,5;2,5\n3,5;4,5\n', { delimiter: 'auto', header: false, decimal: ',' }), [
    ['column0 Float64', 'column1 Float64'],
    ['1.5', '3.5'],
    ['2.5', '4.5'],
  ])
  t.equal(
    csvError('a;b\n1;2\n3\n', { options: { delimiter: 'auto' } }),
    '"test.csv" cannot be read as CSV: line 3 has 1 field, the header has 2',
    'a record of another length is an error in the delimiter of the others',
  )
  const long = `${'x'.repeat(100_000)};b\n1;2\n`
  t.equal(openCsv(long, { options: { delimiter: 'auto' } }).file.schema.fields.length, 2)
})

t.test('header, skip, comment', async (t) => {
  const columns = (first: string, second: string) => [first, second].map((name) => `${name} Int64`)
  t.same(read('1,2\n3,4\n', { header: false })[0], columns('column0', 'column1'))
  t.same(read('1,2\n3,4\n', { header: ['x', 'y'] }), [columns('x', 'y'), ['1', '3'], ['2', '4']])
  t.same(read('a,b\n1,2\n', { header: ['x', 'y'], skip: 1 })[0], columns('x', 'y'))
  t.same(read('', { header: ['x', 'y'] }), [['x Null', 'y Null'], [], []])
  t.same(read('', { header: false, skip: 4 }), [[]])
  t.same(read('"a,\nb"\nx\r\r\nc,d\n1,2\n', { skip: 4 }), [columns('c', 'd'), ['1'], ['2']])
  t.same(read('# 1,"2\n\n#\na,b\n# 3\n1,2\n#,"\n3,4\n#', { comment: '#' }), [
    columns('a', 'b'),
    ['1', '3'],
    ['2', '4'],
  ])
  t.same(read('a,b\n"#1",2\n1,#2\n', { comment: '#' })[1], ['#1', '1'], 'only at the beginning of a line')
  t.same(read('\ufeff// x\r\na,b\r\n1,2\r\n// y\r\n', { comment: '//' })[0], columns('a', 'b'))
  t.same(read('a,b\n/,/\n', { comment: '//' })[1], ['/'])
  const prefix = '"test.csv" cannot be read as CSV: '
  t.equal(
    csvError('1,2\n', { options: { header: ['x'] } }),
    `${prefix}its first record has 2 fields, and header names 1`,
  )
  t.equal(csvError('a\nb\n', { options: { skip: 3 } }), `${prefix}it has 2 lines, and skip leaves out 3`)
  t.equal(
    csvError('x\n#\n1,2\n#\n3\n', { options: { skip: 1, comment: '#', header: false } }),
    `${prefix}line 5 has 1 field, the first record has 2`,
    'lines are counted from the beginning of the file',
  )
})

t.test('skip over more bytes than are read at a time', async (t) => {
  const long = 'x'.repeat((1 << 20) - 1)
  for (const end of ['\n', '\r', '\r\n'])
    for (const text of [long, `${long}x`, `x\n${long}`]) {
      const lines = text.split('\n').length
      t.same(read(`${text}${end}a,b${end}1,2${end}`, { skip: lines })[1], ['1'])
    }
  const short = 'x\n'.repeat(700_000)
  t.same(read(`${short}a,b\n1,2\n`, { skip: 700_000 })[1], ['1'])
})

t.test('quote, na, decimal', async (t) => {
  t.same(read("a,b\n'1,5',2\n'it''s',\"x\"\n", { quote: "'" }).slice(1), [
    ['1,5', "it's"],
    ['2', '"x"'],
  ])
  t.same(read('a,b\n"1,2"\n', { quote: '' }).slice(1), [['"1'], ['2"']])
  t.same(read('a,b,c\n-999,NA,x\n1,true,NA\n"-999","NA",-999\n', { na: ['-999', 'NA'] }), [
    ['a Int64', 'b Boolean', 'c Utf8'],
    ['null', '1', 'null'],
    ['null', 'true', 'null'],
    ['x', 'null', 'null'],
  ])
  t.same(read('a\n-999\n-999.0\n', { na: ['-999'] }), [['a Float64'], ['null', '-999']], 'as it is written')
  t.same(read('a;b;c\n1,5;1.5;1\n-,5e1;1.500,5;2\n', { delimiter: ';', decimal: ',' }), [
    ['a Float64', 'b Utf8', 'c Int64'],
    ['1.5', '-5'],
    ['1.5', '1.500,5'],
    ['1', '2'],
  ])
})

t.test('types, leading zeros, times', async (t) => {
  t.same(read('a,b\n007,0\n12,1\n'), [
    ['a Utf8', 'b Int64'],
    ['007', '12'],
    ['0', '1'],
  ])
  t.same(read('a,b\n007,0\n12,1\n', { types: { a: 'Int16', b: 'Utf8' } }), [
    ['a Int16', 'b Utf8'],
    ['7', '12'],
    ['0', '1'],
  ])
  const times = read('a\n2024-02-29 12:00\n2024-02-29T12:00\n2024-02-29T12:00Z\n2024-02-29T14:00+02:00\n')
  t.same(times, [['a Timestamp(s)'], Array(4).fill('1709208000')])
  t.equal(
    csvError('a\n1\nx\n', { options: { types: { a: 'Int64' } } }),
    '"test.csv" cannot be read as CSV: column "a": line 3: "x" is no Int64, its type in types',
  )
})

t.test('blanks around a value count in text alone', async (t) => {
  t.same(read('a,b,c,d\n  1, -9.5,x , true\n-999 ,\t," -999",\n" 2 ","  -999",,false \n', { na: ['-999'] }), [
    ['a Int64', 'b Float64', 'c Utf8', 'd Boolean'],
    ['1', 'null', '2'],
    ['-9.5', 'null', 'null'],
    ['x ', ' -999', 'null'],
    ['true', 'null', 'false'],
  ])
  t.same(read('a\n 2024-02-29\n2024-03-01 \n')[0], ['a Date32'])
})

t.test('date_format', async (t) => {
  const both = read('a,b,c\n29.02.2024,2024-03-01,1\n,,2\n1.3.2024,2024-03-01,3\n', {
    date_format: '%d.%m.%Y',
  })
  t.same(both, [
    ['a Date32', 'b Date32', 'c Int64'],
    ['19782', 'null', '19783'],
    ['19783', 'null', '19783'],
    ['1', '2', '3'],
  ])
  t.same(read('a\n2024-02-29 12:00\n', { date_format: '%Y-%d-%m' })[0], ['a Utf8'], 'ISO 8601 could be meant')
  t.same(read('a,b\n20240229,20240229\n,1\n', { date_format: '%Y%m%d' })[0], ['a Date32', 'b Int64'])
  t.same(read('a\n01.02.2024\n2024-03-01T00:00:00.5\n', { date_format: '%d.%m.%Y' }), [
    ['a Timestamp(ms)'],
    ['1706745600000', '1709251200500'],
  ])
  t.same(read('a\n202402291200\n202413291200\n', { date_format: '%Y%m%d%H%M' })[0], ['a Int64'])
  t.equal(
    csvError('a\n31.12.2024\n31.13.2024\n', { inferRecords: 1, options: { date_format: '%d.%m.%Y' } }),
    '"test.csv" cannot be read as CSV: column "a": line 3: "31.13.2024" is no Date32, the type of the first 1 records; a larger infer_records takes more of them',
  )
})

t.test('encoding', async (t) => {
  const latin = Buffer.from('größe,b\n12 °C,x\n\x80,"é""\n"\n', 'latin1')
  t.same(read(latin, { encoding: 'latin-1' }), [
    ['größe Utf8', 'b Utf8'],
    ['12 °C', '\x80'],
    ['x', 'é"\n'],
  ])
  t.same(read(latin, { encoding: 'windows-1252' })[1], ['12 °C', '€'])
  t.same(read(latin, { encoding: 'windows-1252', na: ['€'] })[1], ['12 °C', 'null'])
  t.same(read(latin, { encoding: 'latin-1', na: ['€'] })[1], ['12 °C', '\x80'])
  const all = Buffer.from(
    Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => ![10, 13, 34, 44].includes(byte)),
  )
  const text = read(Buffer.concat([Buffer.from('a\n'), all]), { encoding: 'latin-1' })[1]
  t.equal(text?.join(), all.toString('latin1'))
  t.equal(
    csvError(Buffer.from('a\n\xb0x\n', 'latin1'), {
      options: { encoding: 'latin-1', types: { a: 'Int64' } },
    }),
    '"test.csv" cannot be read as CSV: column "a": line 2: "°x" is no Int64, its type in types',
  )
})

t.test('units', async (t) => {
  const text = 'time,depth,flag\nUTC,m,\n2024-01-01T00:00:00Z,5,1\n'
  const units = (options: FormatOptions) =>
    openCsv(text, { options }).file.schema.fields.map(({ type, metadata }) => [typeName(type), metadata])
  t.same(units({ units: true }), [
    ['Timestamp(s)', { units: 'UTC' }],
    ['Int64', { units: 'm' }],
    ['Int64', {}],
  ])
  t.same(
    units({ units: true, header: ['t', 'd', 'f'], skip: 1 }).map(([, each]) => each),
    [{ units: 'UTC' }, { units: 'm' }, {}],
  )
  t.same(
    units({}).map(([type]) => type),
    ['Utf8', 'Utf8', 'Int64'],
  )
  t.same(
    openCsv('a,b\n', { options: { units: true } }).file.schema.fields.map(({ metadata }) => metadata),
    [{}, {}],
  )
  t.equal(
    csvError('a,b\nm\n1,2\n', { options: { units: true } }),
    '"test.csv" cannot be read as CSV: its record of units has 1 field, the header has 2',
  )
})

t.test('nothing of all this is left in the core', async (t) => {
  t.same([context.core.usedBytes(), context.core.isDead()], [0, false])
})
