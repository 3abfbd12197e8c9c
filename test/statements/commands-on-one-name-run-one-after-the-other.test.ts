import { writeFileSync } from 'node:fs'
import t from 'tap'
import type { StatementContext } from '../../src/main/statements/context.ts'
import { inNameOrder } from '../../src/main/statements/in-name-order.ts'
import { createNameOrder } from '../../src/main/statements/name-order.ts'
import type { Command } from '../../src/main/statements/run-node.ts'
import { ANYBODY } from '../support/callers.ts'
import { startStatedService } from './asked-statements.ts'

/** Commands that end when the test says so, and what they have done. */
function someCommands() {
  const log: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const end = (id: string): PromiseWithResolvers<void> => {
    const known = ends.get(id) ?? Promise.withResolvers<void>()
    ends.set(id, known)
    return known
  }
  const run = inNameOrder(async (_node, { queryInPlace: id }) => {
    log.push(`${id} begins`)
    await end(id ?? '').promise
    log.push(`${id} ends`)
  }, createNameOrder())
  /** Only the name matters to the order. The id stands where the text of a query would. */
  const begin = (id: string, name: string, signal = new AbortController().signal): Promise<void> =>
    beginNode(id, { kind: 'drop', name: { catalog: null, schema: null, name }, isIfExists: true }, signal)
  const beginNode = (
    id: string,
    node: Command,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<void> => {
    const context = { caller: ANYBODY, signal, queryInPlace: id } as unknown as StatementContext
    return run(node, context)
  }
  return { log, end, begin, beginNode }
}

t.test('a name is the same in any case, and other names do not wait', async (t) => {
  const { log, end, begin } = someCommands()
  const first = begin('first', 'obs')
  const second = begin('second', 'OBS')
  const other = begin('other', 'tracks')
  end('other').resolve()
  await other
  t.same(log, ['first begins', 'other begins', 'other ends'])
  end('second').resolve()
  end('first').resolve()
  await Promise.all([first, second])
  t.same(log.slice(3), ['first ends', 'second begins', 'second ends'])
})

t.test('a table, a user and a role of one name do not wait for each other', async (t) => {
  const { log, end, begin, beginNode } = someCommands()
  const table = begin('table', 'ann')
  const user = beginNode('user', { kind: 'drop_user', name: 'ann' })
  const otherUser = beginNode('Ann', { kind: 'drop_user', name: 'Ann' })
  const role = beginNode('role', { kind: 'drop_role', name: 'ann' })
  await Promise.resolve()
  for (const id of ['role', 'Ann', 'user', 'table']) end(id).resolve()
  await Promise.all([table, user, otherUser, role])
  t.same(log.slice(0, 4).toSorted(), ['Ann begins', 'role begins', 'table begins', 'user begins'])
})

t.test(
  'what gives a role to a user waits for both, and what comes next on either waits for it',
  async (t) => {
    const { log, end, beginNode } = someCommands()
    const all = [
      beginNode('user', { kind: 'create_user', name: 'ann', password: '***' }),
      beginNode('role', { kind: 'create_role', name: 'r' }),
      beginNode('give', { kind: 'grant_role', role: 'r', user: 'ann' }),
      beginNode('drop', { kind: 'drop_role', name: 'r' }),
    ]
    for (const id of ['drop', 'give', 'role']) end(id).resolve()
    await all[1]
    t.notOk(log.includes('give begins'), 'the user is not there yet')
    end('user').resolve()
    await Promise.all(all)
    t.same(log.slice(-4), ['give begins', 'give ends', 'drop begins', 'drop ends'])
  },
)

t.test('one that fails lets the next one run', async (t) => {
  const { log, end, begin } = someCommands()
  const first = begin('first', 'obs')
  const second = begin('second', 'obs')
  end('first').reject(new Error('it fails'))
  end('second').resolve()
  await t.rejects(first, { message: 'it fails' })
  await second
  t.same(log, ['first begins', 'second begins', 'second ends'])
})

t.test(
  'one whose client leaves while it waits does nothing, and those behind it keep their order',
  async (t) => {
    const { log, end, begin } = someCommands()
    const client = new AbortController()
    const first = begin('first', 'obs')
    const left = begin('left', 'obs', client.signal)
    const last = begin('last', 'obs')
    client.abort()
    await t.rejects(left, { name: 'AbortError' })
    t.same(log, ['first begins'], 'the last one still waits for the first')
    end('last').resolve()
    end('first').resolve()
    await Promise.all([first, last])
    t.same(log, ['first begins', 'first ends', 'last begins', 'last ends'])
    await t.rejects(begin('gone', 'obs', AbortSignal.abort()), { name: 'AbortError' })
    t.equal(log.length, 4)
  },
)

t.test('of many statements that create one name at once, one does', async (t) => {
  const { state, answer, at, settle } = await startStatedService(t)
  writeFileSync(at('a.csv'), 'n\n1\n')
  await settle()
  const create = (name: string) => state(`CREATE EXTERNAL TABLE ${name} STORED AS CSV LOCATION 'a.csv'`)
  const view = (name: string) => state(`CREATE VIEW ${name} AS SELECT 1 AS n`)
  const results = await Promise.all(
    Array.from({ length: 8 }, () => [create('obs'), view('OBS'), create('"Obs"')]).flat(),
  )
  t.equal(results.filter((result) => result === null).length, 1)
  for (const result of results)
    if (result !== null) t.match(result, /^There is a (table|view) "obs" already/i)
  t.same(await answer({ sql: 'SELECT * FROM obs' }), ['n', '1'])
  const dropped = await Promise.all(Array.from({ length: 4 }, () => state('DROP TABLE obs')))
  t.equal(dropped.filter((result) => result === null).length, 1)
})
