import t from 'tap'
import { mergedSchema, mergeSchemas } from '../../src/main/query/source/schema/merge-schema.ts'
import {
  type DataType,
  type Field,
  field,
  type Schema,
  sameType,
  typeName,
} from '../../src/plan/types/schema.ts'
import { fc } from '../support/generate.ts'
import { errorOf } from './bound.ts'

const int = (bits: 8 | 16 | 32 | 64): DataType => ({ kind: 'int', bits, signed: true })
const uint = (bits: 8 | 16 | 32 | 64): DataType => ({ kind: 'int', bits, signed: false })
const float = (bits: 16 | 32 | 64): DataType => ({ kind: 'float', bits })
const timestamp = (unit: 'second' | 'nanosecond', zone: string | null): DataType => ({
  kind: 'timestamp',
  unit,
  zone,
})
const TEXT: DataType = { kind: 'utf8' }
const NULL: DataType = { kind: 'null' }

const words = (index: 8 | 16, ordered = false): DataType => ({
  kind: 'dictionary',
  index: { kind: 'int', bits: index, signed: true },
  value: TEXT,
  ordered,
})

const schema = (...fields: Field[]): Schema => ({ fields, metadata: {} })
const merge = (...schemas: Schema[]) =>
  mergeSchemas(schemas.map((each, index) => ({ path: `argo/${'abcdef'[index]}.nc`, schema: each })))
const mergeTypes = (...types: DataType[]): DataType | undefined =>
  merge(...types.map((type) => schema(field('depth', type)))).fields[0]?.type

t.test('the widening table', async (t) => {
  const cases: readonly (readonly [DataType, DataType, DataType])[] = [
    [int(8), int(64), int(64)],
    [int(8), uint(8), int(16)],
    [int(16), uint(16), int(32)],
    [int(32), uint(32), int(64)],
    [int(64), uint(64), float(64)],
    [int(8), uint(64), float(64)],
    [int(64), uint(8), int(64)],
    [uint(8), uint(32), uint(32)],
    [int(8), float(32), float(64)],
    [int(8), float(16), float(64)],
    [float(32), float(64), float(64)],
    [float(16), float(32), float(32)],
    [words(8), words(8), words(8)],
    [words(8), words(16), TEXT],
    [words(8), words(8, true), TEXT],
    [words(8), TEXT, TEXT],
    [words(8), NULL, words(8)],
    [timestamp('second', null), timestamp('nanosecond', null), timestamp('nanosecond', null)],
    [timestamp('second', null), timestamp('second', 'Europe/Oslo'), timestamp('second', 'Europe/Oslo')],
    [timestamp('second', 'Europe/Oslo'), timestamp('second', '+02:00'), timestamp('second', 'UTC')],
    [
      { kind: 'date', unit: 'day' },
      { kind: 'date', unit: 'millisecond' },
      { kind: 'date', unit: 'millisecond' },
    ],
    [
      { kind: 'time', unit: 'second' },
      { kind: 'time', unit: 'microsecond' },
      { kind: 'time', unit: 'microsecond' },
    ],
    [{ kind: 'uuid' }, { kind: 'fixed_binary', width: 16 }, { kind: 'fixed_binary', width: 16 }],
    [{ kind: 'uuid' }, { kind: 'uuid' }, { kind: 'uuid' }],
    [NULL, TEXT, TEXT],
    [NULL, NULL, NULL],
  ]
  for (const [a, b, merged] of cases) {
    t.same(mergeTypes(a, b), merged, `${typeName(a)} and ${typeName(b)}`)
    t.same(mergeTypes(b, a), merged, `${typeName(b)} and ${typeName(a)}`)
  }
})

t.test('lists and structs of the same values, whatever their items are called', async (t) => {
  const point = (nullable: boolean): DataType => ({
    kind: 'struct',
    fields: [field('x', float(64), nullable), field('y', float(64), nullable)],
  })
  const list = (name: string, type: DataType, nullable: boolean): DataType => ({
    kind: 'list',
    item: field(name, type, nullable),
  })
  const map = (nullable: boolean): DataType => ({
    kind: 'map',
    entries: field('key_value', point(nullable), false),
    sorted: nullable,
  })
  const cases: readonly (readonly [DataType, DataType, DataType])[] = [
    [list('item', TEXT, false), list('element', TEXT, true), list('element', TEXT, true)],
    [list('a', point(false), false), list('a', point(true), false), list('a', point(true), false)],
    [map(true), map(false), { ...map(true), sorted: false } as DataType],
    [
      { kind: 'fixed_list', item: field('item', int(8), false), size: 2 },
      { kind: 'fixed_list', item: field('item', int(8), true), size: 2 },
      { kind: 'fixed_list', item: field('item', int(8), true), size: 2 },
    ],
  ]
  for (const [a, b, merged] of cases) {
    t.same(mergeTypes(a, b), merged, `${typeName(a)} and ${typeName(b)}`)
    t.same(mergeTypes(b, a), merged, `${typeName(b)} and ${typeName(a)}`)
  }
})

t.test('what does not widen is an error that names the column and both files', async (t) => {
  t.equal(
    errorOf(() => mergeTypes(TEXT, float(64))),
    "schema_conflict: Failed to infer schema: Incompatible types for field 'depth': Utf8 in 'argo/a.nc' vs Float64 in 'argo/b.nc'",
  )
  t.equal(
    errorOf(() => mergeTypes(NULL, int(8), uint(8), TEXT)),
    "schema_conflict: Failed to infer schema: Incompatible types for field 'depth': Int8 in 'argo/b.nc' vs Utf8 in 'argo/d.nc'",
  )
  for (const [a, b] of [
    [{ kind: 'bool' }, int(8)],
    [timestamp('second', null), int(64)],
    [timestamp('second', null), { kind: 'date', unit: 'day' }],
    [TEXT, { kind: 'binary' }],
    [
      { kind: 'list', item: field('item', int(8)) },
      { kind: 'list', item: field('item', int(16)) },
    ],
    [
      { kind: 'list', item: field('item', TEXT) },
      { kind: 'large_list', item: field('item', TEXT) },
    ],
    [
      { kind: 'fixed_list', item: field('item', TEXT), size: 2 },
      { kind: 'fixed_list', item: field('item', TEXT), size: 3 },
    ],
    [
      { kind: 'struct', fields: [field('x', TEXT)] },
      { kind: 'struct', fields: [field('y', TEXT)] },
    ],
    [
      { kind: 'struct', fields: [field('x', TEXT)] },
      { kind: 'struct', fields: [field('x', TEXT), field('y', TEXT)] },
    ],
    [
      { kind: 'decimal', bits: 128, precision: 9, scale: 2 },
      { kind: 'decimal', bits: 128, precision: 9, scale: 3 },
    ],
  ] as const) {
    t.match(
      errorOf(() => mergeTypes(a, b)),
      /^schema_conflict: /,
      `${typeName(a)} and ${typeName(b)}`,
    )
  }
})

t.test('columns come in order of first appearance', async (t) => {
  const merged = merge(schema(field('b', TEXT), field('a', TEXT)), schema(field('c', TEXT), field('a', TEXT)))
  t.same(
    merged.fields.map(({ name }) => name),
    ['b', 'a', 'c'],
  )
  t.same(merge().fields, [])
})

t.test('a column is not null if every file has it and says so', async (t) => {
  const always = field('a', TEXT, false)
  t.equal(merge(schema(always), schema(always)).fields[0]?.nullable, false)
  t.equal(merge(schema(always), schema(field('a', TEXT))).fields[0]?.nullable, true)
  t.equal(merge(schema(always), schema()).fields[0]?.nullable, true)
})

t.test('metadata stay as far as files agree', async (t) => {
  const tagged = (metadata: Record<string, string>) => ({
    ...schema({ ...field('a', TEXT), metadata }),
    metadata,
  })
  const merged = merge(
    tagged({ k: '1', same: 'x' }),
    tagged({ k: '2', own: 'y' }),
    tagged({ k: '1', same: 'x' }),
  )
  t.same(merged.fields[0]?.metadata, { same: 'x', own: 'y' })
  t.same(merged.metadata, { same: 'x', own: 'y' })
})

t.test('the types and the errors do not depend on the order of files', async () => {
  const types: readonly DataType[] = [
    ...([8, 16, 32, 64] as const).flatMap((bits) => [int(bits), uint(bits)]),
    ...([16, 32, 64] as const).map(float),
    NULL,
  ]
  const some = fc.array(fc.constantFrom(...types), { minLength: 1, maxLength: 6 })
  const property = fc.property(some, fc.infiniteStream(fc.nat()), (chosen, random) => {
    const shuffled = chosen
      .map((type) => ({ type, key: random.next().value }))
      .sort((a, b) => a.key - b.key)
      .map(({ type }) => type)
    const [left, right] = [mergeTypes(...chosen), mergeTypes(...shuffled)]
    return left !== undefined && right !== undefined && sameType(left, right)
  })
  fc.assert(property, { numRuns: 500 })
})

t.test('files of one schema have it together, and what is made of it is made once', async (t) => {
  const one = { ...schema(field('a', TEXT, false), field('b', int(8))), metadata: { k: '1' } }
  const file = { path: 'a.nc', size: 1, mtimeNs: 1n } as never
  for (const format of [{ layout: 'grid' }, { layout: 'row_groups' }, { layout: 'text' }]) {
    const ofFiles = (count: number) =>
      mergedSchema(
        format as never,
        Array.from({ length: count }, () => file),
        Array.from({ length: count }, () => ({ schema: one })),
      )
    const [merged, again] = [await ofFiles(3), await ofFiles(5)]
    t.same(merged, { schema: merge(one, one, one), conflicts: [] })
    t.equal(merged.schema, again.schema)
  }
})
