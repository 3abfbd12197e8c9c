import t from 'tap'
import { answerFormat } from '../../src/main/remotes/answer-form.ts'
import { attachedName } from '../../src/main/sql/gate/attached-name.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { ADMIN } from '../accounts/asked-accounts.ts'
import { addressOf, NEVER } from '../remotes/remote.ts'
import { attachedInMemory } from './in-memory.ts'
import { startTwo } from './services.ts'

t.test('so that one made since is found in any case, and listed', async (t) => {
  const { here, there, host } = await startTwo(t)
  t.equal(await here.state(`ATTACH 'service://${host}' AS far`), null)
  t.equal(await there.state('CREATE VIEW "Later One" AS SELECT n FROM obs WHERE n > 2'), null)
  const listed = async (): Promise<readonly string[] | string> =>
    here.lines(
      "SELECT table_name FROM information_schema.tables WHERE table_catalog = 'far' AND table_name <> 'default' ORDER BY table_name",
      ADMIN,
    )
  t.same(await listed(), ['table_name', 'Big View', 'obs'])
  t.same(await here.lines('SELECT n FROM far.public."later one"', ADMIN), ['n', '3'])
  t.same(await listed(), ['table_name', 'Big View', 'Later One', 'obs'])
})

t.test('but not more often than every five seconds', async (t) => {
  let time = 0
  const attached = attachedInMemory(() => time)
  const address = addressOf(1)
  await attached.put(
    {
      name: 'far',
      address,
      secret: null,
      ownSecrets: null,
      format: answerFormat(address, FORMATS),
      tables: [],
      isPersistent: false,
    },
    NEVER,
  )
  const snapshot = attached.snapshot()
  const found = (name: string) => {
    const source = snapshot.table(attachedName('far', 'public', name))?.source
    return source?.kind === 'remote' ? source : null
  }
  const source = found('new')
  t.equal(source?.isUnlisted, true)
  const number = source?.attachment ?? 0
  let lists = 0
  let tables = [{ schema: 'public', name: 'New', isView: false }]
  const again = (name: string, number: number): Promise<boolean> =>
    attached.listAgain(number, { schema: 'public', name }, async () => {
      lists++
      return tables
    })
  t.same(
    await Promise.all([again('new', number), again('other', number)]),
    [true, false],
    'one list is for both',
  )
  t.equal(lists, 1)
  t.match(found('new'), { table: { name: 'New' }, isUnlisted: undefined }, 'what is attached has not changed')
  t.match(attached.find('far')?.tables, tables)

  tables = [...tables, { schema: 'public', name: 'Other', isView: false }]
  time = 4999
  t.equal(await again('other', number), false)
  t.equal(lists, 1)
  time = 5000
  t.equal(await again('other', number), true)
  t.equal(await again('Other', number), false, 'as it is written')
  t.equal(lists, 2)

  time = 20_000
  const fault = attached.listAgain(number, { schema: 'public', name: 'x' }, () =>
    Promise.reject(new Error('gone')),
  )
  t.equal(await fault, false)
  t.match(attached.find('far')?.tables, tables, 'the earlier list stays')
  t.equal(await again('new', number + 1), false, 'one that is not attached is not asked')
})
