import * as arrow from 'apache-arrow'
import t from 'tap'
import { schemaMessage } from '../../src/main/output/arrow/arrow-schema.ts'
import { type DataType, field, type IntType } from '../../src/plan/types/schema.ts'
import type { Column } from '../../src/wasm/core/column.ts'
import type { Core } from '../../src/wasm/core/core.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { bitmap, type CArray, place, texts } from './c-array.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const utf8: DataType = { kind: 'utf8' }
const int = (bits: IntType['bits'], signed: boolean): IntType => ({ kind: 'int', bits, signed })
const dictionary = (index: IntType, value: DataType = utf8): DataType => ({
  kind: 'dictionary',
  index,
  value,
  ordered: false,
})

/** b, a, null by its row, null by its value, a. */
function words(format = 's', indices: ArrayBufferView = Int16Array.of(1, 0, -1, 2, 0)): CArray {
  return {
    format,
    length: 5,
    nullCount: 1,
    buffers: [bitmap([1, 1, 0, 1, 1]), indices],
    dictionary: {
      format: 'u',
      length: 3,
      nullCount: 1,
      buffers: [bitmap([1, 1, 0]), ...texts(['a', 'b', '?'])],
    },
  }
}
const WORDS = ['b', 'a', null, null, 'a']

function load(array: CArray, type: DataType): Column {
  const placed = place(array)
  return core.importArray(placed.memory, placed.array, placed.schema, type)
}

/** A stream as a client reads it. */
function read(types: readonly DataType[], messages: readonly ArrayBuffer[]): unknown[][] {
  const fields = types.map((type, i) => field(`c${i}`, type))
  const stream = Buffer.concat([
    schemaMessage({ fields, metadata: {} }),
    ...messages.map((bytes) => Buffer.from(bytes)),
  ])
  const table = arrow.tableFromIPC(stream)
  return types.map((_, i) => [...(table.getChildAt(i) ?? [])])
}

function batch(of: Core, columns: readonly Column[], types: readonly DataType[], rows: number): ArrayBuffer {
  return of.encodeBatch(columns, types, rows, null, 0, rows, 1 << 20).bytes
}

t.test('its indices leave in the width of the type, its values once', async (t) => {
  for (const bits of [8, 16, 32] as const)
    for (const signed of [true, false]) {
      const type = dictionary(int(bits, signed))
      const column = load(words(), type)
      const messages = [core.encodeDictionary(column, 0), batch(core, [column], [type], 5)]
      t.same(read([type], messages), [WORDS])
      core.free(column)
    }
  t.equal(core.usedBytes(), 0)
})

t.test('where its column is plain, it leaves as plain values', async (t) => {
  const column = load(words(), utf8)
  t.same(read([utf8], [batch(core, [column], [utf8], 5)]), [WORDS])
  const plain = core.concat([column, core.constant(utf8, null, 1)])
  t.throws(() => batch(core, [plain], [dictionary(int(8, true))], 6), { message: /no dictionary/ })
})

t.test('comparisons, casts and joins take it for its values', async (t) => {
  const type = dictionary(int(8, true))
  const column = load(words(), type)
  const value = { kind: 'bytes', value: Buffer.from('a') } as const
  t.equal(core.count(core.compare(column, type, 'eq', value)), 2)
  t.equal(core.count(core.compare(column, utf8, 'neq', value)), 1)
  t.equal(core.count(core.isNull(column)), 2)
  t.equal(core.count(core.isNotNull(column)), 3)
  t.equal(core.count(core.isIn(column, utf8, [value, { kind: 'bytes', value: Buffer.from('b') }])), 3)
  const plain = core.cast(column, type, utf8)
  t.same(read([utf8], [batch(core, [plain], [utf8], 5)]), [WORDS])
  const twice = core.concat([column, load(words('C', Uint8Array.of(0, 1, 9, 0, 1)), type)])
  const messages = [core.encodeDictionary(twice, 0), batch(core, [twice], [type], 10)]
  t.same(read([type], messages), [[...WORDS, 'a', 'b', null, 'a', 'b']])
})

t.test('constants and nulls can be dictionaries', async (t) => {
  const type = dictionary(int(8, false), int(32, true))
  for (const [column, rows] of [
    [core.constant(type, { kind: 'int', value: 7n }, 3), [7, 7, 7]],
    [core.constant(type, null, 2), [null, null]],
    [core.constant(type, null, 0), []],
    [core.cast(core.constant({ kind: 'null' }, null, 2), { kind: 'null' }, type), [null, null]],
  ] as const) {
    const messages = [core.encodeDictionary(column, 0), batch(core, [column], [type], rows.length)]
    t.same(read([type], messages), [rows])
  }
})

t.test('plain values where a dictionary was to be are refused', async (t) => {
  const plain = { format: 'u', length: 1, buffers: [null, ...texts(['a'])] }
  t.throws(() => load(plain, dictionary(int(8, true))), {
    code: 'unreadable_file',
    message: /Dictionary\(Int8, Utf8\)/,
  })
})

t.test('values beyond what the type of index numbers are an error', async (t) => {
  const type = dictionary(int(8, true))
  const many = load(
    {
      format: 'i',
      length: 200,
      buffers: [null, Int32Array.from({ length: 200 }, (_, i) => i)],
      dictionary: {
        format: 'u',
        length: 200,
        buffers: [null, ...texts(Array.from({ length: 200 }, String))],
      },
    },
    type,
  )
  t.throws(() => batch(core, [many], [type], 200), { code: 'not_supported', message: /type of index/ })
})
