import * as arrow from 'apache-arrow'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { bitmap, type CArray, texts } from './c-array.ts'
import { hex } from './decode.ts'

/** A foreign array of a type, the same type in apache-arrow's terms, and the rows as apache-arrow shows them. */
export interface Sample {
  readonly name: string
  readonly type: DataType
  readonly arrow: arrow.DataType
  readonly array: CArray
  readonly rows: readonly unknown[]
}

const VALID = [true, true, false, true, true]
const validity = bitmap(VALID)
const nulled = <T>(values: readonly T[]): (T | null)[] => values.map((value, i) => (VALID[i] ? value : null))

/** Five rows, the third null, of `width` bytes each. */
function fixed(
  name: string,
  format: string,
  type: DataType,
  arrowType: arrow.DataType,
  values: ArrayBufferView,
  rows: readonly unknown[],
): Sample {
  return {
    name,
    type,
    arrow: arrowType,
    array: { format, length: 5, nullCount: 1, buffers: [validity, values] },
    rows: nulled(rows),
  }
}

function ascending(width: number): Uint8Array {
  return Uint8Array.from({ length: 5 * width }, (_, i) => i)
}

function chunks(bytes: Uint8Array, width: number): string[] {
  return Array.from({ length: 5 }, (_, i) => hex(bytes.subarray(i * width, (i + 1) * width)))
}

const small = [1, 0, 9, 3, 127]
const wide = [1n, -1n, 9n, 2n ** 63n - 1n, -(2n ** 63n)]
const floats = [1.5, -0, 9, Number.NaN, Number.NEGATIVE_INFINITY]
const words = ['wört', '', 'null', 'longer than twelve bytes', 'x']
const bytes16 = ascending(16)

const int = (bits: 8 | 16 | 32 | 64, signed: boolean): DataType => ({ kind: 'int', bits, signed })

const ints: Sample[] = [
  fixed('int8', 'c', int(8, true), new arrow.Int8(), Int8Array.from(small), small),
  fixed('int16', 's', int(16, true), new arrow.Int16(), Int16Array.from(small), small),
  fixed('int32', 'i', int(32, true), new arrow.Int32(), Int32Array.from(small), small),
  fixed('int64', 'l', int(64, true), new arrow.Int64(), BigInt64Array.from(wide), wide),
  fixed('uint8', 'C', int(8, false), new arrow.Uint8(), Uint8Array.from(small), small),
  fixed('uint16', 'S', int(16, false), new arrow.Uint16(), Uint16Array.from(small), small),
  fixed('uint32', 'I', int(32, false), new arrow.Uint32(), Uint32Array.from(small), small),
  fixed(
    'uint64',
    'L',
    int(64, false),
    new arrow.Uint64(),
    BigInt64Array.from(wide),
    wide.map((value) => BigInt.asUintN(64, value)),
  ),
]

const numbers: Sample[] = [
  fixed(
    'float16',
    'e',
    { kind: 'float', bits: 16 },
    new arrow.Float16(),
    Uint16Array.of(0x3c00, 0, 0, 0x4000, 0x3800),
    [1, 0, 0, 2, 0.5],
  ),
  fixed('float32', 'f', { kind: 'float', bits: 32 }, new arrow.Float32(), Float32Array.from(floats), floats),
  fixed('float64', 'g', { kind: 'float', bits: 64 }, new arrow.Float64(), Float64Array.from(floats), floats),
  fixed(
    'decimal128',
    'd:20,3',
    { kind: 'decimal', bits: 128, precision: 20, scale: 3 },
    new arrow.Decimal(3, 20, 128),
    bytes16,
    chunks(bytes16, 16),
  ),
  fixed(
    'decimal256',
    'd:50,3,256',
    { kind: 'decimal', bits: 256, precision: 50, scale: 3 },
    new arrow.Decimal(3, 50, 256),
    ascending(32),
    chunks(ascending(32), 32),
  ),
]

const times: Sample[] = [
  fixed(
    'date32',
    'tdD',
    { kind: 'date', unit: 'day' },
    new arrow.DateDay(),
    Int32Array.from(small),
    [86_400_000, 0, 0, 259_200_000, 10_972_800_000],
  ),
  fixed(
    'time32',
    'ttm',
    { kind: 'time', unit: 'millisecond' },
    new arrow.TimeMillisecond(),
    Int32Array.from(small),
    small,
  ),
  fixed(
    'time64',
    'ttn',
    { kind: 'time', unit: 'nanosecond' },
    new arrow.TimeNanosecond(),
    BigInt64Array.from(wide),
    wide,
  ),
  fixed(
    'timestamp',
    'tsm:UTC',
    { kind: 'timestamp', unit: 'millisecond', zone: 'UTC' },
    new arrow.TimestampMillisecond('UTC'),
    BigInt64Array.from(small.map(BigInt)),
    small,
  ),
  fixed(
    'duration',
    'tDs',
    { kind: 'duration', unit: 'second' },
    new arrow.DurationSecond(),
    BigInt64Array.from(wide),
    wide,
  ),
  fixed(
    'interval of months',
    'tiM',
    { kind: 'interval', unit: 'year_month' },
    new arrow.IntervalYearMonth(),
    Int32Array.from([13, 1, 2, 3, 4]),
    [
      Int32Array.of(1, 1),
      Int32Array.of(0, 1),
      Int32Array.of(0, 2),
      Int32Array.of(0, 3),
      Int32Array.of(0, 4),
    ].map(hex),
  ),
  fixed(
    'interval of days',
    'tiD',
    { kind: 'interval', unit: 'day_time' },
    new arrow.IntervalDayTime(),
    ascending(8),
    chunks(ascending(8), 8),
  ),
]

const fixedBinary = fixed(
  'fixed_binary',
  'w:3',
  { kind: 'fixed_binary', width: 3 },
  new arrow.FixedSizeBinary(3),
  ascending(3),
  chunks(ascending(3), 3),
)

const flat: Sample[] = [
  {
    name: 'null',
    type: { kind: 'null' },
    arrow: new arrow.Null(),
    array: { format: 'n', length: 5, buffers: [] },
    rows: nulled([null, null, null, null, null]),
  },
  fixed('bool', 'b', { kind: 'bool' }, new arrow.Bool(), bitmap([1, 0, 1, 0, 1]), [
    true,
    false,
    true,
    false,
    true,
  ]),
  ...ints,
  ...numbers,
  ...times,
  fixedBinary,
]

/** Views of texts: those of at most 12 bytes inline, the others in the second of two data buffers. */
function views(values: readonly string[]): ArrayBufferView[] {
  const data: Buffer[] = []
  const all = values.map((value) => {
    const bytes = Buffer.from(value)
    const view = Buffer.alloc(16)
    view.writeInt32LE(bytes.length)
    if (bytes.length <= 12) bytes.copy(view, 4)
    else {
      bytes.copy(view, 4, 0, 4)
      view.writeInt32LE(1, 8)
      view.writeInt32LE(Buffer.concat(data).length, 12)
      data.push(bytes)
    }
    return view
  })
  const second = Buffer.concat(data)
  return [Buffer.concat(all), Buffer.from('first'), second, BigInt64Array.of(5n, BigInt(second.length))]
}

const utf8 = { type: { kind: 'utf8' }, arrow: new arrow.Utf8(), rows: nulled(words) } as const
const binary = {
  type: { kind: 'binary' },
  arrow: new arrow.Binary(),
  rows: nulled(words.map((word) => hex(Buffer.from(word)))),
} as const
const column = (format: string, buffers: readonly ArrayBufferView[]): CArray => ({
  format,
  length: 5,
  buffers: [validity, ...buffers],
})

const strings: Sample[] = [
  { name: 'utf8', ...utf8, array: column('u', texts(words)) },
  { name: 'large utf8', ...utf8, array: column('U', texts(words, true)) },
  { name: 'utf8 view', ...utf8, array: column('vu', views(words)) },
  { name: 'binary', ...binary, array: column('z', texts(words)) },
  { name: 'large binary', ...binary, array: column('Z', texts(words, true)) },
  { name: 'binary view', ...binary, array: column('vz', views(words)) },
  {
    name: 'dictionary of text',
    ...utf8,
    array: {
      ...column('s', [Int16Array.of(3, 1, -1, 0, 2)]),
      dictionary: {
        format: 'U',
        length: 4,
        buffers: [null, ...texts([words[3] ?? '', '', 'x', 'wört'], true)],
      },
    },
  },
  {
    name: 'dictionary of int32',
    type: int(32, true),
    arrow: new arrow.Int32(),
    array: {
      ...column('C', [Uint8Array.of(1, 0, 255, 2, 1)]),
      dictionary: {
        format: 'i',
        length: 3,
        offset: 1,
        buffers: [bitmap([1, 1, 1, 0]), Int32Array.of(0, 10, 20, 30)],
      },
    },
    rows: [20, 10, null, null, 20],
  },
]

/** Ten items, of which the fourth is null. */
const items: CArray = {
  format: 'i',
  length: 10,
  buffers: [bitmap([1, 1, 1, 0, 1, 1, 1, 1, 1, 1]), Int32Array.from({ length: 10 }, (_, i) => i)],
}
const item = field('item', int(32, true))
const arrowItem = new arrow.Field('item', new arrow.Int32(), true)
const lists = nulled([[0, 1], [], [2], [null, 4, 5], [6]])
const ends = [0, 2, 2, 3, 6, 7]
const pair = {
  format: '+s',
  length: 10,
  buffers: [null],
  children: [{ ...items, format: 'i' }, items],
} as const
const pairType: DataType = { kind: 'struct', fields: [field('a', int(32, true)), field('b', int(32, true))] }
const arrowPair = new arrow.Struct([
  new arrow.Field('a', new arrow.Int32(), true),
  new arrow.Field('b', new arrow.Int32(), true),
])
const keys: CArray = { format: 'u', length: 10, buffers: [null, ...texts('abcdefghij'.split(''))] }

const nested: Sample[] = [
  {
    name: 'list',
    type: { kind: 'list', item },
    arrow: new arrow.List(arrowItem),
    array: { ...column('+l', [Int32Array.from(ends)]), children: [items] },
    rows: lists,
  },
  {
    name: 'list of lists of structs',
    type: { kind: 'list', item: field('item', { kind: 'list', item: field('item', pairType) }) },
    arrow: new arrow.List(
      new arrow.Field('item', new arrow.List(new arrow.Field('item', arrowPair, true)), true),
    ),
    array: {
      ...column('+l', [Int32Array.of(0, 1, 1, 2, 3, 3)]),
      children: [
        {
          format: '+l',
          length: 3,
          buffers: [bitmap([1, 0, 1]), Int32Array.of(1, 3, 3, 5)],
          children: [pair],
        },
      ],
    },
    rows: nulled([
      [
        [
          { a: 1, b: 1 },
          { a: 2, b: 2 },
        ],
      ],
      [],
      [null],
      [
        [
          { a: null, b: null },
          { a: 4, b: 4 },
        ],
      ],
      [],
    ]),
  },
  {
    name: 'fixed list',
    type: { kind: 'fixed_list', item, size: 2 },
    arrow: new arrow.FixedSizeList(2, arrowItem),
    array: { format: '+w:2', length: 5, buffers: [validity], children: [items] },
    rows: nulled([
      [0, 1],
      [2, null],
      [4, 5],
      [6, 7],
      [8, 9],
    ]),
  },
  {
    name: 'struct',
    type: pairType,
    arrow: arrowPair,
    array: {
      format: '+s',
      length: 5,
      buffers: [validity],
      children: [items, { ...items, offset: 2, length: 8 }],
    },
    rows: nulled([
      { a: 0, b: 2 },
      { a: 1, b: null },
      { a: 2, b: 4 },
      { a: null, b: 5 },
      { a: 4, b: 6 },
    ]),
  },
  {
    name: 'map',
    type: {
      kind: 'map',
      entries: field(
        'entries',
        {
          kind: 'struct',
          fields: [field('key', { kind: 'utf8' }, false), field('value', int(32, true))],
        },
        false,
      ),
      sorted: false,
    },
    arrow: new arrow.Map_(
      new arrow.Field(
        'entries',
        new arrow.Struct<{ key: arrow.Utf8; value: arrow.Int32 }>([
          new arrow.Field('key', new arrow.Utf8(), false),
          new arrow.Field('value', new arrow.Int32(), true),
        ]),
        false,
      ),
    ),
    array: {
      ...column('+m', [Int32Array.from(ends)]),
      children: [{ format: '+s', length: 10, buffers: [null], children: [keys, items] }],
    },
    rows: nulled([
      [
        ['a', 0],
        ['b', 1],
      ],
      [],
      [],
      [
        ['d', null],
        ['e', 4],
        ['f', 5],
      ],
      [['g', 6]],
    ]),
  },
]

/** A column of every layout that Arrow files bring, apart from those that are refused. */
export const SAMPLES: readonly Sample[] = [...flat, ...strings, ...nested]
