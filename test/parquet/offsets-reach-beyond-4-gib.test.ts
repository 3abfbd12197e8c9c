import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { PhysicalType, Repetition } from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { openFileStore } from '../../src/workers/store/file-store.ts'
import { readContext } from '../formats/context.ts'
import { fileRef } from '../formats/source.ts'
import { readAll } from '../formats/values.ts'
import { writeParquet } from './write-parquet.ts'

const HOLE = 5 * 2 ** 30

t.test('a column beyond a hole of 5 GiB', async (t) => {
  const levels = [7, 8, 9].map((value) => ({ repetition: 0, definition: 0, value }))
  const type = PhysicalType.int32
  const bytes = writeParquet(
    [
      { name: 'schema', children: 1 },
      { name: 'x', type, repetition: Repetition.required },
    ],
    [{ path: ['x'], type, maxDefinition: 0, maxRepetition: 0, pages: [{ levels, version: 1 }] }],
    3,
    (metadata) => ({
      ...metadata,
      rowGroups: metadata.rowGroups.map((group) => ({
        ...group,
        columns: group.columns.map((column) =>
          column.metaData
            ? { ...column, metaData: { ...column.metaData, dataPageOffset: HOLE + 4 } }
            : column,
        ),
      })),
    }),
  )
  const location = join(t.testdir(), 'sparse.parquet')
  const descriptor = openSync(location, 'w')
  writeSync(descriptor, bytes, 0, 4, 0)
  writeSync(descriptor, bytes, 4, bytes.length - 4, HOLE + 4)
  closeSync(descriptor)

  const context = readContext(createCore({ maximumBytes: 64 << 20 }))
  using source = openFileStore(fileRef(location), context.stopwatch)
  t.strictSame(readAll(parquet.open(source, context), source, context), [[7n, 8n, 9n]])
})
