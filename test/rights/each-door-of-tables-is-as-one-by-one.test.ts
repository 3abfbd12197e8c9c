import t from 'tap'
import { applyChanges, type Rule } from '../../src/main/auth/directory/directory.ts'
import { type Rights, rightsOf } from '../../src/main/auth/rights/rights.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { EMPTY_DIRECTORY } from '../support/empty-directory.ts'
import { generator } from '../support/generate.ts'
import { type Asked, refusal, startEnforced } from './enforced.ts'
import { listed } from './listed.ts'
import { mayRead } from './one-decision.ts'

const FILES = ['a.csv', 'b.csv', 'x/a.csv', 'x/y/b.csv', '.hidden/c.csv']
const PATTERNS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(FILES.map((path) => [path, [path]])),
  '*.csv': ['a.csv', 'b.csv'],
  'x/*.csv': ['x/a.csv'],
  '**/b.csv': ['b.csv', 'x/y/b.csv'],
  'x/': ['x/a.csv', 'x/y/b.csv'],
}
const TABLES = ['t0', 'T1', 't2', 't3', 'Gone']
const VIEWS = Array.from({ length: 12 }, (_, index) => `v${index}`)

type Source =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'files'; readonly pattern: string }

interface View {
  readonly query: string
  readonly reads: readonly Source[]
}

const below = generator('doors of tables')
const one = <T>(of: readonly T[]): T => of[below(of.length)] as T

/** A view of any shape over what is there before it. */
function anyView(known: readonly string[]): View {
  const source = (): Source =>
    below(3) === 0
      ? { kind: 'files', pattern: one(Object.keys(PATTERNS)) }
      : { kind: 'name', name: one(known) }
  const [x, y] = [source(), source()]
  const [first, second] = [x, y].map((each) =>
    each.kind === 'name'
      ? one([each.name, `"${each.name}"`, `public.${each.name}`])
      : `read_csv('${each.pattern}')`,
  )
  const common = one(TABLES)
  const shapes: readonly View[] = [
    { query: `SELECT n FROM ${first}`, reads: [x] },
    { query: `SELECT n FROM (SELECT * FROM ${first}) WHERE n > 0`, reads: [x] },
    { query: `SELECT n + 1 AS n FROM ${first}`, reads: [x] },
    { query: `SELECT a.n FROM ${first} a LEFT JOIN ${second} b USING (n)`, reads: [x, y] },
    { query: `SELECT n FROM ${first} WHERE n NOT IN (SELECT n FROM ${second})`, reads: [x, y] },
    { query: `SELECT n FROM ${first} UNION ALL SELECT n FROM ${second}`, reads: [x, y] },
    { query: `WITH ${common} AS (SELECT n FROM ${first}) SELECT n FROM ${common}`, reads: [x] },
    {
      query: `WITH c AS (SELECT n FROM ${first}) SELECT c.n FROM c, ${second} d WHERE c.n = d.n`,
      reads: [x, y],
    },
  ]
  return one(shapes)
}

function anyRules(): readonly Rule[] {
  return Array.from({ length: below(12) }, (): Rule => {
    const effect = one(['grant', 'grant', 'grant', 'deny'] as const)
    switch (below(effect === 'grant' ? 6 : 8)) {
      case 0:
      case 1:
        return { effect: 'grant', target: { kind: 'all' } }
      case 2:
      case 3:
        return {
          effect,
          target: {
            kind: 'path',
            glob: one(['**', '*.csv', 'x', 'x/*', 'x/y/**', '**/b.csv', 'a.csv', '.hidden']),
          },
        }
      default:
        return {
          effect,
          target: { kind: 'table', schema: 'public', name: one([...TABLES, ...VIEWS]).toUpperCase() },
        }
    }
  })
}

t.test('any tables, views and rules, by reading each and by listing them', async (t) => {
  const service = await startEnforced(
    t,
    Object.fromEntries(FILES.map((path, index) => [path, `n\n${index}\n`])),
  )
  for (const [index, name] of TABLES.entries())
    await service.admin(`CREATE EXTERNAL TABLE ${name} STORED AS CSV LOCATION '${FILES[index]}'`)
  const views = new Map<string, View>()
  for (const name of VIEWS) {
    const view = anyView([...TABLES, ...views.keys()])
    views.set(name, view)
    await service.admin(`CREATE VIEW ${name} AS ${view.query}`)
  }
  await service.admin('DROP TABLE Gone')
  const names = [...TABLES, ...VIEWS, 'default', 'nothing'].toSorted()
  const shown = JSON.stringify([...views].map(([name, { query }]) => [name, query]))

  const isReadable = (name: string, rights: Rights): boolean => {
    if (name === 'Gone' || name === 'nothing') return false
    if (!mayRead(rights, { kind: 'table', schema: 'public', name })) return false
    return (views.get(name)?.reads ?? []).every((source) =>
      source.kind === 'name'
        ? isReadable(source.name, rights)
        : PATTERNS[source.pattern]?.every((path) =>
            mayRead(rights, { kind: 'file', paths: [path], targets: [path] }),
          ),
    )
  }
  const queries = (name: string): readonly object[] => [
    { from: name, select: ['n'] },
    { sql: `SELECT n FROM "${name}"` },
    { sql: `SELECT n + 0 AS m FROM "${name}"` },
    { sql: `SELECT count(*) FROM (SELECT n FROM "${name}")` },
    { sql: `EXPLAIN SELECT n + 0 AS m FROM "${name}"` },
    { sql: `DESCRIBE "${name}"` },
  ]

  for (let round = 0; round < 8; round++) {
    const rules = anyRules()
    await service.allow(...rules)
    const directory = applyChanges(EMPTY_DIRECTORY, [{ kind: 'put_role', role: { name: 'r', rules } }])
    const rights = rightsOf(directory, ['r'], true)
    const context = `${JSON.stringify(rules)} ${shown}`
    const expected = names.filter((name) => isReadable(name, rights))
    for (const name of names) {
      if (name === 'default') continue
      // Kept answers and views of the engine, which the other caller must not get.
      if (below(3) === 0) await service.asked(one(queries(name)), SUPER_USER)
      for (const query of queries(name)) {
        const answer: Asked = await service.asked(query)
        if (expected.includes(name))
          t.equal(answer.status, 200, `${JSON.stringify(query)} ${answer.text.slice(0, 200)} ${context}`)
        else t.same(answer, { status: 400, text: refusal(name) }, `${JSON.stringify(query)} ${context}`)
      }
    }
    const { tables, withSchema, inCatalogs, withColumns, count } = await listed(service, names)
    for (const list of [tables, withSchema, inCatalogs, withColumns])
      t.same(list.toSorted(), expected, context)
    t.equal(count, expected.length)
  }
})
