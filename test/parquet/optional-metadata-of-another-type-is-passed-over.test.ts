import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { PhysicalType, Repetition } from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readAll } from '../formats/values.ts'
import { changeFooter } from './change-footer.ts'
import { writeParquet } from './write-parquet.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)

/** A length of a bloom filter, and its bytes in a footer: an i32 field, its id 6 more than that of the field before it. */
const NUMBER = 123_456_789
const AS_WRITTEN = [0x65, 0xaa, 0xb4, 0xde, 0x75]

/** A file of one column of three numbers, in which the bytes of the field `bloom_filter_length` (15) are replaced. */
function fileWith(field: readonly number[]): Uint8Array {
  const levels = [1, 2, 3].map((value) => ({ repetition: 0, definition: 0, value }))
  const bytes = writeParquet(
    [
      { name: 'schema', children: 1 },
      { name: 'l_partkey', type: PhysicalType.int32, repetition: Repetition.required },
    ],
    [
      {
        path: ['l_partkey'],
        type: PhysicalType.int32,
        maxDefinition: 0,
        maxRepetition: 0,
        pages: [{ levels, version: 1 }],
      },
    ],
    3,
    (metadata) => ({
      ...metadata,
      rowGroups: metadata.rowGroups.map((group) => ({
        ...group,
        columns: group.columns.map((column) => ({
          ...column,
          ...(column.metaData && { metaData: { ...column.metaData, bloomFilterLength: NUMBER } }),
        })),
      })),
    }),
  )
  return changeFooter(bytes, AS_WRITTEN, field)
}

function values(bytes: Uint8Array): unknown {
  const source = memorySource(bytes, 'x.parquet')
  return readAll(parquet.open(source, context), source, context)
}

t.test('a list under the number 15, as in dict-page-offset-zero of parquet-testing', async (t) => {
  t.strictSame(values(fileWith([0x65, 2])), [[1n, 2n, 3n]])
  // A list of three integers, an empty list, and a list of two texts.
  for (const list of [[0x35, 2, 4, 6], [0x05], [0x28, 1, 65, 1, 66]])
    t.strictSame(values(fileWith([0x69, ...list])), [[1n, 2n, 3n]])
})

t.test('a required field of another type is an error that names both', async (t) => {
  // Field 1, the physical type, once more, as a text.
  t.throws(() => values(fileWith([0x08, 2, 1, 65])), {
    code: 'unreadable_file',
    message: /"x.parquet" .*field "type" has type 8 instead of 5/,
  })
})
