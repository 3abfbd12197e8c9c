import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { zarr } from '../../src/workers/formats/zarr/zarr.ts'
import { readContext } from '../formats/context.ts'
import { memoryObjects } from '../formats/objects.ts'

const provider = createArrayProvider(zarr, { dimensions: null })
const context = readContext(createCore({ maximumBytes: 64 << 20 }))

const CODES: ReadonlySet<string> = new Set(['unreadable_file', 'memory_limit'])

/** Documents by their keys, as JSON or as they are. */
type Documents = Readonly<Record<string, object | string | Uint8Array>>

/** What opening a store says is wrong. */
function errorOf(documents: Documents): string {
  const objects = Object.entries(documents).map(([key, document]) => [key, bytesOf(document)] as const)
  try {
    provider.open(memoryObjects(new Map(objects), 'x.zarr'), context)
    return 'no error'
  } catch (error) {
    if (!isServiceError(error) || !CODES.has(error.code)) throw error
    return error.message
  }
}

function bytesOf(document: object | string | Uint8Array): Uint8Array {
  if (document instanceof Uint8Array) return document
  return Buffer.from(typeof document === 'string' ? document : JSON.stringify(document))
}

const GROUP = { zarr_format: 3, node_type: 'group' }
const ARRAY = {
  zarr_format: 3,
  node_type: 'array',
  shape: [4, 6],
  data_type: 'float32',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: [2, 3] } },
  chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
  fill_value: 0,
  codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  dimension_names: ['y', 'x'],
}
const ARRAY_2 = {
  zarr_format: 2,
  shape: [4, 6],
  chunks: [2, 3],
  dtype: '<f4',
  compressor: null,
  fill_value: null,
  order: 'C',
  filters: null,
}

/** Of an array whose metadata differ. */
const arrayError = (metadata: object): string =>
  errorOf({ 'zarr.json': GROUP, 'a/zarr.json': { ...ARRAY, ...metadata } })
const arrayError2 = (metadata: object): string =>
  errorOf({ '.zgroup': { zarr_format: 2 }, 'a/.zarray': { ...ARRAY_2, ...metadata } })
const grid = (chunk_shape: unknown): object => ({
  chunk_grid: { name: 'regular', configuration: { chunk_shape } },
})
const sharded = (chunk_shape: unknown, codecs: object[] = []): object => ({
  codecs: [
    ...codecs,
    { name: 'sharding_indexed', configuration: { chunk_shape, codecs: ARRAY.codecs, index_codecs: [] } },
  ],
})

t.test('sizes', (t) => {
  for (const shape of [[2 ** 53, 1], [-1, 2], [1.5, 2], ['4', 6], { 0: 4 }, 4, null])
    t.match(
      arrayError({ shape }),
      /"x\.zarr" cannot be read as Zarr: "a\/zarr\.json", array "a": "shape" must/,
    )
  const huge = errorOf({
    'zarr.json': GROUP,
    'a/zarr.json': JSON.stringify(ARRAY).replace('[4,6]', `[${2n ** 60n},6]`),
  })
  t.match(huge, /"shape" must have whole numbers from 0 to 2\^53 - 1, and has 1152921504606846976$/)
  t.match(
    arrayError({ shape: [2 ** 40, 2 ** 40] }),
    /chunk of \[1099511627776,1099511627776\] elements is too large/,
  )
  t.match(arrayError({ shape: [0, 2 ** 52] }), /is too large/)
  t.match(
    arrayError({ shape: Array(65).fill(1), ...grid(Array(65).fill(1)) }),
    /it has 65 dimensions, over 64/,
  )
  t.match(arrayError(grid([2 ** 30, 2 ** 30])), /is too large/)
  t.match(arrayError(grid([0, 3])), /"chunk_shape" must have whole numbers from 1/)
  t.match(arrayError(grid([2])), /its chunks have 1 dimensions, and the array has 2/)
  t.match(arrayError2({ chunks: [2] }), /its chunks have 1 dimensions/)
  t.match(arrayError2({ chunks: [-2, 3] }), /"chunks" must have whole numbers from 0/)
  t.match(arrayError2({ dtype: '<U99999999' }), /no error/, 'no column has such text')
  t.end()
})

t.test('shards', (t) => {
  t.match(
    arrayError(sharded([2, 2])),
    /the shape of the chunks in a shard, \[2,2\], must divide that of the shard, \[2,3\]/,
  )
  t.match(arrayError(sharded([0, 1])), /"chunk_shape" must have whole numbers from 1/)
  t.match(arrayError(sharded([1])), /must divide/)
  const transpose = (order: unknown) => [{ name: 'transpose', configuration: { order } }]
  t.match(arrayError(sharded([3, 2], transpose([1, 0]))), /no error/)
  t.match(
    arrayError(sharded([3, 2], transpose([0, 0]))),
    /the order of "transpose" must have each dimension once/,
  )
  t.end()
})

t.test('types, fill values and codecs', (t) => {
  t.match(arrayError({ data_type: 4 }), /"data_type" must be a name or an object with a name, and is 4/)
  t.match(
    arrayError({ data_type: { name: 'fixed_length_utf32', configuration: { length_bytes: 3 } } }),
    /"length_bytes"/,
  )
  for (const fill_value of ['0x7fc0', 'abc', [], {}, true])
    t.match(arrayError({ fill_value }), /"fill_value" must be an element of the array/)
  t.match(arrayError({ data_type: 'uint8', fill_value: 256 }), /"fill_value" must be/)
  t.match(arrayError({ data_type: 'int8', fill_value: 0.5 }), /"fill_value" must be/)
  t.match(
    arrayError({ codecs: [{ name: 'bytes' }, { name: 'bytes' }] }),
    /"codecs" has "bytes" behind "bytes"/,
  )
  t.match(
    arrayError({ codecs: [{ name: 'transpose' }] }),
    /"codecs" must have one that makes bytes of the array/,
  )
  t.match(arrayError({ codecs: [{}] }), /"codecs" must have objects with a name, and has \{\}/)
  t.match(
    arrayError({ surprise: { must_understand: true } }),
    /the member "surprise", which must be understood/,
  )
  t.match(arrayError({ surprise: { must_understand: false } }), /no error/)
  t.match(arrayError2({ dtype: 'float' }), /"dtype" must be a type of NumPy/)
  t.match(arrayError2({ order: 'A' }), /"order" must be "C" or "F"/)
  t.match(arrayError2({ filters: [{}] }), /must have objects with an id/)
  t.end()
})

t.test('keys that lead out of the store', (t) => {
  const separator = '%2f..%2f..%2fsecret%2f'
  const encoding = { name: 'default', configuration: { separator } }
  t.match(
    arrayError({ chunk_key_encoding: encoding }),
    /the separator of chunk keys must be "\." or "\/", and is "%2f/,
  )
  t.match(arrayError2({ dimension_separator: separator }), /"dimension_separator" must be "\." or "\/"/)
  for (const key of ['../a', 'a/../../b', '/a', 'a//b', 'a/', './a', '.'.repeat(5000)]) {
    const consolidated = { kind: 'inline', must_understand: false, metadata: { [key]: ARRAY } }
    t.match(
      errorOf({ 'zarr.json': { ...GROUP, consolidated_metadata: consolidated } }),
      /which is no path in the store/,
    )
    const metadata = { '.zgroup': { zarr_format: 2 }, [`${key}/.zarray`]: ARRAY_2 }
    t.match(
      errorOf({ '.zmetadata': { zarr_consolidated_format: 1, metadata } }),
      /which is no path in the store/,
    )
  }
  t.end()
})

t.test('documents', (t) => {
  t.match(errorOf({ 'zarr.json': '[]' }), /"zarr\.json": it is no JSON object/)
  t.match(errorOf({ 'zarr.json': Buffer.of(0x22, 0xff, 0x22) }), /"zarr\.json": it is not UTF-8/)
  t.match(
    errorOf({ 'zarr.json': '{"zarr_format": 3,' }),
    /"zarr\.json": its JSON is damaged at line 1, column 19/,
  )
  t.match(errorOf({ 'zarr.json': { ...GROUP, zarr_format: 4 } }), /"zarr_format" must be 3, and is 4/)
  t.match(
    errorOf({ 'zarr.json': { ...GROUP, node_type: 'table' } }),
    /"node_type" must be "group" or "array", and is "table"/,
  )
  t.match(errorOf({ 'zarr.json': { ...GROUP, attributes: [] } }), /"attributes" must be an object/)
  t.match(
    errorOf({ 'zarr.json': { ...GROUP, consolidated_metadata: { kind: 'other' } } }),
    /must be "inline"/,
  )
  t.match(errorOf({ '.zmetadata': '' }), /"\.zmetadata": its JSON is damaged/)
  t.match(errorOf({ '.zmetadata': {} }), /"zarr_consolidated_format" must be 1, and is nothing/)
  t.match(errorOf({ '.zgroup': { zarr_format: 3 } }), /"\.zgroup": "zarr_format" must be 2, and is 3/)
  const inArray = { kind: 'inline', metadata: { a: ARRAY, 'a/b': ARRAY } }
  t.match(errorOf({ 'zarr.json': { ...GROUP, consolidated_metadata: inArray } }), /"a\/b" lies in an array/)
  const many = Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`a${index}`, index]))
  t.match(errorOf({ 'zarr.json': { ...GROUP, attributes: many } }), /it has 70000 arrays and attributes/)
  const deep = Array.from({ length: 100 }, (_, depth) => [`${'g/'.repeat(depth)}zarr.json`, GROUP])
  t.match(errorOf(Object.fromEntries(deep)), /lies in more than 64 groups/)
  t.end()
})
