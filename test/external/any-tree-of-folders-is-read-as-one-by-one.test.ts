import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { EVERYTHING } from '../../src/main/auth/rights/rights.ts'
import type { LocationSource } from '../../src/main/catalog/catalog.ts'
import { hostFileSystem } from '../../src/main/datasets/file-system/file-system.ts'
import { createLocationSearch } from '../../src/main/datasets/fingerprint/location-searches.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { tableOfLocation } from '../../src/main/query/source/named/location-table.ts'
import { type Field, field } from '../../src/plan/types/schema.ts'
import { never } from '../datasets/dataset-root.ts'
import { csvFormat } from '../formats/product.ts'
import { type ColumnCondition, where } from '../partitions/searching.ts'
import { fc } from '../support/generate.ts'

const NAMES = [
  'year=1',
  'year=02',
  'year=3',
  'year=x',
  'year=',
  'year=%31',
  'YEAR=1',
  'month=1',
  'month=a%20b',
  'plain',
  '=1',
  'a=b',
]

const FIELDS: readonly Field[] = [
  field('year', { kind: 'int', bits: 8, signed: true }),
  field('month', { kind: 'utf8' }),
]

interface Tree {
  readonly paths: readonly string[]
  readonly location: string
  readonly depth: number
  readonly conditions: readonly ColumnCondition[]
}

/** Most paths have a year and a month, so that many trees have no fault. */
const path = fc
  .oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.constantFrom(...NAMES.slice(0, 3)), fc.constantFrom('month=1', 'month=a%20b')),
    },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...NAMES), { maxLength: 3 }) },
  )
  .chain((folders) =>
    fc.constantFrom('a.csv', 'b.CSV', 'c.txt', '.d.csv').map((file) => ['t', ...folders, file].join('/')),
  )

const tree: fc.Arbitrary<Tree> = fc.record({
  paths: fc.uniqueArray(path, { minLength: 1, maxLength: 8 }),
  location: fc.constantFrom('t', 't', 't/', 't/', 't/**/*.csv', 't/year=1/', 't/*/', 'none/'),
  depth: fc.constantFrom(0, 1, 1, 2, 2),
  conditions: fc.array(
    fc.tuple(
      fc.constantFrom('year', 'year', 'year', 'month', 'n'),
      fc.constantFrom('eq', 'neq', 'lt', 'gt_eq'),
      fc.constantFrom(1, 2, 2, 'a b'),
    ) as fc.Arbitrary<ColumnCondition>,
    { minLength: 1, maxLength: 2 },
  ),
})

/** Which paths of a location belong to it, told by its text. */
const BELONGS: Readonly<Record<string, RegExp>> = {
  t: /^t\/(?:.*\/)?[^./][^/]*\.csv$/i,
  't/': /^t\/(?:.*\/)?[^./][^/]*\.csv$/i,
  't/**/*.csv': /^t\/(?:.*\/)?[^./][^/]*\.csv$/,
  't/year=1/': /^t\/year=1\/(?:.*\/)?[^./][^/]*\.(?:csv|CSV)$/,
  // As in queries, a file in place of a folder counts.
  't/*/': /^t\/(?:.*\/)?[^./][^/]*\.csv$/i,
  'none/': /^\b\B/,
}

type Value = number | string | null

/** The value of a folder. Undefined: it is not of the type. */
function folderValue(name: string, text: string): Value | undefined {
  const decoded = decodeURIComponent(text)
  if (text === '') return null
  if (name === 'month') return decoded
  return /^\d+$/.test(decoded) ? Number(decoded) : undefined
}

/** Whether conditions on the values that are known so far can be true. Those of another type say nothing. */
function mayPass(values: ReadonlyMap<string, Value>, conditions: readonly ColumnCondition[]): boolean {
  return conditions.every(([name, comparison, wanted]) => {
    const value = values.get(name)
    const given = name === 'month' ? String(wanted) : wanted
    if (value === undefined || typeof given !== (name === 'month' ? 'string' : 'number')) return true
    if (value === null) return false
    switch (comparison) {
      case 'eq':
        return value === given
      case 'neq':
        return value !== given
      case 'lt':
        return value < given
      default:
        return value >= given
    }
  })
}

/** What becomes of a file, by going through the names in its path: its values, nothing if it is left out, or an error. */
function readOneByOne(path: string, keys: readonly string[], conditions: readonly ColumnCondition[]) {
  const values = new Map<string, Value>()
  const isWrong = false
  for (const name of path.split('/').slice(0, -1)) {
    const key = keys[values.size + Number(isWrong)]
    if (isWrong && values.size + 1 >= keys.length) break
    if (key === undefined || !name.startsWith(`${key}=`)) continue
    const value = folderValue(key, name.slice(key.length + 1))
    if (value === undefined) return 'error'
    values.set(key, value)
    if (!mayPass(values, conditions)) return 'left out'
  }
  return values.size < keys.length ? 'error' : [...values.values()]
}

t.test('the same files and values, without listing what is left out', async (t) => {
  const location = realpathSync(mkdtempSync(join(tmpdir(), 'halocline-external-')))
  t.teardown(() => rmSync(location, { recursive: true }))
  const read: string[] = []
  const opendir = (folder: string) => {
    read.push(relative(location, folder))
    return hostFileSystem.opendir(folder)
  }
  const root = await openDatasetRoot(location, { system: { ...hostFileSystem, opendir } })
  const counts = { answered: 0, narrowed: 0, refused: 0 }
  const property = fc.asyncProperty(tree, async ({ paths, location: asked, depth, conditions }) => {
    for (const name of readdirSync(location)) rmSync(join(location, name), { recursive: true })
    for (const each of paths) {
      mkdirSync(dirname(join(location, each)), { recursive: true })
      writeFileSync(join(location, each), 'n\n1\n')
    }
    const partitions = FIELDS.slice(0, depth)
    const keys = partitions.map(({ name }) => name)
    const source: LocationSource = {
      kind: 'location',
      format: csvFormat(),
      location: asked,
      extensions: ['csv'],
      partitions,
    }
    const search = createLocationSearch(root)
    const schema = { fields: [field('n', { kind: 'utf8' }), ...partitions], metadata: {} }
    const table = tableOfLocation('x', schema, source, null, (where, _, test) =>
      search(where, test, EVERYTHING, never),
    )
    const expected = paths
      .filter((each) => BELONGS[asked]?.test(each))
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map((each) => ({ path: each, outcome: readOneByOne(each, keys, conditions) }))
    read.length = 0
    const found = await table.files(where(...conditions)).catch(() => null)
    if (expected.some(({ outcome }) => outcome === 'error')) {
      counts.refused++
      return found === null
    }
    if (found === null) return false
    counts.answered++
    const left = expected.filter(({ outcome }) => outcome !== 'left out')
    if (left.length < expected.length) counts.narrowed++
    const values = found.files.map(({ constants = {} }) =>
      keys.map((key) => {
        const value = constants[key] ?? null
        if (value === null) return null
        return value.kind === 'bytes'
          ? new TextDecoder().decode(value.value as Uint8Array)
          : Number(value.value)
      }),
    )
    const wasListed = expected.some(
      ({ path, outcome }) => outcome === 'left out' && asked !== 't/year=1/' && read.includes(dirname(path)),
    )
    const files = found.files.map(({ path }) => path)
    return (
      !wasListed &&
      isDeepStrictEqual([files, values], [left.map(({ path }) => path), left.map(({ outcome }) => outcome)])
    )
  })
  await fc.assert(property, { numRuns: 300 })
  t.comment(JSON.stringify(counts))
  for (const count of Object.values(counts)) t.ok(count > 10, JSON.stringify(counts))
})
