import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { filesThatMayPass } from '../../src/main/query/source/constants.ts'
import { fc } from '../support/generate.ts'
import { type ColumnCondition, observedRoot, where } from './searching.ts'

const VALUES = [
  '1',
  '2',
  '-3',
  '04',
  '1.5',
  'x',
  'a%20b',
  '%zz',
  '%2F',
  'a=b',
  '__HIVE_DEFAULT_PARTITION__',
  '',
  '2024-01-01',
]

const file = fc.constantFrom('a.csv', 'b.csv', '')

/** The paths of a tree with few values, so that it branches. '' is a folder that is none of a partition. */
const regular = fc
  .tuple(
    fc.constantFrom(['k'], ['k', 'm'], ['k', 'm', 'k2'], ['k', ''], ['', 'k']),
    fc.constantFrom(['1', '2', '-3'], ['1', '2', '1.5', ''], ['x', '04', 'a%20b'], VALUES),
  )
  .chain(([keys, values]) => {
    const nameOf = (key: string) =>
      key === ''
        ? fc.constantFrom('plain', 'o')
        : fc.constantFrom(...values).map((value) => `${key}=${value}`)
    const path = fc.tuple(...keys.map(nameOf), file).map((names) => `t/${names.join('/')}`)
    return fc.array(path, { minLength: 1, maxLength: 12 })
  })

/** Paths that do not fit into most trees. */
const odd: fc.Arbitrary<readonly string[]> = fc.array(
  fc.constantFrom('t/plain/a.csv', 't/=x/a.csv', 't/K=1/a.csv', 't/k=1/k=2/a.csv', 't/k=1/m=1/x=1/'),
  {
    maxLength: 1,
  },
)

interface Tree {
  readonly paths: readonly string[]
  readonly others: readonly string[]
  readonly asked: readonly string[]
  readonly conditions: readonly ColumnCondition[]
}

const tree: fc.Arbitrary<Tree> = fc.record({
  paths: regular,
  others: fc.oneof(
    { weight: 4, arbitrary: fc.constant<readonly string[]>([]) },
    { weight: 1, arbitrary: odd },
  ),
  asked: fc.constantFrom(['t/**'], ['t/**/*.csv'], ['t/k=1/**', 't/**'], ['t/*/*.csv', 't/**/a.csv']),
  conditions: fc.array(
    fc.tuple(
      fc.constantFrom('k', 'k', 'm', 'k2', 'n'),
      fc.constantFrom('eq', 'neq', 'lt', 'gt_eq'),
      fc.constantFrom(1, 2, -3, 'x', '1.5', 'a b'),
    ) as fc.Arbitrary<ColumnCondition>,
    { minLength: 1, maxLength: 2 },
  ),
})

t.test('the same files and types as all, without those that cannot pass', async (t) => {
  const { put, list, location } = await observedRoot(t)
  let narrowed = 0
  const property = fc.asyncProperty(tree, async ({ paths, others, asked, conditions }) => {
    await rm(join(location, 't'), { recursive: true, force: true })
    await put('t/z/', ...paths, ...others)
    const filter = where(...conditions)
    const all = await list(asked).catch(() => null)
    const found = await list(asked, filter).catch(() => null)
    // A path without files is an error, unless the filter has left them out.
    if (all === null) return true
    if (found === null) return false
    if (all.columns === '') return found.files.every((path) => all.files.includes(path))
    const { files, columns } = all.found
    const passing = filesThatMayPass(files, columns, filter.on(columns))
    const expected = (passing.length === 0 ? files : passing).map(({ path }) => path)
    narrowed += found.isNarrowed ? 1 : 0
    const constants = new Map(files.map(({ path, constants }) => [path, constants]))
    return (
      JSON.stringify(found.files) === JSON.stringify(expected) &&
      found.columns === all.columns &&
      (found.isNarrowed || expected.length === files.length) &&
      found.read.every((folder) => all.read.includes(folder)) &&
      found.found.files.every(
        (file) => String(show(file.constants)) === String(show(constants.get(file.path))),
      )
    )
  })
  // Read as one column, the values of a key that is twice in a path would have two types.
  const keyTwice: Tree = {
    paths: ['t/k=x/a.csv'],
    others: ['t/k=1/k=2/a.csv'],
    asked: ['t/**'],
    conditions: [['k', 'lt', 2]],
  }
  await t.resolves(fc.assert(property, { numRuns: 120, examples: [[keyTwice]] }))
  t.ok(narrowed > 5, `${narrowed} were narrowed`)
})

function show(constants: object | undefined): readonly string[] {
  return Object.entries(constants ?? {}).map(
    ([name, value]) => `${name} ${value === null ? '' : String(value.value)}`,
  )
}
