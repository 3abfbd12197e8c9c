import t from 'tap'
import { createRowPacker } from '../../src/main/query/source/summaries/rows/row-packer.ts'
import {
  BOUND_BYTES,
  entriesOf,
  hasWholeColumn,
  packWithTexts,
  readWholeColumn,
  valuesOf,
  type WholeColumn,
  type WholeColumns,
  type WholeNumbers,
  type WholeOfFile,
  wholeColumn,
} from '../../src/plan/source/whole.ts'
import { bytesOfRow } from '../../src/plan/source/whole-row.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { generator } from '../support/generate.ts'

const below = generator('rows of bounds')

const FLOATS = [0, -0, 1.5, Math.fround(0.1), 0.1, -1e300, Number.NaN, Number.POSITIVE_INFINITY]
const INTEGERS = [0n, -1n, 5n, 2n ** 31n - 1n, 2n ** 31n, -(2n ** 31n), -(2n ** 63n), 2n ** 63n - 1n]
const UNSIGNED = [0n, 7n, 2n ** 63n, 2n ** 64n - 1n]

function one<T>(values: readonly T[]): T {
  const value = values[below(values.length)]
  if (value === undefined) throw new RangeError('no value')
  return value
}

/** Bounds of a kind that a column of all files has, or of any. */
function boundsOf(kind: number): Pick<WholeColumn['statistics'], 'min' | 'max'> {
  const text = (): Scalar => ({
    kind: 'bytes',
    value: new Uint8Array(below(BOUND_BYTES + 9)).fill(below(256)),
  })
  const number = (values: readonly (number | bigint)[]): Scalar => {
    const value = one(values)
    return typeof value === 'number' ? { kind: 'float', value } : { kind: 'int', value }
  }
  if (kind === 0) return {}
  if (kind === 1) return { min: text(), max: text() }
  if (kind === 2) return { min: number([0n, 7n]), max: number(UNSIGNED) }
  const values = kind === 3 ? INTEGERS : kind === 4 ? FLOATS : [1, 2.5, 1024]
  return { min: number(values), max: number(values) }
}

/** `usual`: files have most of it in common. */
function columnOf(field: number, most: number, usual: boolean): WholeColumn {
  const kind = usual || below(4) > 0 ? field % 6 : below(6)
  const values = usual ? (field % 3 === 0 ? 1 : most) : one([1, most, 0, below(2000), 2 ** 32, 2 ** 40])
  const nulls = usual ? 0 : one([0, values, below(50), Number.NaN])
  return {
    field,
    values,
    statistics: {
      ...boundsOf(kind),
      ...(!Number.isNaN(nulls) && { nulls }),
      ...((usual || below(2) === 0) && { isMinExact: true }),
      ...((usual || below(2) === 0) && { isMaxExact: true }),
    },
  }
}

function file(): WholeColumns {
  const usual = below(10) > 2
  const most = below(2000)
  const fields = Array.from({ length: 1 + below(8) }, (_, nth) => 2 * nth).filter(() => usual || below(5) > 0)
  return packWithTexts(fields.map((field) => columnOf(field, most, usual)))
}

function read(
  whole: WholeOfFile,
  field: number,
  isFloat: boolean,
  entry: number,
): Omit<WholeNumbers, 'entry'> | null {
  const before = { values: 0, nulls: 0, isBounded: false, isMaxExact: false, min: 0, max: 0 }
  const numbers: WholeNumbers = { entry, ...before }
  if (!readWholeColumn(whole, field, isFloat, numbers)) return null
  const { entry: _, ...others } = numbers
  return others
}

t.test('what is known of a column is the same by entries and by a row', (t) => {
  const packer = createRowPacker()
  const view = new DataView(new ArrayBuffer(1 << 16))
  let rows = 0
  let files = 0
  let bytes = 0
  let ofEntries = 0
  for (let round = 0; round < 400; round++) {
    const whole = file()
    if (whole.length === 0) continue
    files++
    const at = 1 + below(100)
    const index = packer.pack(whole, view, at)
    if (index < 0) continue
    const row = { form: packer.form(index), view, at }
    rows++
    bytes += bytesOfRow(row)
    ofEntries += whole.length
    if (bytesOfRow(row) > whole.length) t.fail('a row is longer')
    t.strictSame(entriesOf(row), whole)
    t.equal(valuesOf(row), valuesOf(whole))
    for (let field = 0; field < 18; field++) {
      t.strictSame(wholeColumn(row, field), wholeColumn(whole, field))
      t.equal(hasWholeColumn(row, field), hasWholeColumn(whole, field))
      for (const isFloat of [false, true])
        t.strictSame(read(row, field, isFloat, below(9)), read(whole, field, isFloat, 0))
    }
  }
  t.ok(rows > files / 2, `${rows} of ${files} files are rows`)
  t.ok(bytes < ofEntries / 2, `${bytes} of ${ofEntries} bytes`)
  t.end()
})

t.test('files that have most in common have few bytes each, and few forms', (t) => {
  const packer = createRowPacker()
  const view = new DataView(new ArrayBuffer(1 << 12))
  const forms = new Set<number>()
  let longest = 0
  for (let nth = 0; nth < 1000; nth++) {
    const levels = 650 + below(300)
    const columns = Array.from({ length: 5 }, (_, field): WholeColumn => {
      const bound = (): Scalar => ({
        kind: 'float',
        value: field < 2 ? below(1e9) / 7 : Math.fround(below(1e9) / 7),
      })
      const statistics = { min: bound(), max: bound(), isMinExact: true, isMaxExact: true, nulls: 0 } as const
      return { field, values: field < 2 ? 1 : levels, statistics }
    })
    const index = packer.pack(packWithTexts(columns), view, 0)
    forms.add(index)
    longest = Math.max(longest, bytesOfRow({ form: packer.form(index), view, at: 0 }))
  }
  t.equal(longest, 4 + 2 * 16 + 3 * 8)
  t.ok(forms.size <= 4, `${forms.size} forms`)
  t.end()
})

t.test('files that all differ have forms of at most so many columns, and are kept as entries then', (t) => {
  const packer = createRowPacker()
  const view = new DataView(new ArrayBuffer(1 << 16))
  let rows = 0
  for (let nth = 0; nth < 3000; nth++) {
    const columns = Array.from({ length: 64 }, (_, at) => ({
      field: 100 * at + (nth % 3000),
      values: 5,
      statistics: {},
    }))
    if (packer.pack(packWithTexts(columns), view, 0) >= 0) rows++
  }
  t.equal(rows, (1 << 16) / 64)
  t.ok(packer.bytes < 20 << 20)
  t.end()
})

t.test('entries whose lengths of texts are damaged are no row', (t) => {
  const packer = createRowPacker()
  const view = new DataView(new ArrayBuffer(1 << 12))
  const value = new Uint8Array(20)
  const statistics = { min: { kind: 'bytes', value }, max: { kind: 'bytes', value } } as const
  const whole = packWithTexts([{ field: 0, values: 5, statistics }])
  t.ok(packer.pack(whole, view, 0) >= 0)
  for (const length of [300, 2 ** 31]) {
    const damaged = whole.slice()
    new DataView(damaged.buffer).setUint32(32, length, true)
    t.equal(packer.pack(damaged, view, 0), -1)
  }
  t.equal(packer.pack(new Uint8Array(0), view, 0), -1)
  t.end()
})
