import { join } from 'node:path'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import type { StatementContext } from '../../src/main/statements/context.ts'
import { withUnreadableNames } from '../../src/main/statements/in-name-order.ts'
import type { Command } from '../../src/main/statements/run-node.ts'
import { put } from '../catalog/definitions.ts'
import { openInFolder } from '../catalog/store.ts'
import { ANYBODY } from '../support/callers.ts'

const NEVER = new AbortController().signal

/** The catalog of a folder in which the definition of `obs` is broken, and a function that runs commands. */
async function openBroken(t: Test) {
  const folder = t.testdir()
  const first = await openInFolder(folder)
  await first.change([put('Obs')], NEVER)
  await first.close()
  const database = new Database(join(folder, 'catalog.db'))
  database.exec(`UPDATE definitions SET statement = 'CREATE'`)
  database.close()
  const catalog = await openInFolder(folder, { log: { error: () => undefined } })
  t.teardown(catalog.close)
  const ran: Command[] = []
  const run = withUnreadableNames(async (node) => {
    ran.push(node)
    if (node.kind === 'create_external_table') await catalog.change([put(node.name.name)], NEVER)
  })
  const context = { catalog, caller: ANYBODY, signal: NEVER } as unknown as StatementContext
  return { catalog, ran, run: (node: Command) => run(node, context) }
}

function create(ifExists: 'fail' | 'keep' | 'replace'): Command {
  const { statement } = put('OBS').definition
  return { ...statement, ifExists } as Command
}

t.test('CREATE is refused unless it replaces', async (t) => {
  const { catalog, ran, run } = await openBroken(t)
  for (const ifExists of ['fail', 'keep'] as const)
    await t.rejects(run(create(ifExists)), {
      code: 'table_exists',
      message:
        /A definition of "OBS" is stored that cannot be read; the log has the reason\. Write OR REPLACE/,
    })
  t.equal(ran.length, 0)
  t.ok(catalog.isUnreadable('oBs'))
  await run(create('replace'))
  t.equal(ran.length, 1)
  t.notOk(catalog.isUnreadable('obs'))
  await run(create('fail'))
  t.equal(ran.length, 2, 'what there is now is the concern of the command')
})

t.test('DROP deletes it', async (t) => {
  const { catalog, ran, run } = await openBroken(t)
  const drop: Command = {
    kind: 'drop',
    name: { catalog: null, schema: null, name: 'obs' },
    isIfExists: false,
  }
  await run(drop)
  t.equal(ran.length, 0)
  t.notOk(catalog.isUnreadable('obs'))
  await run(drop)
  t.equal(ran.length, 1)
})
