import t from 'tap'
import { ServiceError } from '../../src/plan/errors.ts'
import { field } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createCsv } from '../../src/workers/formats/csv/csv.ts'
import { csvOptions } from '../../src/workers/formats/csv/options.ts'
import { memorySource } from '../formats/source.ts'
import { readAll, readSegment } from '../formats/values.ts'
import { context, csvError, openCsv, readCsv } from './read.ts'

const PREFIX = '"test.csv" cannot be read as CSV: '
const ADVICE = "encoding = 'windows-1252' or 'latin-1' reads other text"

t.test('a record of another length names its line and both lengths', async (t) => {
  t.equal(csvError('a,b\n1,2\n\n3\n'), `${PREFIX}line 4 has 1 field, the header has 2`)
  t.equal(csvError('a,b\r\n1,"x\r\ny"\r\n1,2,3\r\n'), `${PREFIX}line 4 has 3 fields, the header has 2`)
  t.equal(csvError('a,b\r1,2\r3'), `${PREFIX}line 3 has 1 field, the header has 2`)
})

t.test('a quote that is never closed names the line at which its record begins', async (t) => {
  t.equal(csvError('a,b\n1,2\n3,"4\n5,6\n'), `${PREFIX}line 3 opens a quote that is never closed`)
  t.equal(csvError('a,"b\n1,2\n'), `${PREFIX}a quote in its header is not closed`)
  const long = `a,b\n1,"${'x,y\n'.repeat(5 << 20)}`
  t.equal(csvError(long), `${PREFIX}line 2 begins a record of over 16777216 bytes; is a quote not closed?`)
  t.match(
    csvError(`"${'x'.repeat(40 << 20)}`),
    /its header is longer than 16777216 bytes; is a quote missing\?/,
  )
})

t.test('a value of another type names line, column and value', async (t) => {
  const options = { inferRecords: 1, limits: { block: 7, firstBlock: 5, tail: 3 } }
  const misfit = (type: string, value: string, line = 3) =>
    `${PREFIX}column "b": line ${line}: ${JSON.stringify(value)} is no ${type}, the type of the first 1 records; a larger infer_records takes more of them`
  t.equal(csvError('a,b\n1,2\n3,x\n', options), misfit('Int64', 'x'))
  t.equal(
    csvError('a,b\n1,2\n3,9223372036854775808\n', options),
    misfit('Int64', '9223372036854775808'),
    'no integer wraps around',
  )
  t.equal(csvError('a,b\nx,true\n"\n",yes\n', options), misfit('Boolean', 'yes', 4))
  t.equal(csvError('a,b\n1,2024-01-01\n3,2024-02-30\n', options), misfit('Date32', '2024-02-30'))
  t.equal(
    csvError('a,b\n1,2024-01-01 00:00:00\n3,2024-01-01 00:00:00.5\n', options),
    misfit('Timestamp(s)', '2024-01-01 00:00:00.5'),
    'no fraction is cut',
  )
  t.equal(csvError('a,b\n1,2.5\n3,"""q"""\n', options), misfit('Float64', '"""q"""'))
  t.match(csvError(`a,b\n1,2\n3,${'9'.repeat(1000)}\n`, options), /"9{60}…" is no Int64/)
})

t.test('what is no UTF-8 text is an error where it is read', async (t) => {
  const bytes = Buffer.from('a,b\n1,x\n2,caf\xe9\n', 'latin1')
  t.equal(csvError(bytes), `${PREFIX}column "b": line 3: "caf�" is not UTF-8 text; ${ADVICE}`)
  const { file, source } = openCsv(bytes)
  t.same(readAll(file, source, context, [field('a', { kind: 'int', bits: 64, signed: true })]), [[1n, 2n]])
  // Halves of a character in fields side by side are no character.
  t.match(csvError(Buffer.from('a\n\xc3\n\xa9\n', 'latin1')), /line 3: .* is not UTF-8 text/)
  t.equal(csvError(Buffer.from('caf\xe9\n1\n', 'latin1')), `${PREFIX}its header is not UTF-8 text; ${ADVICE}`)
})

t.test('other formats are named', async (t) => {
  for (const [bytes, name] of [
    [[0x1f, 0x8b, 8, 0], 'compressed with gzip'],
    [[0x28, 0xb5, 0x2f, 0xfd], 'compressed with zstd'],
    [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'compressed with xz'],
    [[0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59], 'compressed with bzip2'],
    [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive'],
  ] as const)
    t.equal(csvError(Buffer.from(bytes)), `${PREFIX}it is ${name}, and CSV is plain UTF-8 text; unpack it`)
  const wide = Buffer.from('station,depth\n', 'utf16le')
  for (const bytes of [Buffer.from([0xff, 0xfe, 0x61, 0]), wide, Buffer.from(wide).swap16()])
    t.match(
      csvError(bytes),
      /it is UTF-16, and CSV is plain UTF-8 text; convert it, .* iconv -f UTF-16 -t UTF-8/,
    )
})

t.test('a file that holds nothing has no columns', async (t) => {
  for (const text of ['', '\ufeff', '\n\r\n\r'])
    t.same([openCsv(text).file.schema.fields, readCsv(text)], [[], []])
  const { file, source } = openCsv('a,b')
  t.same(
    file.schema.fields.map(({ name, type }) => [name, type.kind]),
    [
      ['a', 'null'],
      ['b', 'null'],
    ],
  )
  t.same(readAll(file, source, context), [[], []])
})

t.test('zero bytes, long fields and many columns are data', async (t) => {
  t.strictSame(readCsv('a,b\n\0,\0\0\nx,"\0"\n'), [
    ['\0', 'x'],
    ['\0\0', '\0'],
  ])
  const long = 'é'.repeat(1 << 20)
  t.ok(readCsv(`a,b\n1,${long}\n2,"${long}"""\n`)[1]?.join() === `${long},${long}"`)
  const names = Array.from({ length: 100_000 }, (_, i) => `c${i}`)
  const wide = openCsv(`${names.join()}\n${names.map((_, i) => i).join()}\n`)
  t.equal(wide.file.schema.fields.length, 100_000)
  const fields = wide.file.schema.fields.slice(-1)
  t.same(readAll(wide.file, wide.source, context, fields), [[99_999n]])
  t.equal(csvError(`${names.join()},x\n`), `${PREFIX}it has 100001 columns, over 100000`)
})

t.test('equal names in a header are told apart, however many', async (t) => {
  const names = (text: string) => openCsv(text).file.schema.fields.map(({ name }) => name)
  t.same(names('a,a_1,a,A,,a,\n'), ['a', 'a_1', 'a_2', 'A', '', 'a_3', '_1'])
  t.equal(new Set(names(`${'a,'.repeat(50_000)}a\n`)).size, 50_001)
})

t.test('any character may be the delimiter', async (t) => {
  for (const delimiter of ['\t', ';', '|', '\0', '\\', ' ', 'a', '\r', '\n']) {
    const lineEnd = delimiter === '\n' ? '\r' : '\n'
    const text = [
      ['x', 'y'],
      ['1', `".${delimiter}"`],
    ]
      .map((row) => row.join(delimiter) + lineEnd)
      .join('')
    t.strictSame(readCsv(text, { delimiter }), [[1n], [`.${delimiter}`]], JSON.stringify(delimiter))
  }
})

t.test('a worker whose memory is used up says so and goes on', async (t) => {
  const core = createCore({ maximumBytes: 8 << 20 })
  const small = { ...context, core }
  const source = memorySource(Buffer.from(`a\n${'x\n'.repeat(2 << 20)}`), 'test.csv')
  const file = createCsv(csvOptions({ infer_records: 10 })).open(source, small)
  const range = { kind: 'text', segment: 1, begin: null } as const
  t.throws(() => readSegment(file, source, range, [field('a', { kind: 'utf8' })], small), {
    code: 'memory_limit',
    message: /test\.csv/,
  })
  t.equal(core.usedBytes(), 0)
  t.same(
    readSegment(file, source, { ...range, segment: 0 }, [field('a', { kind: 'utf8' })], small).rows,
    131_072,
  )
})

t.test('an error behind a guessed beginning costs no count of lines', async (t) => {
  const { file, source } = openCsv(`a,b\n${'1,2\n'.repeat(100)}3\n`, {
    inferRecords: 1,
    limits: { firstBlock: 8, block: 1000 },
  })
  const before = source.reads.length
  t.throws(
    () => readSegment(file, source, { kind: 'text', segment: 1, begin: null }, [], context),
    ServiceError,
  )
  t.equal(source.reads.length, before + 1)
})

t.test('nothing of all this is left in the core', async (t) => {
  t.same([context.core.usedBytes(), context.core.isDead()], [0, false])
})
