/** Generated select lists over files of arrays, in both engines: each column has the attributes of the array that it is made of, or none. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { post, SUPER_USER } from '../../http/test-server.ts'
import { fc } from '../../support/generate.ts'
import { untilSettled } from '../../support/settled.ts'
import { startTestService } from '../service.ts'
import { describedFile } from './described-file.ts'

const service = await startTestService(t)
const NAMES = ['lat', 'lon', 'sst', 'ice', 'wind']
const FILE = 'generated.nc'
const variables = Object.fromEntries(NAMES.map((name) => [name, { units: `of ${name}` }]))
const location = join(service.datasets, FILE)
writeFileSync(location, describedFile({ variables }))
await untilSettled(location)

/** An item of a list: its text, the column that it is in the units of, and whether its units must be there. */
interface Item {
  readonly text: string
  readonly of: string | null
}

const KEEPING = ['min(#)', 'max(#)', 'avg(#)', 'median(#)', 'first(#)', 'quantile_cont(#, 0.25)']
const OTHERS = [
  'sum(#)',
  'count(#)',
  'stddev(#)',
  'max(# + 1)',
  'avg(# * $)',
  'arg_max(#, $)',
  'max(#) - min(#)',
]
const ROWS = ['# + 1', '# + $', 'coalesce(#, $)', '#::FLOAT', '-#', 'greatest(#, $)', 'abs(#)']

/** Items over columns, by the names under which a relation has them. */
function items(columns: readonly string[], forms: readonly string[], keeping: readonly string[]) {
  const column = fc.constantFrom(...columns)
  return fc.tuple(fc.constantFrom(...forms, ...keeping), column, column).map(([form, one, other]): Item => {
    return { text: form.replaceAll('#', one).replaceAll('$', other), of: keeping.includes(form) ? one : null }
  })
}

const lists = fc.record({
  list: fc.oneof(
    fc.array(items(NAMES, ROWS, ['#']), { minLength: 1, maxLength: 6 }),
    fc.array(items(NAMES, OTHERS, KEEPING), { minLength: 1, maxLength: 6 }),
  ),
  // The names of the answer may be those of other columns.
  names: fc.shuffledSubarray([...NAMES, 'a', 'b'], { minLength: 6, maxLength: 6 }),
  where: fc.constantFrom('', ' WHERE lat >= 0', ' WHERE chr(65) = chr(65)'),
  form: fc.constantFrom('block', 'sub-select', 'common table', 'view', 'join'),
  order: fc.constantFrom('', ' ORDER BY 1', ' LIMIT 3'),
  inner: fc.shuffledSubarray(NAMES, { minLength: 5, maxLength: 5 }),
})

let views = 0
await fc.assert(
  fc.asyncProperty(lists, async ({ list, names, where, form, order, inner }) => {
    const written = list.map(({ text }, index) => `${text} AS ${names[index]}`).join(', ')
    const from = `read_netcdf('${FILE}')`
    /** The relation renames each column to another's name. */
    const renamed = inner.map((name, index) => `${name} AS ${NAMES[index]}`).join(', ')
    const original = (name: string): string => {
      const index = NAMES.indexOf(name)
      return form === 'block' || form === 'join' ? name : (inner[index] ?? '')
    }
    const sql = await (async () => {
      switch (form) {
        case 'sub-select':
          return `SELECT ${written} FROM (SELECT ${renamed} FROM ${from}) AS r${where}${order}`
        case 'common table':
          return `WITH r AS (SELECT ${renamed} FROM ${from}) SELECT ${written} FROM r${where}${order}`
        case 'view': {
          const view = `renamed_${views++}`
          const create = `CREATE VIEW ${view} AS SELECT ${renamed} FROM ${from}`
          const { status } = await post(`${service.url}/api/query`, { sql: create }, SUPER_USER)
          assert.equal(status, 200)
          return `SELECT ${written} FROM ${view}${where}${order}`
        }
        case 'join':
          return `SELECT ${written} FROM ${from} AS r JOIN (SELECT 1 AS one) AS o ON o.one = 1${where}${order}`
        default:
          return `SELECT ${written} FROM ${from}${where}${order}`
      }
    })()
    const { schema } = await service.rows({ sql })
    for (const [index, { name, metadata }] of schema.fields.entries()) {
      const { of = null } = list[index] ?? {}
      const expected = of === null ? {} : { units: `of ${original(of)}` }
      assert.deepEqual(Object.fromEntries(metadata), expected, `${name} in ${sql}`)
    }
  }),
  { numRuns: 60 },
)
t.pass('each column has its own')
