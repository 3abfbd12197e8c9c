import t from 'tap'
import { type DataType, typeName } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import {
  ConvertedType,
  PhysicalType,
  Repetition,
  type SchemaElement,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readAll, type Value } from '../formats/values.ts'
import { type Level, writeParquet } from './write-parquet.ts'

const { required, optional, repeated } = Repetition
const { int32 } = PhysicalType
const list = { convertedType: ConvertedType.list }
const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)

const value = (repetition: number, definition: number, value: number): Level => ({
  repetition,
  definition,
  value,
})
const none = (definition: number): Level => ({ repetition: 0, definition })

// The backward-compatibility rules of LogicalTypes.md, one each; rows [1, 2], [] and, where it can be, null.
const CASES: readonly {
  readonly name: string
  readonly column: readonly SchemaElement[]
  readonly leaves: readonly { readonly path: readonly string[]; readonly levels: readonly Level[] }[]
  readonly maxDefinition: number
  readonly rows: readonly Value[]
  readonly type: string
}[] = [
  {
    name: 'a repeated column without a list',
    column: [{ name: 'x', type: int32, repetition: repeated }],
    leaves: [{ path: ['x'], levels: [value(0, 1, 1), value(1, 1, 2), none(0)] }],
    maxDefinition: 1,
    rows: [[1n, 2n], []],
    type: 'List<Int32>',
  },
  {
    name: 'a list of two levels',
    column: [
      { name: 'x', repetition: optional, children: 1, ...list },
      { name: 'element', type: int32, repetition: repeated },
    ],
    leaves: [{ path: ['x', 'element'], levels: [value(0, 2, 1), value(1, 2, 2), none(1), none(0)] }],
    maxDefinition: 2,
    rows: [[1n, 2n], [], null],
    type: 'List<Int32>',
  },
  {
    name: 'a list whose repeated group is called array',
    column: [
      { name: 'x', repetition: required, children: 1, ...list },
      { name: 'array', repetition: repeated, children: 1 },
      { name: 'a', type: int32, repetition: required },
    ],
    leaves: [{ path: ['x', 'array', 'a'], levels: [value(0, 1, 1), value(1, 1, 2), none(0)] }],
    maxDefinition: 1,
    rows: [[{ a: 1n }, { a: 2n }], []],
    type: 'List<Struct<a: Int32>>',
  },
  {
    name: 'a list whose repeated group has two members',
    column: [
      { name: 'x', repetition: required, children: 1, ...list },
      { name: 'item', repetition: repeated, children: 2 },
      { name: 'a', type: int32, repetition: required },
      { name: 'b', type: int32, repetition: required },
    ],
    leaves: ['a', 'b'].map((member, i) => ({
      path: ['x', 'item', member],
      levels: [value(0, 1, 1 + 10 * i), value(1, 1, 2 + 10 * i), none(0)],
    })),
    maxDefinition: 1,
    rows: [
      [
        { a: 1n, b: 11n },
        { a: 2n, b: 12n },
      ],
      [],
    ],
    type: 'List<Struct<a: Int32, b: Int32>>',
  },
  {
    name: 'a list of three levels under another name',
    column: [
      { name: 'x', repetition: required, children: 1, ...list },
      { name: 'bag', repetition: repeated, children: 1 },
      { name: 'array_element', type: int32, repetition: required },
    ],
    leaves: [{ path: ['x', 'bag', 'array_element'], levels: [value(0, 1, 1), value(1, 1, 2), none(0)] }],
    maxDefinition: 1,
    rows: [[1n, 2n], []],
    type: 'List<Int32>',
  },
  {
    name: 'a map without values is a list of its keys',
    column: [
      { name: 'x', repetition: required, children: 1, convertedType: ConvertedType.map },
      { name: 'key_value', repetition: repeated, children: 1 },
      { name: 'key', type: int32, repetition: required },
    ],
    leaves: [{ path: ['x', 'key_value', 'key'], levels: [value(0, 1, 1), value(1, 1, 2), none(0)] }],
    maxDefinition: 1,
    rows: [[1n, 2n], []],
    type: 'List<Int32>',
  },
]

for (const { name, column, leaves, maxDefinition, rows, type } of CASES) {
  t.test(name, async (t) => {
    const bytes = writeParquet(
      [{ name: 'schema', children: 1 }, ...column],
      leaves.map(({ path, levels }) => ({
        path,
        type: int32,
        maxDefinition,
        maxRepetition: 1,
        pages: [{ levels, version: 1 }],
      })),
      rows.length,
    )
    const source = memorySource(bytes)
    const file = parquet.open(source, context)
    t.equal(typeName(file.schema.fields[0]?.type as DataType), type)
    t.strictSame(readAll(file, source, context), [rows])
    t.equal(core.usedBytes(), 0)
  })
}
