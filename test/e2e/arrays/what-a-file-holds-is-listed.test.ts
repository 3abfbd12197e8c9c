import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { untilSettled } from '../../support/settled.ts'
import { startTestService } from '../service.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures')

interface Stored {
  readonly dimensions?: readonly string[]
  readonly shape: readonly number[]
  readonly chunks: readonly number[] | null
  readonly filters?: readonly (string | number)[]
  readonly attributes: Readonly<Record<string, unknown>>
}

/** What the reference libraries list of a file, as `scripts/make-structures.py` writes it. */
interface Listed {
  readonly groups: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly dimensions?: readonly (readonly [
    group: string,
    name: string,
    size: number,
    isUnlimited: boolean,
  ])[]
  readonly variables: Readonly<Record<string, Stored>>
}

interface Structure {
  readonly grids: readonly { readonly group: string; readonly dimensions: readonly string[] }[]
  readonly groups: readonly { readonly path: string; readonly attributes: Attributes }[]
  readonly dimensions: readonly {
    readonly group: string
    readonly name: string
    readonly size: number
    readonly is_unlimited: boolean
    readonly is_in_grid: boolean
  }[]
  readonly variables: readonly Variable[]
  readonly left_out: Readonly<Record<string, number>>
}

type Attributes = Readonly<
  Record<string, { readonly type: string; readonly value: unknown; readonly cut_from?: number }>
>

interface Variable {
  readonly group: string
  readonly name: string
  readonly type: string
  readonly dimensions: readonly string[]
  readonly shape: readonly number[]
  readonly chunks: readonly number[] | null
  readonly filters: readonly { readonly name: string; readonly parameters: unknown }[]
  readonly attributes: Attributes
  readonly is_in_grid: boolean
  readonly column: string | null
  readonly column_type: string | null
  readonly note: string | null
}

const LISTED = JSON.parse(readFileSync(join(FIXTURES, 'structures.json'), 'utf8')) as Readonly<
  Record<string, Listed>
>

const service = await startTestService(t)
for (const path of Object.keys(LISTED))
  cpSync(join(FIXTURES, path), join(service.datasets, path), { recursive: true })
for (const path of ['hdf5/compound.h5', 'hdf5/kinds-v200.h5', 'netcdf/ragged-profiles-cdf1.nc'])
  cpSync(join(FIXTURES, path), join(service.datasets, path))
await untilSettled(service.datasets)

async function structureOf(path: string): Promise<Structure> {
  const response = await fetch(`${service.url}/api/dataset-structure?file=${encodeURIComponent(path)}`)
  const text = await response.text()
  t.equal(response.status, 200, `${path} ${text.slice(0, 300)}`)
  return JSON.parse(text) as Structure
}

function valuesOf(attributes: Attributes): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(attributes).map(([name, { value }]) => [name, value]))
}

function pathOf({ group, name }: Variable): string {
  return group === '/' ? `/${name}` : `${group}/${name}`
}

const REGISTERED: Readonly<Record<string, number>> = {
  deflate: 1,
  shuffle: 2,
  fletcher32: 3,
  szip: 4,
  bzip2: 307,
}

for (const [path, listed] of Object.entries(LISTED))
  t.test(`as by the reference library: ${path}`, async (t) => {
    const structure = await structureOf(path)
    const groups = structure.groups.map((each) => [each.path, valuesOf(each.attributes)] as const)
    t.same(Object.fromEntries(groups), listed.groups)
    if (listed.dimensions !== undefined)
      t.same(
        structure.dimensions
          .map(({ group, name, size, is_unlimited }) => [group, name, size, is_unlimited] as const)
          .toSorted(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1)),
        listed.dimensions.toSorted(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1)),
      )
    const variables = new Map(structure.variables.map((each) => [pathOf(each), each]))
    for (const [name, { dimensions, shape, chunks, filters, attributes }] of Object.entries(
      listed.variables,
    )) {
      const variable = variables.get(name)
      if (variable === undefined) {
        t.ok(
          structure.dimensions.some((each) => name.endsWith(`/${each.name}`)),
          `${name} is a variable, or a dimension`,
        )
        continue
      }
      if (dimensions !== undefined) t.same(variable.dimensions, dimensions, name)
      t.same(variable.shape, shape, name)
      t.same(variable.chunks, chunks, name)
      t.same(valuesOf(variable.attributes), attributes, name)
      if (filters === undefined) continue
      const names = variable.filters.map((each) => each.name)
      if (path.startsWith('hdf5'))
        t.same(
          names.map((each) => REGISTERED[each] ?? each),
          filters,
          name,
        )
      else t.same(names.toSorted(), filters.toSorted(), name)
    }
    t.same(structure.left_out, { groups: 0, dimensions: 0, variables: 0, attributes: 0 })
  })
