import t from 'tap'
import { createFileFacts } from '../../src/main/query/source/summaries/rows/file-facts.ts'
import { fileFormat } from '../../src/plan/format/file-format.ts'
import { type ArrayLayout, gridOfAll, type LaidOutArrays } from '../../src/plan/source/array-layout.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import type { FileSummary } from '../../src/plan/source/segments.ts'
import { entriesOf, packWhole } from '../../src/plan/source/whole.ts'
import { field } from '../../src/plan/types/schema.ts'
import { generator } from '../support/generate.ts'

const below = generator('facts')
const FORMATS = [fileFormat('netcdf', 'grid', {}), fileFormat('netcdf', 'grid', { dimensions: ['level'] })]
const SCHEMAS = ['temp', 'salinity'].map((name) => ({
  fields: [field(name, { kind: 'float', bits: 64 })],
  metadata: {},
}))
const LAYOUT: ArrayLayout = {
  dimensions: ['level'],
  arrays: [{ name: 'temp', field: 0, dimensions: [0], chunk: null, isAtomic: false }],
  bytes: [8],
  refused: [],
}
const ARRAYS = Array.from({ length: 20 }, (_, nth): LaidOutArrays => ({ layout: LAYOUT, sizes: [nth] }))

/** A file whose version differs from that of others in one number, which may need all of its 64 bits. */
function refOf(nth: number): FileRef {
  const numbers = [1n, 1n, 1n, 1n, 1n]
  numbers[nth % 5] = nth % 3 === 0 ? (1n << 64n) - 1n - BigInt(nth) : BigInt(nth + 2)
  const [device = 0n, inode = 0n, size = 0n] = numbers
  const times = numbers.slice(3).map((time) => BigInt.asIntN(64, time))
  const [mtimeNs = 0n, ctimeNs = 0n] = times
  return { path: `${nth}.nc`, location: `/${nth}.nc`, version: { device, inode, size, mtimeNs, ctimeNs } }
}

/** What is learned of a file the `more`th time. */
function learnedOf(nth: number, more: number) {
  const arrays = ARRAYS[(nth + more) % ARRAYS.length]
  const schema = SCHEMAS[nth % 2]
  if (arrays === undefined || schema === undefined) throw new RangeError('no arrays')
  const value = { kind: 'float', value: nth + more / 4 } as const
  const whole = packWhole(
    nth % 7 === 0 ? [] : [{ field: 0, values: 1, statistics: { min: value, max: value } }],
  )
  return { schema, arrays, grid: gridOfAll(arrays), whole }
}

function expected(nth: number, more: number) {
  const { grid: segments, schema, arrays, whole } = learnedOf(nth, more)
  return { schema, segments, statistics: {}, arrays, ...(whole.length > 0 && { whole }) }
}

/** A summary whose bounds are entries, as they were learned. */
function withEntries(summary: FileSummary | null) {
  return summary?.whole === undefined ? summary : { ...summary, whole: entriesOf(summary.whole) }
}

for (const [capacity, files] of [
  [1 << 30, 5000],
  [1 << 18, 3000],
] as const)
  t.test(`a file has what was learned last, within ${capacity} bytes`, async (t) => {
    const facts = createFileFacts(capacity)
    const learned = new Map<string, number>()
    let found = 0
    let asked = 0
    for (let step = 0; step < 4 * files; step++) {
      const [nth, of] = [below(files), below(2)]
      const format = FORMATS[of]
      if (format === undefined) throw new RangeError('no format')
      const key = `${of} ${nth}`
      const more = learned.get(key)
      if (step % 2 === 0) {
        learned.set(key, step % 8)
        t.ok(facts.put(format, refOf(nth), learnedOf(nth, step % 8)))
        continue
      }
      const summary = facts.find(format, refOf(nth))
      if (more === undefined) t.equal(summary, undefined)
      else {
        asked++
        if (summary === undefined) continue
        found++
        t.same(withEntries(summary), expected(nth, more))
      }
    }
    if (capacity > 1 << 20) t.equal(found, asked)
    else t.ok(facts.evictions > 0 && facts.bytes <= capacity + (1 << 17), `${found} of ${asked}`)
  })

t.test('a file of one segment has its sizes', async (t) => {
  const format = fileFormat('parquet', 'row_groups', {})
  const facts = createFileFacts(1 << 20)
  const learned = Array.from({ length: 500 }, (_, nth) => {
    const bytes = (): number[] => Array.from({ length: nth % 4 }, () => below(2 ** 32))
    const segment = { rows: nth % 5 === 0 ? null : nth, decodedBytes: bytes(), storedBytes: bytes() }
    const { schema, whole } = learnedOf(nth, 0)
    return { schema, grid: null, segment, whole }
  })
  for (const [nth, each] of learned.entries()) t.ok(facts.put(format, refOf(nth), each))
  for (const [nth, { schema, segment, whole }] of learned.entries())
    t.same(withEntries(facts.find(format, refOf(nth)) ?? null), {
      schema,
      segments: { kind: 'list', segments: [segment] },
      statistics: {},
      ...(whole.length > 0 && { whole }),
    })
  const [first] = learned
  for (const wrong of [{ rows: 1.5 }, { decodedBytes: [2 ** 32] }, { entries: { from: 0, to: 1 } }])
    t.notOk(
      first && facts.put(format, refOf(1), { ...first, segment: { ...first.segment, ...wrong } }),
      JSON.stringify(wrong),
    )
})

t.test('what a row cannot say is no fact', async (t) => {
  const [format] = FORMATS
  const [arrays] = ARRAYS
  if (format === undefined || arrays === undefined) throw new RangeError('no format')
  const facts = createFileFacts(1 << 20)
  const learned = learnedOf(1, 0)
  t.notOk(facts.put(format, refOf(1), { ...learned, grid: null }), 'its rows are not known')
  const { grid } = learned
  t.notOk(facts.put(format, refOf(1), { ...learned, grid: grid && { ...grid } }), 'its grid is another one')
  const plain = { compression: 'gzip', size: 5, temp: null } as const
  t.notOk(facts.put(format, { ...refOf(1), plain }, learned), 'it is read inflated')
  t.equal(facts.size, 0)
})
