import t from 'tap'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { netcdf3 } from '../../src/workers/formats/netcdf3/netcdf3.ts'
import { memorySource } from '../formats/source.ts'
import { context, open } from './open.ts'
import { writeClassic } from './write-classic.ts'

const DOUBLE = 6

/** `v(x)` with the coordinate `x`, whose values begin at a number. The name of the variable has one letter. */
function fileFrom(first: number, name = 'v'): Buffer {
  const values = Buffer.alloc(3 * 8)
  for (let index = 0; index < 3; index++) values.writeDoubleBE(first + index, 8 * index)
  const variable = { dimensions: [0], type: DOUBLE, attributes: [], bytes: values }
  return writeClassic({
    version: 1,
    records: 0,
    dimensions: [{ name: 'x', size: 3 }],
    attributes: [],
    variables: [
      { ...variable, name: 'x' },
      { ...variable, name },
    ],
  })
}

t.test('what is made of a header is shared, and another header of the same length is read', async (t) => {
  const [one, two, other] = [fileFrom(0), fileFrom(10), fileFrom(0, 'w')]
  t.equal(other.length, one.length)
  const made = open(memorySource(one))
  t.equal(open(memorySource(two)), made)
  t.strictSame(
    open(memorySource(other)).arrays.map(({ name }) => name),
    ['w', 'x'],
  )
  const cut = memorySource(two.subarray(0, two.length - 1), 'cut.nc')
  t.throws(() => open(cut), { code: 'unreadable_file' }, 'a file that is cut short has another size')
})

t.test(
  'files of equal headers have one schema, and each the statistics of its own coordinates',
  async (t) => {
    const provider = createArrayProvider(netcdf3, { dimensions: null })
    const found = [0, 10, 20].map((first) => {
      const store = memorySource(fileFrom(first))
      const opened = provider.open(store, context)
      const grid = opened.segments(['v'], store, context, ['x'])
      if (grid.kind !== 'grid') throw new Error(`segments of kind ${grid.kind}`)
      return { schema: opened.schema, least: grid.axes[0]?.statistics[0]?.min }
    })
    t.ok(found.every(({ schema }) => schema === found[0]?.schema))
    t.strictSame(
      found.map(({ least }) => least),
      [0, 10, 20].map((value) => ({ kind: 'float', value })),
    )
  },
)
