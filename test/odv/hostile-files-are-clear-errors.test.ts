import t from 'tap'
import { createOdv } from '../../src/workers/formats/odv/odv.ts'
import { odvOptions } from '../../src/workers/formats/odv/options.ts'
import { memorySource } from '../formats/source.ts'
import { columnsOfOdv, context, odvError, openOdv, readOdv } from './read.ts'

t.test('cells may be missing, and may be there without text', async (t) => {
  t.same(readOdv('Cruise\tA\tB\t\t\nc\n\nc\t1\nc\t1\t2\t \t\t\t\n   \nc\t\t3'), [
    ['c', 'c', 'c', 'c'],
    [null, '1', '1', null],
    [null, null, '2', '3'],
  ])
  const surplus = odvError('// x\nCruise\tA\nc\t1\t\n\nc\t1\t\tx\n')
  t.match(surplus, /line 5 has 4 fields, its row of column names has 2/)
  const column = '//<DataVariable>label="A" value_type="INTEGER"</DataVariable>'
  t.match(odvError(`${column}\nCruise\tA\nc\t1\nc\tx\n`), /column "A": line 4: "x" is no Int64/)
  const latitude = '//<MetaVariable>label="Latitude" value_type="FLOAT"</MetaVariable>'
  const { file, source } = openOdv(`${latitude}\nCruise\tLatitude\tA\nc\tx\t1\n${'\t\t2\n'.repeat(9)}`, {
    limits: { firstBlock: 10, block: 10 },
  })
  const at = latitude.length + 'Cruise\tLatitude\tA\n'.length + 1
  const range = { kind: 'text', segment: 1, begin: at + 10, station: { at, until: at + 10 } } as const
  const asked = file.schema.fields.filter(({ name }) => name === 'Latitude')
  t.throws(() => file.read(source, range, asked, context), { message: /line 3: "x" is no Float32/ })
})

t.test('what is no text, or not of this form, is refused', async (t) => {
  for (const [bytes, expected] of [
    [Buffer.from([0x1f, 0x8b, 8, 0]), /compressed with gzip/],
    [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), /compressed with zstd/],
    [Buffer.from('\ufeffCruise\tA\n', 'utf16le'), /UTF-16/],
    ['QV:ODV\tCruise\n', /"QV:ODV" has no column before it/],
    ['Cruise\t"A\nc\t1\n', /quote in its header/],
    ['Cruise\tA\nc\t"1\n', /opens a quote that is never closed/],
  ] as const)
    t.match(odvError(bytes), expected)
  const provider = createOdv(odvOptions({}))
  const isSniffed = (bytes: string | Buffer): boolean => provider.sniff(memorySource(Buffer.from(bytes)))
  for (const bytes of [
    '//\n',
    '\ufeff// x',
    '\n// x',
    'x\tBot. Depth [m]\n',
    'LATITUDE\tx',
    'Lat (\xb0N)\tx',
  ])
    t.ok(isSniffed(bytes), JSON.stringify(bytes))
  for (const bytes of ['', 'a', 'a\tb\nCruise\t1', 'Cruise', 'Cruise,Station', 'Latent heat\tx', '/ x\ty'])
    t.notOk(isSniffed(bytes), JSON.stringify(bytes))
  t.notOk(isSniffed(Buffer.from([0x1f, 0x8b, 0x2f, 0x2f])))
  t.same(readOdv('// only\n// comments'), [])
  t.same(readOdv(''), [])
  t.same(readOdv('Cruise\tA'), [[], []])
})

t.test('headers take linear time', async (t) => {
  const megabyte = 1 << 20
  for (const line of [
    `//<DataVariable>${'a'.repeat(megabyte)}`,
    `//<DataVariable>${'"'.repeat(megabyte)}`,
    `//<DataVariable>${' ='.repeat(megabyte)}`,
    `//<DataVariable>label="${'&'.repeat(megabyte)}"`,
    `//<DataVariable>label="${'['.repeat(megabyte)}"`,
    `//${' '.repeat(megabyte)}<DataVariable>`,
    `//<Encoding>${'x'.repeat(megabyte)}`,
    `//${'<'.repeat(megabyte)}`,
  ])
    t.same(readOdv(`${line}\nCruise\nc\n`), [['c']], line.slice(0, 40))
  const declaration = '//<DataVariable>label="x" value_type="FLOAT" comment="y"</DataVariable>\r'
  t.same(readOdv(`${declaration.repeat(100_000)}Cruise\rc\r`), [['c']])
  const titles = Array.from({ length: 49_999 }, (_, i) => `A${i} [m]\tQV:ODV:B${i}`).join('\t')
  t.equal(openOdv(`Cruise\t${titles}\n`).file.schema.fields.length, 149_998)
  t.match(odvError(`Cruise${'\tA'.repeat(100_000)}\n`), /100001 columns, over 100000/)
  const limits = { record: 5000 }
  t.match(odvError(`//${'x'.repeat(2 << 20)}\nCruise\n`, { limits }), /a line of over 5000 bytes/)
})

t.test('a wide file of short rows takes no more than it has', async (t) => {
  const titles = Array.from({ length: 99_990 }, (_, i) => `A${i}`).join('\t')
  const { file, source } = openOdv(`Cruise\t${titles}\n${'c\n'.repeat(200_000)}`)
  const [cruise] = file.schema.fields
  const range = { kind: 'text', segment: 0, begin: null } as const
  const { rows, columns } = file.read(source, range, cruise ? [cruise] : [], context)
  t.ok(rows > 10_000)
  for (const column of columns) context.core.free(column)
  t.equal(context.core.usedBytes(), 0)
})

t.test('metadata that would fill the memory is a clear error', async (t) => {
  const rows = `c${'x'.repeat(1 << 20)}\t1\n${'\t2\n'.repeat(50_000)}`
  try {
    columnsOfOdv(`Cruise\tA\n${rows}`)
    t.fail('no error')
  } catch (error) {
    t.match(error, { code: 'memory_limit', message: /test\.txt.*column "Cruise"/ })
  }
  t.equal(context.core.usedBytes(), 0)
})
