import {
  Bool,
  type DataType,
  Dictionary,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  Map_,
  Null,
  Schema,
  Struct,
  Table,
  TimestampNanosecond,
  tableFromIPC,
  tableToIPC,
  Uint64,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import t from 'tap'
import { columnValues } from '../formats/values.ts'
import { generator } from '../support/generate.ts'
import { read } from './reading.ts'

type Random = (below: number) => number

const FLAT: readonly (readonly [() => DataType, (random: Random) => unknown])[] = [
  [() => new Bool(), (random) => random(2) === 1],
  [() => new Int8(), (random) => random(256) - 128],
  [() => new Int16(), (random) => random(1000)],
  [() => new Int32(), (random) => random(1 << 30) - 5000],
  [() => new Int64(), (random) => BigInt(random(1 << 30)) << 20n],
  [() => new Uint64(), (random) => BigInt(random(1 << 30)) << 34n],
  [() => new Float32(), (random) => random(100) / 4],
  [() => new Float64(), (random) => random(1000) / 7],
  [() => new TimestampNanosecond(), (random) => random(1 << 30)],
  [() => new FixedSizeBinary(3), (random) => Uint8Array.of(random(256), 0, random(256))],
  [() => new Utf8(), (random) => ['', 'a', 'grün', 'a longer text'][random(4)]],
  [() => new Null(), () => null],
]

interface Made {
  readonly type: DataType
  /** The same without dictionaries. */
  readonly plain: DataType
  readonly value: () => unknown
}

/** A random type with a maker of its values, a seventh of which are null. */
function randomType(random: Random, depth: number): Made {
  const nullable = (value: () => unknown) => () => (random(7) === 0 ? null : value())
  const kind = depth > 0 ? random(8) : 7
  if (kind > 4) {
    const [make, value] = FLAT[random(FLAT.length)] ?? [() => new Null(), () => null]
    return { type: make(), plain: make(), value: nullable(() => value(random)) }
  }
  if (kind === 4) {
    const index = [new Int8(), new Int16(), new Int32()][random(3)] ?? new Int8()
    const value = nullable(() => ['red', 'green', 'blue'][random(3)])
    return { type: new Dictionary(new Utf8(), index), plain: new Utf8(), value }
  }
  const members = Array.from({ length: kind === 2 ? 1 + random(3) : 1 }, () => randomType(random, depth - 1))
  const size = 1 + random(3)
  const wrap = (of: 'type' | 'plain'): DataType => {
    const fields = members.map((member, i) => new Field(`m${i}`, member[of], true))
    const [first] = fields
    if (first === undefined || kind === 2) return new Struct(fields)
    if (kind === 0) return new List(first)
    if (kind === 1) return new FixedSizeList(size, first)
    const entry = new Struct<{ key: DataType; value: DataType }>([
      new Field('key', new Utf8(), false),
      new Field('value', members[0]?.[of] ?? new Null(), true),
    ])
    return new Map_(new Field('entries', entry, false))
  }
  const make = (): unknown => {
    const some = (length: number) => Array.from({ length }, () => members[0]?.value())
    if (kind === 0) return some(random(4))
    if (kind === 1) return some(size)
    if (kind === 2) return Object.fromEntries(members.map(({ value }, i) => [`m${i}`, value()]))
    return new Map(some(random(3)).map((value, i) => [`k${i}`, value]))
  }
  return { type: wrap('type'), plain: wrap('plain'), value: nullable(make) }
}

/** A table of columns, each given as its type and the values of one record batch after the other. */
function tableOf(columns: readonly (readonly [DataType, readonly (readonly unknown[])[]])[]): Table {
  const schema = new Schema(columns.map(([type], i) => new Field(`c${i}`, type, true)))
  const [, batches = []] = columns[0] ?? []
  return new Table(
    schema,
    batches.flatMap((_, k) => {
      const vectors = columns.map(([type, values]) => vectorFromArray([...(values[k] ?? [])], type))
      return new Table(schema, Object.fromEntries(vectors.map((vector, i) => [`c${i}`, vector]))).batches
    }),
  )
}

for (let seed = 0; seed < 60; seed++)
  t.test(`table ${seed}`, async (t) => {
    const random = generator(`table ${seed}`)
    const columns = Array.from({ length: 1 + random(4) }, () => randomType(random, 3))
    const sizes = Array.from({ length: 1 + random(3) }, () => 1 + random(80))
    const values = columns.map(({ value }) => sizes.map((length) => Array.from({ length }, value)))
    const table = (of: 'type' | 'plain', batches: number): Table =>
      tableOf(columns.map((column, i) => [column[of], (values[i] ?? []).slice(0, batches)]))
    const message = columns.map(({ type }) => String(type)).join(', ')
    // apache-arrow writes one dictionary for each batch, which a file must not have.
    for (const [kind, batches] of [
      ['stream', sizes.length],
      ['file', 1],
    ] as const)
      t.strictSame(
        read(tableToIPC(table('type', batches), kind)),
        columnValues(tableFromIPC(tableToIPC(table('plain', batches)))),
        `${kind} of ${message}`,
      )
  })
