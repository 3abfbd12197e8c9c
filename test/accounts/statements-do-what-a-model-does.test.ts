import t from 'tap'
import { fc } from '../support/generate.ts'
import { type ListedRule, startAccountService } from './asked-accounts.ts'

/** Few names, so that statements meet. The first users are reserved. */
const USERS = ['root', 'anonymous', 'ann', 'Ann', 'bob']
const ROLES = ['r', 'R', 'ann']
const TARGETS: readonly (readonly [written: string, type: string, value: string | null])[] = [
  ['', 'all', null],
  [' ON ALL', 'all', null],
  [' ON TABLE t', 'table', 't'],
  [' ON TABLE public.T', 'table', 't'],
  [' ON TABLE service.public."t"', 'table', 't'],
  [' ON TABLE "a b"', 'table', 'a b'],
  [" ON PATH 'a/*'", 'path', 'a/*'],
  [" ON PATH 'A/*'", 'path', 'A/*'],
  [" ON PATH 't'", 'path', 't'],
]

const user = fc.constantFrom(...USERS)
const role = fc.constantFrom(...ROLES)

interface Step {
  readonly sql: string
  /** Does to the model what the statement does to the service. False: the statement is an error, which changes nothing. */
  apply(model: Model): boolean
}

/** Roles by user, and rules as texts by role. */
interface Model {
  readonly users: Map<string, Set<string>>
  readonly roles: Map<string, Set<string>>
}

const onUsers = fc.oneof(
  user.map(
    (name): Step => ({
      sql: `CREATE USER ${name} WITH PASSWORD 'p'`,
      apply: ({ users }) => name !== 'root' && !users.has(name) && !!users.set(name, new Set()),
    }),
  ),
  user.map(
    (name): Step => ({
      sql: `DROP USER ${name}`,
      apply: ({ users }) => name !== 'anonymous' && users.delete(name),
    }),
  ),
)
const onRoles = fc.oneof(
  role.map(
    (name): Step => ({
      sql: `CREATE ROLE ${name}`,
      apply: ({ roles }) => !roles.has(name) && !!roles.set(name, new Set()),
    }),
  ),
  role.map(
    (name): Step => ({
      sql: `DROP ROLE ${name}`,
      apply({ users, roles }) {
        for (const given of users.values()) given.delete(name)
        return roles.delete(name)
      },
    }),
  ),
)
const givings = fc.tuple(fc.boolean(), role, user).map(
  ([isGrant, name, to]): Step => ({
    sql: isGrant ? `GRANT ROLE ${name} TO USER ${to}` : `REVOKE ROLE ${name} FROM USER ${to}`,
    apply({ users, roles }) {
      const given = users.get(to)
      if (given === undefined || !roles.has(name)) return false
      if (isGrant) given.add(name)
      else given.delete(name)
      return true
    },
  }),
)
const rules = fc.tuple(fc.constantFrom('grant', 'deny'), fc.boolean(), fc.constantFrom(...TARGETS), role).map(
  ([effect, isAdded, [written, type, value], name]): Step => ({
    sql: isAdded
      ? `${effect.toUpperCase()} SELECT${written} TO ROLE ${name}`
      : `REVOKE ${effect === 'deny' ? 'DENY ' : ''}SELECT${written} FROM ROLE ${name}`,
    apply({ roles }) {
      const had = roles.get(name)
      const rule = JSON.stringify([effect, type, value])
      if (isAdded) had?.add(rule)
      else had?.delete(rule)
      return had !== undefined
    },
  }),
)
const step = fc.oneof(onUsers, onRoles, givings, givings, rules, rules)

const sorted = (texts: Iterable<string>): readonly string[] => [...texts].toSorted()

t.test(
  'users, roles and rules are those of the model, after each statement and after a restart',
  async (t) => {
    const first = await startAccountService(t)
    const model: Model = { users: new Map([['anonymous', new Set()]]), roles: new Map() }
    const steps = fc.sample(step, 150)

    /** What is listed, in the form of the model. Names of tables that differ in case alone are one. */
    async function listed({ users, roles }: Pick<typeof first, 'users' | 'roles'>) {
      const rulesOf = (effect: string, each: readonly ListedRule[]): readonly string[] =>
        each.map(({ target_type, target_value }) =>
          JSON.stringify([
            effect,
            target_type,
            target_type === 'table' ? target_value?.toLowerCase() : target_value,
          ]),
        )
      return {
        users: (await users()).slice(1).map(({ username, roles }) => [username, roles]),
        roles: (await roles()).map(({ name, grants, denies }) => [
          name,
          sorted([...rulesOf('grant', grants), ...rulesOf('deny', denies)]),
        ]),
      }
    }
    const expected = () => ({
      users: sorted(model.users.keys()).map((name) => [name, sorted(model.users.get(name) ?? [])]),
      roles: sorted(model.roles.keys()).map((name) => [name, sorted(model.roles.get(name) ?? [])]),
    })

    const counts = { done: 0, refused: 0 }
    for (const { sql, apply } of steps) {
      const message = await first.state(sql)
      const isDone = apply(model)
      counts[isDone ? 'done' : 'refused']++
      if ((message === null) !== isDone) t.fail(`${sql}: ${message}`)
      t.same(await listed(first), expected(), sql)
    }
    t.ok(counts.done > 20 && counts.refused > 10, JSON.stringify(counts))
    await first.close()
    const again = await startAccountService(t, { dataDir: first.dataDir })
    t.same(await listed(again), expected(), 'after a restart')
  },
)

t.test('of statements that make or drop one name at once, one does', async (t) => {
  const { state, users, roles } = await startAccountService(t)
  const created = await Promise.all([
    ...Array.from({ length: 6 }, (_, index) => state(`CREATE USER ann WITH PASSWORD 'p${index}'`)),
    ...Array.from({ length: 6 }, () => state('CREATE ROLE r')),
  ])
  t.equal(created.filter((result) => result === null).length, 2)
  const given = await Promise.all([
    ...Array.from({ length: 4 }, () => state('GRANT ROLE r TO USER ann')),
    ...Array.from({ length: 4 }, () => state('GRANT SELECT TO ROLE r')),
  ])
  t.ok(given.every((result) => result === null))
  t.match(await users(), [{}, { username: 'ann', roles: ['r'] }, {}])
  t.match(await roles(), [{ name: 'r', grants: [{ target_type: 'all' }] }])
  const dropped = await Promise.all([
    ...Array.from({ length: 4 }, () => state('DROP ROLE r')),
    ...Array.from({ length: 4 }, () => state('DROP USER ann')),
  ])
  t.equal(dropped.filter((result) => result === null).length, 2)
})
