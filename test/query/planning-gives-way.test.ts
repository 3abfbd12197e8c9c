import assert from 'node:assert/strict'
import t from 'tap'
import { answerByStatistics } from '../../src/main/query/plan/known-answer.ts'
import { cutInSteps } from '../../src/main/query/plan/units.ts'
import { mergeSchemas, mergeSchemasInSteps } from '../../src/main/query/source/schema/merge-schema.ts'
import { sortedSteps } from '../../src/plan/sorted-steps.ts'
import { type FileSummary, list } from '../../src/plan/source/segments.ts'
import { packScan, unpackScan } from '../../src/plan/statement/packed-scan.ts'
import { type Clock, createSlice, runInSlices, runToEnd, type Steps } from '../../src/plan/steps.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { fc } from '../support/generate.ts'
import { listedUnits } from '../support/listed-units.ts'
import { planOf } from './bound.ts'

const INT: DataType = { kind: 'int', bits: 64, signed: true }
const FILES = 10_000

/** A clock on which each look takes a millisecond. It counts turns, and looks within the longest. */
function slowClock(): Clock & { readonly turns: number; readonly longest: number } {
  let [now, turns, looks, longest] = [0, 0, 0, 0]
  return {
    now() {
      now++
      looks++
      longest = Math.max(longest, looks)
      return now
    },
    async nextTurn() {
      turns++
      looks = 0
    },
    get turns() {
      return turns
    },
    get longest() {
      return longest
    },
  }
}

const SCHEMA = { fields: [field('a', INT), field('b', INT)], metadata: {} }

const summary: FileSummary = {
  schema: SCHEMA,
  segments: list([{ rows: 10, decodedBytes: [80, 80], storedBytes: [80, 80] }]),
  statistics: { a: [{ min: { kind: 'int', value: 0n }, max: { kind: 'int', value: 9n }, nulls: 0 }] },
}

const files = Array.from({ length: FILES }, (_, index) => ({
  path: `file ${index}.parquet`,
  location: `/data/file ${index}.parquet`,
  version: { device: 1n, inode: BigInt(index), size: 100n, mtimeNs: -5n, ctimeNs: 10n ** 18n },
}))

const plan = planOf({ select: ['b'], filter: { column: 'a', min: 3 } }, { a: INT, b: INT })
const summaries = files.map(() => summary)

/** All work that grows with the number of files, and what it comes to. */
const WORKS: Readonly<Record<string, () => Steps<unknown>>> = {
  cutting: () => cutInSteps(plan, summaries),
  'answers from statistics': () =>
    answerByStatistics(
      {
        scan: plan.scan,
        finish: {
          ...plan.finish,
          grouping: { keys: [], aggregates: [{ kind: 'count_rows' }], having: null },
        },
      },
      // All rows pass, so that no file ends the search.
      files.map(() => ({
        ...summary,
        statistics: { a: [{ min: { kind: 'int', value: 5n }, max: { kind: 'int', value: 9n }, nulls: 0 }] },
      })),
    ),
  'merging schemas': () =>
    mergeSchemasInSteps(
      files.map(({ path }) => ({ path, schema: { ...SCHEMA, metadata: { origin: path } } })),
    ),
  'files and units for a worker': () =>
    packScan({ scan: plan.scan, files, units: runToEnd(cutInSteps(plan, summaries)).units, rowsOf: null }),
  sorting: () =>
    sortedSteps(
      files.map((_, index) => (index * 7919) % FILES),
      (a, b) => a - b,
    ),
}

for (const [name, work] of Object.entries(WORKS))
  t.test(`${name} gives way to other work, and comes to the same`, async (t) => {
    const clock = slowClock()
    const made = runInSlices(work(), clock)
    t.ok(made instanceof Promise)
    assert.deepStrictEqual(await made, runToEnd(work()))
    t.ok(clock.turns > 10, `${clock.turns} turns`)
    t.ok(clock.longest <= 3, 'no turn goes on when its time is over')
  })

t.test('small work is done at once', async (t) => {
  const clock: Clock = { now: () => 0, nextTurn: () => Promise.reject(new Error('it gave way')) }
  t.notOk(runInSlices(cutInSteps(plan, [summary]), clock) instanceof Promise)
  const slice = createSlice(clock)
  for (let item = 0; item < 10_000; item++) t.equal(slice.isOver(), false)
})

t.test('a loop of an async function gives way as well', async (t) => {
  const clock = slowClock()
  const slice = createSlice(clock)
  for (let item = 0; item < FILES; item++) if (slice.isOver()) await slice.next()
  t.ok(clock.turns > 10 && clock.longest <= 3, `${clock.turns} turns`)
})

t.test('sorted in steps, equal items stay in their order', async () => {
  const items = fc.array(fc.record({ key: fc.nat(5), at: fc.nat() }), { maxLength: 1000 })
  const property = fc.property(items, (all) => {
    const compare = (a: { key: number }, b: { key: number }) => a.key - b.key
    assert.deepStrictEqual(runToEnd(sortedSteps(all, compare)), all.toSorted(compare))
  })
  fc.assert(property, { numRuns: 300 })
})

t.test('what is packed for a worker comes out as it was', async () => {
  const number = fc.integer({ min: 0, max: 2 ** 40 })
  const unit = fc.oneof(
    fc.record({
      kind: fc.constant('rows' as const),
      file: number,
      segment: number,
      from: number,
      to: number,
      decodedBytes: number,
    }),
    fc.record({
      kind: fc.constant('text' as const),
      file: number,
      segment: number,
      begin: fc.constant(null),
      decodedBytes: number,
    }),
  )
  const version = fc.record({
    device: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    inode: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    size: fc.bigInt({ min: 0n, max: 2n ** 63n }),
    mtimeNs: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
    ctimeNs: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
  })
  const text = fc.string({ unit: 'grapheme', maxLength: 20 }).map((each) => each.replaceAll('\0', ''))
  const constants = fc.record({ year: fc.constant({ kind: 'int' as const, value: 5n }) })
  const file = fc.record(
    { path: text, location: text, version, constants },
    { requiredKeys: ['path', 'location', 'version'] },
  )
  const property = fc.property(
    fc.array(unit, { maxLength: 200 }),
    fc.array(file, { maxLength: 200 }),
    (units, all) => {
      // A clone has plain objects.
      const open = structuredClone({ scan: plan.scan, files: all, units: listedUnits(units), rowsOf: ['a'] })
      assert.deepEqual(unpackScan(structuredClone(runToEnd(packScan(open)))), open)
    },
  )
  fc.assert(property, { numRuns: 200 })
})

t.test('files of one schema are merged as one by one', async () => {
  const column = fc.record({ name: fc.constantFrom('a', 'b', 'c'), nullable: fc.boolean() })
  const schema = fc.uniqueArray(column, { selector: ({ name }) => name, maxLength: 3 }).map((columns) => ({
    fields: columns.map(({ name, nullable }) => ({ ...field(name, INT), nullable })),
    metadata: {},
  }))
  const property = fc.property(
    fc.array(schema, { minLength: 1, maxLength: 3 }),
    fc.array(fc.nat(2), { minLength: 1, maxLength: 12 }),
    (schemas, order) => {
      const some = order.map((each, place) => ({
        path: `${place}`,
        schema: schemas[each % schemas.length] ?? SCHEMA,
      }))
      const copies = some.map(({ path, schema: each }) => ({ path, schema: { ...each } }))
      assert.deepEqual(mergeSchemas(some), mergeSchemas(copies))
    },
  )
  fc.assert(property, { numRuns: 500 })
})
