import t from 'tap'
import { typeName } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import {
  PhysicalType,
  Repetition,
  type SchemaElement,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { createParquet, parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readAll } from '../formats/values.ts'
import { changeFooter } from './change-footer.ts'
import { type TestLeaf, writeParquet } from './write-parquet.ts'

// Shredded ones, as DuckDB writes them, are among the fixtures of parquet-conforms (duckdb-variant).

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)
const byPages = createParquet({ smallChunk: 0, indexedChunk: 0, together: 32 << 20 })

const { optional, repeated, required } = Repetition
const binary = { type: PhysicalType.byteArray }

/** The bytes of a `LogicalType`: as the file is written, VARIANT of specification version 1, and a member 19 to come. */
const AS_WRITTEN = [0xdc, 0, 0]
const VARIANT = [0x0c, 0x20, 0x13, 1, 0, 0]
const MEMBER_19 = [0x0c, 0x26, 0, 0]

/** A group with an annotation that no group has (BSON), for `changeFooter` to replace by VARIANT. */
const group = (name: string, repetition: number): SchemaElement => ({
  name,
  repetition,
  children: 2,
  logicalType: { bson: {} },
})
const members: readonly SchemaElement[] = [
  { name: 'metadata', repetition: required, ...binary },
  { name: 'value', repetition: optional, ...binary },
]

const METADATA = Buffer.from([1, 0, 0])
/** Short strings in the variant encoding: `a`, the empty one, `bc`. */
const VALUES = [Buffer.from([5, 97]), null, Buffer.from([9, 98, 99])]

/** Three rows: the group is null in the second one. */
function flatFile(): Uint8Array {
  const leaf = (name: string, maxDefinition: number, values: readonly (Uint8Array | null)[]): TestLeaf => ({
    path: ['v', name],
    ...binary,
    maxDefinition,
    maxRepetition: 0,
    pages: [
      {
        version: 1,
        levels: values.map((value) => ({
          repetition: 0,
          ...(value === null ? { definition: 0 } : { definition: maxDefinition, value }),
        })),
      },
    ],
  })
  return writeParquet(
    [{ name: 'schema', children: 1 }, group('v', optional), ...members],
    [leaf('metadata', 1, [METADATA, null, METADATA]), leaf('value', 2, VALUES)],
    3,
  )
}

/** Two rows: a list of two, and an empty one. */
function listFile(): Uint8Array {
  const leaf = (name: string, maxDefinition: number, values: readonly (Uint8Array | null)[]): TestLeaf => ({
    path: ['l', 'list', 'element', name],
    ...binary,
    maxDefinition,
    maxRepetition: 1,
    pages: [
      {
        version: 2,
        levels: [
          ...values.map((value, i) => ({
            repetition: i,
            ...(value === null ? { definition: 1 } : { definition: maxDefinition, value }),
          })),
          { repetition: 0, definition: 0 },
        ],
      },
    ],
  })
  return writeParquet(
    [
      { name: 'schema', children: 1 },
      { name: 'l', repetition: required, children: 1, logicalType: { list: {} } },
      { name: 'list', repetition: repeated, children: 1 },
      group('element', required),
      ...members,
    ],
    [leaf('metadata', 1, [METADATA, METADATA]), leaf('value', 2, [Buffer.from([5, 97]), null])],
    2,
  )
}

t.test('a VARIANT, and what may come after it, is the struct that it is stored as', async (t) => {
  for (const annotation of [VARIANT, MEMBER_19])
    for (const provider of [parquet, byPages]) {
      const source = memorySource(changeFooter(flatFile(), AS_WRITTEN, annotation), 'x.parquet')
      const file = provider.open(source, context)
      t.equal(file.schema.fields[0]?.nullable, true)
      t.match(typeName(file.schema.fields[0]?.type ?? { kind: 'null' }), 'Struct')
      t.strictSame(readAll(file, source, context), [
        [{ metadata: '010000', value: '0561' }, null, { metadata: '010000', value: '096263' }],
      ])
    }
  t.equal(core.usedBytes(), 0)
})

t.test('so is one in a list', async (t) => {
  const source = memorySource(changeFooter(listFile(), AS_WRITTEN, VARIANT), 'x.parquet')
  t.strictSame(readAll(parquet.open(source, context), source, context), [
    [
      [
        { metadata: '010000', value: '0561' },
        { metadata: '010000', value: null },
      ],
      [],
    ],
  ])
})
