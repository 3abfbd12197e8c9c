import assert from 'node:assert/strict'
import { RecordBatchReader, util } from 'apache-arrow'
import t from 'tap'
import { blockOf, FILE_MAGIC, fileTail } from '../../src/main/output/arrow/arrow-file.ts'
import { END_OF_STREAM } from '../../src/plan/arrow/ipc.ts'
import { writeSchemaMessage } from '../../src/plan/arrow/schema-message.ts'
import type { DataType, Field, IntType, Schema, TimeUnit } from '../../src/plan/types/schema.ts'
import { readSchemaMessage } from '../../src/workers/formats/arrow/read-schema.ts'
import { fc } from '../support/generate.ts'
import { toArrowSchema } from './to-arrow-schema.ts'

const texts = fc.string({ unit: 'grapheme', maxLength: 12 })
const metadata = fc.dictionary(texts, texts, { maxKeys: 3, noNullPrototype: true })
const units = fc.constantFrom<TimeUnit>('second', 'millisecond', 'microsecond', 'nanosecond')
const ints: fc.Arbitrary<IntType> = fc.record({
  kind: fc.constant('int'),
  bits: fc.constantFrom(8, 16, 32, 64),
  signed: fc.boolean(),
})

const PRECISION = { 32: 9, 64: 18, 128: 38, 256: 76 } as const
const decimals = fc.constantFrom<32 | 64 | 128 | 256>(32, 64, 128, 256).chain((bits) =>
  fc.record({
    kind: fc.constant('decimal' as const),
    bits: fc.constant(bits),
    precision: fc.integer({ min: 1, max: PRECISION[bits] }),
    scale: fc.integer({ min: -4, max: PRECISION[bits] }),
  }),
)

const values: fc.Arbitrary<DataType> = fc.oneof(
  fc.constantFrom<DataType>({ kind: 'bool' }, { kind: 'utf8' }, { kind: 'binary' }),
  ints,
  fc.constantFrom<DataType>(...([16, 32, 64] as const).map((bits) => ({ kind: 'float' as const, bits }))),
  decimals,
  fc.integer({ min: 1, max: 1000 }).map((width): DataType => ({ kind: 'fixed_binary', width })),
  fc.constantFrom<DataType>({ kind: 'date', unit: 'day' }, { kind: 'date', unit: 'millisecond' }),
  units.map((unit): DataType => ({ kind: 'time', unit })),
  units.map((unit): DataType => ({ kind: 'duration', unit })),
  fc
    .tuple(units, fc.constantFrom(null, 'UTC', 'Europe/Berlin', '+02:00'))
    .map(([unit, zone]): DataType => ({ kind: 'timestamp', unit, zone })),
  fc.constantFrom<DataType>(
    ...(['year_month', 'day_time', 'month_day_nano'] as const).map((unit) => ({
      kind: 'interval' as const,
      unit,
    })),
  ),
)

const fieldOf = (types: fc.Arbitrary<DataType>): fc.Arbitrary<Field> =>
  fc.record({ name: texts, type: types, nullable: fc.boolean(), metadata })

const { nested } = fc.letrec<{ nested: DataType; field: Field }>((tie) => {
  const field = tie('field')
  return {
    field: fieldOf(tie('nested')),
    nested: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      values,
      field.map((item): DataType => ({ kind: 'list', item })),
      field.map((item): DataType => ({ kind: 'large_list', item })),
      fc
        .tuple(field, fc.integer({ min: 1, max: 9 }))
        .map(([item, size]): DataType => ({ kind: 'fixed_list', item, size })),
      fc.array(field, { maxLength: 4 }).map((fields): DataType => ({ kind: 'struct', fields })),
      fc.tuple(field, field, fc.boolean()).map(([key, value, sorted]): DataType => {
        const fields = [
          { ...key, name: 'key', nullable: false },
          { ...value, name: 'value' },
        ]
        const entries = {
          name: 'entries',
          type: { kind: 'struct', fields },
          nullable: false,
          metadata: {},
        } as const
        return { kind: 'map', entries, sorted }
      }),
    ),
  }
})

const columns = fieldOf(
  fc.oneof(
    nested,
    fc.constant<DataType>({ kind: 'null' }),
    fc
      .record({ index: ints, value: values, ordered: fc.boolean() })
      .map((parts): DataType => ({ kind: 'dictionary', ...parts })),
  ),
)

const schemas: fc.Arbitrary<Schema> = fc.record({ fields: fc.array(columns, { maxLength: 8 }), metadata })

t.test('the apache-arrow package reads the schema of a stream, and of a file, as it was', async () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const message = Buffer.from(writeSchemaMessage(schema))
      const expected = toArrowSchema(schema)
      const file = [FILE_MAGIC, message, fileTail(message, [], [])]
      for (const parts of [[message, END_OF_STREAM], file]) {
        const found = RecordBatchReader.from(Buffer.concat(parts)).open().schema
        assert.ok(util.compareSchemas(found, expected), `${found}`)
        assert.deepEqual(ids(found), ids(expected))
      }
      assert.equal(blockOf(0, message).bodyBytes, 0)
    }),
    { numRuns: 300 },
  )
})

t.test('so do the readers of this service', async () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const message = writeSchemaMessage(schema)
      assert.equal(message.length % 8, 0)
      assert.deepEqual(readSchemaMessage(message), structuredClone(schema))
    }),
    { numRuns: 300 },
  )
})

/** What a comparison of schemas leaves out: where a dictionary's values are found. */
function ids({ fields }: ReturnType<typeof toArrowSchema>): readonly (number | null)[] {
  return fields.map(({ type }) => ('dictionary' in type && 'id' in type ? Number(type.id) : null))
}
