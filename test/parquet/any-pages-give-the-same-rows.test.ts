import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import {
  PhysicalType,
  Repetition,
  type SchemaElement,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { createParquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readValues, type Value } from '../formats/values.ts'
import { fc } from '../support/generate.ts'
import { type Level, type TestLeaf, type TestPage, writeParquet } from './write-parquet.ts'

const { required, optional, repeated } = Repetition

// message { required int32 id; optional group s { optional int32 a; required int64 b }
//           optional group l (LIST) { repeated group list { optional int32 element } } }
const SCHEMA: readonly SchemaElement[] = [
  { name: 'schema', children: 3 },
  { name: 'id', type: PhysicalType.int32, repetition: required },
  { name: 's', repetition: optional, children: 2 },
  { name: 'a', type: PhysicalType.int32, repetition: optional },
  { name: 'b', type: PhysicalType.int64, repetition: required },
  { name: 'l', repetition: optional, children: 1, logicalType: { list: {} } },
  { name: 'list', repetition: repeated, children: 1 },
  { name: 'element', type: PhysicalType.int32, repetition: optional },
]

interface Row {
  readonly s: { readonly a: number | null; readonly b: number } | null
  readonly l: readonly (number | null)[] | null
}

const small = fc.integer({ min: 0, max: 1000 })
const row: fc.Arbitrary<Row> = fc.record({
  s: fc.option(fc.record({ a: fc.option(small), b: small }), { nil: null }),
  l: fc.option(fc.array(fc.option(small), { maxLength: 4 }), { nil: null }),
})

/** Cuts a leaf's values into pages; V2 pages begin on a record, V1 pages anywhere. */
const cutter = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
  version: fc.constantFrom(1, 2),
})

function cut(
  levels: readonly Level[],
  { sizes, version }: { sizes: readonly number[]; version: number },
): TestPage[] {
  const pages: TestPage[] = []
  for (let at = 0, i = 0; at < levels.length; i++) {
    let end = Math.min(levels.length, at + (sizes[i % sizes.length] ?? 1))
    if (version === 2) while (end < levels.length && levels[end]?.repetition !== 0) end++
    pages.push({ levels: levels.slice(at, end), version: version === 2 ? 2 : 1 })
    at = end
  }
  return pages
}

function levelsOf(rows: readonly Row[]): { id: Level[]; a: Level[]; b: Level[]; element: Level[] } {
  const id = rows.map((_, i) => ({ repetition: 0, definition: 0, value: i }))
  const a = rows.map(({ s }) =>
    s === null
      ? { repetition: 0, definition: 0 }
      : s.a === null
        ? { repetition: 0, definition: 1 }
        : { repetition: 0, definition: 2, value: s.a },
  )
  const b = rows.map(({ s }) =>
    s === null ? { repetition: 0, definition: 0 } : { repetition: 0, definition: 1, value: s.b },
  )
  const element = rows.flatMap(({ l }): Level[] => {
    if (l === null) return [{ repetition: 0, definition: 0 }]
    if (l.length === 0) return [{ repetition: 0, definition: 1 }]
    return l.map((value, i) => ({
      repetition: i === 0 ? 0 : 1,
      ...(value === null ? { definition: 2 } : { definition: 3, value }),
    }))
  })
  return { id, a, b, element }
}

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)

t.test('however its leaves are cut into pages, any range of rows of a file is the same', async (t) => {
  const provider = createParquet({ smallChunk: 0, indexedChunk: 0, together: 32 << 20 })
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 60 }),
      fc.tuple(cutter, cutter, cutter, cutter),
      fc.tuple(fc.nat(), fc.nat()),
      (rows, [ids, as, bs, elements], [start, length]) => {
        const levels = levelsOf(rows)
        const leaf = (
          path: string[],
          type: number,
          maxDefinition: number,
          maxRepetition: number,
          pages: TestPage[],
        ): TestLeaf => ({ path, type, maxDefinition, maxRepetition, pages })
        const bytes = writeParquet(
          SCHEMA,
          [
            leaf(['id'], PhysicalType.int32, 0, 0, cut(levels.id, ids)),
            leaf(['s', 'a'], PhysicalType.int32, 2, 0, cut(levels.a, as)),
            leaf(['s', 'b'], PhysicalType.int64, 1, 0, cut(levels.b, bs)),
            leaf(['l', 'list', 'element'], PhysicalType.int32, 3, 1, cut(levels.element, elements)),
          ],
          rows.length,
        )
        const from = start % rows.length
        const to = from + 1 + (length % (rows.length - from))
        const source = memorySource(bytes)
        const file = provider.open(source, context)
        const big = (value: number | null): Value => (value === null ? null : BigInt(value))
        t.strictSame(readValues(file, source, 0, from, to, ['s', 'id', 'l'], context), [
          rows.slice(from, to).map(({ s }) => s && { a: big(s.a), b: big(s.b) }),
          rows.slice(from, to).map((_, i) => BigInt(from + i)),
          rows.slice(from, to).map(({ l }) => l?.map(big) ?? null),
        ])
      },
    ),
    { numRuns: 300 },
  )
  t.equal(core.usedBytes(), 0)
})
