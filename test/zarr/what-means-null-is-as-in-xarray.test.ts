import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { zarr } from '../../src/workers/formats/zarr/zarr.ts'
import { readContext } from '../formats/context.ts'
import { memoryObjects } from '../formats/objects.ts'
import { readAll } from '../formats/values.ts'

const provider = createArrayProvider(zarr, { dimensions: null })
const context = readContext(createCore({ maximumBytes: 64 << 20 }))

/** The values of the array `v` of three elements, whose chunk is missing, so that each is the fill value. */
function valuesOf(documents: Readonly<Record<string, object>>): readonly unknown[] {
  const objects = Object.entries(documents).map(
    ([key, document]) => [key, Buffer.from(JSON.stringify(document))] as const,
  )
  using store = memoryObjects(new Map(objects), 'x.zarr')
  const file = provider.open(store, context)
  const at = file.schema.fields.findIndex(({ name }) => name === 'v')
  return readAll(file, store, context)[at] ?? []
}

const ofVersion2 = (array: object, attributes: object = { _ARRAY_DIMENSIONS: ['x'] }) =>
  valuesOf({
    '.zgroup': { zarr_format: 2 },
    'v/.zattrs': attributes,
    'v/.zarray': {
      zarr_format: 2,
      shape: [3],
      chunks: [3],
      dtype: '<f4',
      compressor: null,
      fill_value: null,
      order: 'C',
      filters: null,
      ...array,
    },
  })

const ofVersion3 = (array: object, attributes: object = {}) =>
  valuesOf({
    'zarr.json': { zarr_format: 3, node_type: 'group' },
    'v/zarr.json': {
      zarr_format: 3,
      node_type: 'array',
      shape: [3],
      data_type: 'float32',
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [3] } },
      chunk_key_encoding: { name: 'default' },
      fill_value: 0,
      codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
      attributes,
      ...array,
    },
  })

const three = (value: unknown) => [value, value, value]
const NULLS = three(null)

t.test('in version 3 the attribute, and never the value of chunks that were not written', (t) => {
  t.same(ofVersion3({ fill_value: -999 }), three('-999'))
  t.same(ofVersion3({ fill_value: -999 }, { _FillValue: -999 }), NULLS)
  t.same(ofVersion3({ fill_value: -999 }, { _FillValue: 'AAAAAAA4j8A=' }), NULLS)
  t.same(ofVersion3({ fill_value: 'NaN' }, { _FillValue: 'AAAAAAAA+H8=' }), NULLS)
  t.same(ofVersion3({ fill_value: -999 }, { _FillValue: 'missing' }), three('-999'))
  t.same(ofVersion3({ fill_value: -999 }, { missing_value: -999 }), NULLS)
  t.same(ofVersion3({ data_type: 'bool', fill_value: true }, { _FillValue: true }), NULLS)
  const text = { data_type: 'string', codecs: [{ name: 'vlen-utf8' }], fill_value: '?' }
  t.same(ofVersion3(text, { _FillValue: '?' }), NULLS)
  t.same(ofVersion3(text), three('?'))
  t.end()
})

t.test('in version 2 fill_value, where xarray has noted the dimensions', (t) => {
  t.same(ofVersion2({ fill_value: -999 }), NULLS)
  t.same(ofVersion2({ fill_value: -999 }, {}), three('-999'))
  t.same(ofVersion2({ fill_value: -999 }, { _FillValue: -999 }), NULLS)
  t.same(ofVersion2({ fill_value: 'NaN' }), NULLS)
  t.same(ofVersion2({ dtype: '|S2', fill_value: 'Yw==' }), NULLS)
  t.same(ofVersion2({ dtype: '|S2', fill_value: 'Yw==' }, {}), three('c'))
  // Letters along a dimension that nothing else has are one text.
  t.same(ofVersion2({ dtype: '|S1', fill_value: 'Yw==' }), ['ccc'])
  t.same(ofVersion2({ dtype: '|S1', fill_value: 'Yw==', shape: [1], chunks: [1] }), [null])
  t.same(ofVersion2({ dtype: '|S1', fill_value: 'Yw==' }, {}), three('c'))
  t.same(ofVersion2({ dtype: '<U2', fill_value: 'c' }), NULLS)
  t.same(ofVersion2({ dtype: '|O', filters: [{ id: 'vlen-utf8' }], fill_value: '' }), three(''))
  t.end()
})

t.test('a time that is none', (t) => {
  const type = { name: 'numpy.datetime64', configuration: { unit: 's', scale_factor: 1 } }
  t.same(ofVersion3({ data_type: type, fill_value: 'NaT' }), NULLS)
  t.same(ofVersion3({ data_type: type, fill_value: 2 }), three(2_000_000_000n))
  t.same(ofVersion2({ dtype: '<M8[ns]', fill_value: null }, {}), NULLS)
  t.same(ofVersion2({ dtype: '<M8[ns]', fill_value: 0 }, {}), three(0n))
  t.end()
})
