import t from 'tap'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../../src/workers/formats/arrays/array-provider.ts'
import { netcdf3 } from '../../../src/workers/formats/netcdf3/netcdf3.ts'
import type { ReadContext } from '../../../src/workers/formats/provider.ts'
import { readContext } from '../../formats/context.ts'
import { memorySource } from '../../formats/source.ts'
import { readAll, type Value } from '../../formats/values.ts'
import { type RaggedVariable, writeRagged } from './write-ragged.ts'

const context = readContext(createCore({ maximumBytes: 1 << 26 }))

const OBSERVED: RaggedVariable = { name: 'temp', dimensions: ['obs'], values: [1, 2, 3, 4, 5, 6] }
const LATITUDE: RaggedVariable = { name: 'lat', dimensions: ['cast'], values: [10, 20, 30] }

function counted(values: readonly number[], more: Partial<RaggedVariable> = {}): Buffer {
  const count = {
    name: 'row_size',
    dimensions: ['cast'],
    values,
    attributes: { sample_dimension: 'obs' },
    ...more,
  }
  return writeRagged({ cast: 3, obs: 6 }, [LATITUDE, OBSERVED, count])
}

function rowsOf(
  bytes: Buffer,
  dimensions: readonly string[] | null = null,
  using: ReadContext = context,
): Record<string, Value[]> {
  const store = memorySource(bytes, 'lie.nc')
  const file = createArrayProvider(netcdf3, { dimensions }).open(store, using)
  const values = readAll(file, store, using)
  return Object.fromEntries(file.schema.fields.map(({ name }, index) => [name, values[index] ?? []]))
}

const ERRORS: readonly (readonly [string, Buffer, RegExp])[] = [
  [
    'a negative count',
    counted([2, -1, 1]),
    /row-size variable row_size holds an invalid row size: -1, of instance 1/,
  ],
  ['the least integer', counted([-(2 ** 31), 0, 0]), /invalid row size: -2147483648/],
  [
    'counts beyond the sample dimension',
    counted([3, 3, 1]),
    /row_size counts 7 observations up to instance 2, and dimension 'obs' has 6/,
  ],
  [
    'huge counts',
    counted([2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1]),
    /counts 2147483647 observations up to instance 0/,
  ],
  [
    'fractions',
    counted([1, 1, 1], { isDouble: true }),
    /row-size variable row_size must hold an integer type/,
  ],
  [
    'counts of two dimensions',
    writeRagged({ cast: 3, obs: 6, x: 1 }, [
      OBSERVED,
      { name: 'n', dimensions: ['cast', 'x'], values: [1, 2, 3], attributes: { sample_dimension: 'obs' } },
    ]),
    /row-size variable n has 2 dimensions; it must have one/,
  ],
]

for (const [what, bytes, message] of ERRORS)
  t.test(what, async (t) => {
    t.throws(() => rowsOf(bytes), { code: 'unreadable_file', message })
    t.throws(() => rowsOf(bytes), { message: /"lie.nc" cannot be read as NetCDF/ })
    t.equal(context.core.usedBytes(), 0)
  })

t.test('counts that leave observations out, or are null', async (t) => {
  t.same(rowsOf(counted([2, 0, 1])), { lat: [10, 10, 30], temp: [1, 2, 3] })
  t.same(rowsOf(counted([0, 0, 0])), { lat: [], temp: [] })
  t.same(rowsOf(counted([-9, 2, 0], { fill: -9 })), { lat: [20, 20], temp: [1, 2] })
})

t.test('a count variable whose dimension the file does not have is a column', async (t) => {
  const count = { ...LATITUDE, name: 'row_size', attributes: { sample_dimension: 'elsewhere' } }
  t.same(rowsOf(writeRagged({ cast: 3 }, [LATITUDE, count])), {
    lat: [10, 20, 30],
    row_size: [10, 20, 30],
    'row_size.sample_dimension': ['elsewhere', 'elsewhere', 'elsewhere'],
  })
})

t.test('dimensions cannot be chosen where rows are counted', async (t) => {
  t.throws(() => rowsOf(counted([2, 3, 1]), ['cast']), {
    code: 'unreadable_file',
    message: /dimension projections are not supported for ragged datasets/,
  })
})

t.test('more instances than are kept', async (t) => {
  const small = { ...context, chunks: { ...context.chunks, maxChunkBytes: 31 } }
  t.throws(() => rowsOf(counted([2, 3, 1]), null, small), {
    code: 'memory_limit',
    message:
      /ragged arrays of 3 instances take 32 bytes, and at most 31 are kept; raise SERVICE_MAX_CHUNK_BYTES/,
  })
})

t.test('indexes that lead nowhere', async (t) => {
  const index: RaggedVariable = {
    name: 'which',
    dimensions: ['obs'],
    values: [0, 3, -1, 2 ** 31 - 1, -(2 ** 31), 2],
    attributes: { instance_dimension: 'cast' },
  }
  t.same(rowsOf(writeRagged({ cast: 3, obs: 6 }, [LATITUDE, OBSERVED, index])), {
    lat: [10, null, null, null, null, 30],
    temp: [1, 2, 3, 4, 5, 6],
  })
  const toItself = { ...index, values: [0, 1, 2, 3, 4, 5], attributes: { instance_dimension: 'obs' } }
  t.same(rowsOf(writeRagged({ obs: 6 }, [OBSERVED, toItself]))['which'], [0, 1, 2, 3, 4, 5])
  const inCircle = [
    { name: 'up', dimensions: ['cast'], values: [0, 5, 1], attributes: { instance_dimension: 'obs' } },
    { ...index, values: [0, 1, 2, 0, 1, 2] },
  ]
  t.ok(rowsOf(writeRagged({ cast: 3, obs: 6 }, [LATITUDE, OBSERVED, ...inCircle])))
  const fractions = { ...index, isDouble: true }
  t.ok('which' in rowsOf(writeRagged({ cast: 3, obs: 6 }, [LATITUDE, OBSERVED, fractions])), 'are no indexes')
})
