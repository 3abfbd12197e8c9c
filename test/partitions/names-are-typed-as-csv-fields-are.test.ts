import t from 'tap'
import { scalarOf, typeOfTexts } from '../../src/main/query/source/partition-columns/partition-type.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { typeName } from '../../src/plan/types/schema.ts'
import { openCsv, readCsv } from '../csv/read.ts'
import { fc } from '../support/generate.ts'

const FORMS: readonly (readonly string[])[] = [
  ['true', 'False', 'TRUE', 'tru'],
  ['0', '-0', '7', '-12', '9223372036854775807', '-9223372036854775808', '9223372036854775808', '+1', '1_0'],
  ['0.5', '-1.', '.5', '-.5', '.', '-', '1e5', '1E-5', '1e', '00.5', '1.5.0', '0x1F', '1 ', ' 1'],
  ['nan', 'NaN', 'inf', '-inf', 'Infinity', '-nan', 'infinite', '+inf'],
  ['2024-02-29', '2023-02-29', '0000-01-01', '9999-12-31', '2024-1-1', '20240101', '2024-13-01', '2024-01'],
  [
    '2024-01-01T00:00:00',
    '2024-01-01 12:30:00.5',
    '1969-12-31t23:59:59.123456',
    '2024-01-01T00:00:00.1234567',
  ],
  [
    '2024-01-01T00:00:00Z',
    '2024-01-01 00:00:00 +02',
    '2024-01-01T00:00:00-0130',
    '2024-01-01T00:00:00+24:00',
  ],
  ['2024-01-01T24:00:00', '2024-01-01T00:60:00', '2024-01-01T00:00:60', '2024-01-01T00:00:00.', '12:00:00'],
  ['9999-12-31T00:00:00', '0000-01-01T00:00:00.000000001', '2024-01-01T00:00:00z ', '2024-01-01Z'],
  ['01', '-07', '00', '-00', '0.10', '01.5', '2024-01-01 12:00', '2024-01-01T12:00Z', '2024-01-01T12:00.5'],
  [' 7', '8\t', '\t -9 ', ' 0.5', ' true ', ' 2024-02-29', '2024-01-01 12:00 ', ' ', '\t', ' 07', '1 2'],
  ['text', 'é', '日本', 'a,b', "it's", 'NULL', 'null'],
]

/** Texts that are mostly of one form, so that types other than text are generated often. */
const texts = fc
  .constantFrom(...FORMS, FORMS.flat(), [...(FORMS[1] ?? []), ...(FORMS[2] ?? [])], FORMS.slice(4, 8).flat())
  .chain((pool) => fc.array(fc.constantFrom(...pool), { minLength: 1, maxLength: 4 }))

const fileOf = (values: readonly string[]): string =>
  `v\n${values.map((value) => `"${value.replaceAll('"', '""')}"\n`).join('')}`

/** What the core has read, or null if the column's type cannot hold a value: it is text then as the name of a folder. */
function readByCore(values: readonly string[]): readonly unknown[] | null {
  try {
    return readCsv(fileOf(values))[0] ?? []
  } catch {
    return null
  }
}

function plain(scalar: Scalar | null): unknown {
  if (scalar === null) return null
  return scalar.kind === 'bytes' ? Buffer.from(scalar.value).toString() : scalar.value
}

function agree(values: readonly string[]): boolean {
  const type = typeOfTexts(values)
  const inferred = openCsv(fileOf(values)).file.schema.fields[0]?.type
  if (type === null) return inferred?.kind === 'null'
  if (inferred === undefined) return false
  const read = readByCore(values)
  if (read === null) return typeName(type) === 'Utf8'
  const own = values.map((value) => plain(scalarOf(value, type)))
  // The test reads integers as their bits.
  const bits = type.kind === 'date' ? 32 : 64
  return typeName(type) === typeName(inferred) && same(own, read, bits)
}

/** Whether values are the same as the core's, of which −0 and NaN are texts. */
function same(own: readonly unknown[], read: readonly unknown[], bits: number): boolean {
  return own.every((value, index) => {
    const other = read[index]
    if (typeof value === 'bigint') return BigInt.asUintN(bits, value) === other
    if (typeof value === 'number' && typeof other === 'string') return Object.is(value, Number(other))
    return String(value) === String(other)
  })
}

t.test('alone', async (t) => {
  for (const text of FORMS.flat())
    t.ok(agree([text]), `${text} is ${typeName(typeOfTexts([text]) ?? { kind: 'null' })}`)
})

t.test('together', async (t) => {
  t.doesNotThrow(() => fc.assert(fc.property(texts, agree), { numRuns: 500 }))
})

t.test('nulls tell nothing', async (t) => {
  t.equal(typeOfTexts([]), null)
  t.equal(typeOfTexts([null]), null)
  t.same(typeOfTexts([null, '1']), { kind: 'int', bits: 64, signed: true })
})
