import t from 'tap'
import type { FileRef } from '../../src/plan/source/file.ts'
import type { Unit } from '../../src/plan/source/unit.ts'
import { packTask, unpackTask } from '../../src/plan/task/packed-task.ts'
import type { ScanTask, Task } from '../../src/plan/task/task.ts'
import { PARQUET } from '../formats/product.ts'
import { fc } from '../support/generate.ts'

/** Objects with a prototype, as a message gives them back. */
const PLAIN = { noNullPrototype: true } as const

const number = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const time = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const version = fc.record(
  {
    device: number,
    inode: number,
    size: fc.bigInt({ min: 0n, max: 2n ** 53n }),
    mtimeNs: time,
    ctimeNs: time,
  },
  PLAIN,
)
const path = fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }).filter((text) => !text.includes('\0'))
const file = fc
  .record({ root: fc.constantFrom('/a/', '/a/', '/a/', '/b/'), path, version }, PLAIN)
  .map(({ root, path, version }): FileRef => ({ path, location: root + path, version }))
const odd = fc.oneof(
  file.map((each) => ({ ...each, constants: { c: null } })),
  file.map((each) => ({ ...each, location: '/elsewhere' })),
)
const files = fc.oneof(
  fc.array(
    file.map((each) => ({ ...each, location: `/a/${each.path}` })),
    { maxLength: 20 },
  ),
  fc.array(fc.oneof({ weight: 20, arbitrary: file }, odd), { maxLength: 20 }),
)

/** Extents that several units share. */
const EXTENTS: readonly (readonly number[])[] = [[3], [4]]
const [DIMENSIONS, ORIGIN] = [[0], [0]]
const unit = fc
  .record({ extent: fc.constantFrom(...EXTENTS), file: fc.nat(100), decodedBytes: fc.nat(2) }, PLAIN)
  .chain(
    (box): fc.Arbitrary<Unit> =>
      fc.constantFrom<Unit>(
        { kind: 'box', dimensions: DIMENSIONS, origin: ORIGIN, ...box },
        { kind: 'rows', segment: 0, from: 0, to: 3, file: box.file, decodedBytes: box.decodedBytes },
      ),
  )

const scan = fc
  .tuple(files, fc.array(unit, { minLength: 20, maxLength: 20 }), fc.array(fc.boolean(), { minLength: 20 }))
  .filter(([{ length }]) => length > 0)
  .map(([all, units, areTwice]): ScanTask => {
    const pairs = all.flatMap((each, index) => {
      const pair = { file: each, unit: units[index] as Unit }
      return areTwice[index] ? [pair, { file: each, unit: units[0] as Unit }] : [pair]
    })
    const [first, ...more] = pairs
    return { ...(first as (typeof pairs)[0]), more, kind: 'scan', key: 'k' } as unknown as ScanTask
  })

t.test('as it was made, after a structured clone', (t) => {
  const inspection = files.map(
    (all): Task =>
      ({ kind: 'inspect', format: PARQUET, files: all, statistics: [], columns: [] }) as unknown as Task,
  )
  const scans = fc.array(scan, { maxLength: 3 }).map((tasks): Task => ({ kind: 'scans', tasks }))
  let packed = 0
  fc.assert(
    fc.property(fc.oneof(inspection, scan, scans), (task) => {
      const sent = packTask(task)
      if (sent.kind.startsWith('packed')) packed++
      const read = unpackTask(structuredClone(sent))
      t.strictSame(read, task)
      if (read.kind !== 'scan' || task.kind !== 'scan') return
      // Units of one file that follow each other share its object.
      const [before, now] = [task, read].map(({ file, more }) =>
        [{ file }, ...more].map((each, index, all) => each.file === all[index - 1]?.file),
      )
      t.same(now, before)
    }),
    // One in ten is packed.
    { numRuns: 400 },
  )
  t.ok(packed > 10, `${packed} were packed`)
  t.end()
})
