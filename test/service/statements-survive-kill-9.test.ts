import { join } from 'node:path'
import t, { type Test } from 'tap'
import { STATEMENT_STEPS } from '../../src/main/catalog/steps.ts'
import { put } from '../catalog/definitions.ts'
import { locations, openInFolder } from '../catalog/store.ts'
import { startToBeKilled } from './killed-service.ts'

const REPLACE = "CREATE OR REPLACE EXTERNAL TABLE Obs STORED AS CSV LOCATION 'b.csv'"

const folder = (t: Test): string => t.testdir({ datasets: { 'a.csv': 'n\n1\n', 'b.csv': 'n\n2\n' } })

for (const [name, step] of Object.entries(STATEMENT_STEPS))
  t.test(`a service that is killed at step ${step}, ${name}`, async (t) => {
    const data = folder(t)
    const before = await openInFolder(join(data, 'tables'))
    await before.change([put('obs', 'a.csv')], new AbortController().signal)
    await before.close()
    const service = await startToBeKilled(t, data, step)
    await t.rejects(service.run(REPLACE), 'without an answer')
    const isDone = step >= STATEMENT_STEPS.committed
    const after = await openInFolder(join(data, 'tables'))
    t.strictSame(locations(after), isDone ? { Obs: 'b.csv' } : { obs: 'a.csv' })
    await after.close()
  })

t.test('each statement that was answered is there after kill -9 among others', async (t) => {
  const data = folder(t)
  const first = await startToBeKilled(t, data)
  const answered: string[] = []
  const create = async (index: number): Promise<void> => {
    const name = `t${index}`
    const status = await first.run(`CREATE EXTERNAL TABLE ${name} STORED AS CSV LOCATION 'a.csv'`)
    t.equal(status, 200)
    answered.push(name)
  }
  const others: Promise<unknown>[] = []
  for (let index = 0; index < 20; index++) await create(index)
  for (let index = 20; index < 40; index++) others.push(create(index).catch(() => undefined))
  await Promise.race(others)
  await first.kill()
  await Promise.all(others)
  const second = await startToBeKilled(t, data)
  const tables = new Set(await second.tables())
  t.same(
    answered.filter((name) => !tables.has(name)),
    [],
  )
  await second.kill()
})
