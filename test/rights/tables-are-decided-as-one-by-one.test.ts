import t from 'tap'
import { createCaller } from '../../src/main/auth/caller.ts'
import { applyChanges, type Rule } from '../../src/main/auth/directory/directory.ts'
import { ANONYMOUS } from '../../src/main/auth/principal.ts'
import { type Rights, rightsOf } from '../../src/main/auth/rights/rights.ts'
import { PUBLIC } from '../../src/main/catalog/catalog.ts'
import { createCatalog } from '../../src/main/catalog/create-catalog.ts'
import { createNamesIn } from '../../src/main/sql/gate/names-in.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { foldSqlName } from '../../src/plan/statement/statement.ts'
import { put, putView } from '../catalog/definitions.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'
import { EMPTY_DIRECTORY } from '../support/empty-directory.ts'
import { generator } from '../support/generate.ts'
import { mayRead } from './one-decision.ts'

const NEVER = new AbortController().signal
const NAMES = ['a', 'B', 'é', 'É', 'v', 'W', 'x y', 'default', 'z']

/** A view: the names that it reads, and a common table of it, which it reads too. */
interface View {
  readonly reads: readonly string[]
  readonly common: string | null
}

t.test('any tables, views and rules', async (t) => {
  const below = generator('tables of rules')
  const one = <T>(of: readonly T[]): T => of[below(of.length)] as T
  const other = (name: string): string =>
    one([name, foldSqlName(name), name.replace(/[a-z]/g, (letter) => letter.toUpperCase())])
  for (let round = 0; round < 400; round++) {
    const defined = new Map<string, View | null>()
    for (const name of NAMES)
      if (below(4) > 0)
        defined.set(
          foldSqlName(name),
          below(2) === 0
            ? null
            : {
                reads: Array.from({ length: below(3) }, () => one([...NAMES, 'nothing'])),
                common: below(3) === 0 ? one(NAMES) : null,
              },
        )
    const catalog = createCatalog({
      name: 'service',
      defaultTable: 'default',
      formats: FORMATS,
      namesIn: createNamesIn(KNOWN_NAMES),
    })
    await catalog.change(
      [...defined].map(([name, view]) => (view === null ? put(name) : putView(name, queryOf(view)))),
      NEVER,
    )
    const rules = Array.from({ length: below(6) }, (): Rule => {
      const effect = one(['grant', 'grant', 'deny'] as const)
      const kind = below(8)
      if (kind === 0) return { effect, target: { kind: 'path', glob: one(['**', 'a', '*']) } }
      if (kind === 1 && effect === 'grant') return { effect, target: { kind: 'all' } }
      return {
        effect,
        target: { kind: 'table', schema: one(['public', 'Public', 'x']), name: other(one(NAMES)) },
      }
    })
    const directory = applyChanges(EMPTY_DIRECTORY, [{ kind: 'put_role', role: { name: 'r', rules } }])
    const rights = rightsOf(directory, ['r'], true)
    const caller = createCaller(ANONYMOUS, false, rights)
    const snapshot = catalog.snapshot()
    const expected = [...new Set([...defined.keys(), 'default'])]
      .filter((name) => isReadable(name, defined, rights))
      .toSorted()
    const context = JSON.stringify({ defined: [...defined], rules })
    t.same(
      snapshot
        .all(caller)
        .map(({ name }) => foldSqlName(name))
        .toSorted(),
      expected,
      context,
    )
    for (const name of NAMES)
      t.equal(
        snapshot.find(caller, other(name), one(['public', 'PUBLIC'])) !== null,
        expected.includes(foldSqlName(name)),
        `${name} ${context}`,
      )
  }
})

function queryOf({ reads, common }: View): string {
  const from = ['(SELECT 1) one', ...reads.map((name, index) => `"${name}" AS t${index}`)]
  return common === null
    ? `SELECT * FROM ${from}`
    : `WITH "${common}" AS (SELECT * FROM ${from}) SELECT * FROM "${common}", public."a"`
}

/** Whether the rights allow all that is reached from a name and is there. */
function isReadable(name: string, defined: ReadonlyMap<string, View | null>, rights: Rights): boolean {
  const reached = new Set([name])
  for (const each of reached) {
    if (!mayRead(rights, { kind: 'table', schema: PUBLIC, name: each })) return false
    const view = defined.get(each)
    for (const read of view ? [...view.reads, ...(view.common === null ? [] : ['a'])] : []) {
      const folded = foldSqlName(read)
      if (defined.has(folded) || folded === 'default') reached.add(folded)
    }
  }
  return true
}
