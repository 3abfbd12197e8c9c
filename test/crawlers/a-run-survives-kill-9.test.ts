import { join } from 'node:path'
import t from 'tap'
import { STATEMENT_STEPS } from '../../src/main/catalog/steps.ts'
import { startToBeKilled } from '../service/killed-service.ts'
import { untilSettled } from '../support/settled.ts'
import type { Report } from './crawling.ts'

const RUN = '/api/admin/crawlers/archive/run'

for (const [name, step] of Object.entries(STATEMENT_STEPS))
  t.test(`a service that is killed at step ${step} of a run's first table, ${name}`, async (t) => {
    const data = t.testdir({
      datasets: { a: { 'x.csv': 'n\n1\n' }, b: { 'x.csv': 'n\n2\n' }, c: { 'x.csv': 'n\n3\n' } },
    })
    await untilSettled(join(data, 'datasets'))
    const first = await startToBeKilled(t, data)
    t.equal(await first.run("CREATE CRAWLER archive ON ''"), 200)
    await first.kill()

    const dying = await startToBeKilled(t, data, step)
    await t.rejects(dying.ask('POST', RUN), 'without a report')

    const last = await startToBeKilled(t, data)
    const isStored = step >= STATEMENT_STEPS.committed
    t.same(
      await last.tables(),
      isStored ? ['a', 'default'] : ['default'],
      'a table is there whole or not at all',
    )
    const runs = (await last.ask('GET', '/api/admin/crawlers/archive/runs')) as readonly {
      readonly state: string
    }[]
    t.same(
      runs.map(({ state }) => state),
      ['interrupted'],
    )
    const { created, updated, failed, skipped } = (await last.ask('POST', RUN)) as Report
    t.same(
      { created, updated },
      isStored ? { created: ['b', 'c'], updated: ['a'] } : { created: ['a', 'b', 'c'], updated: [] },
    )
    t.same([...failed, ...skipped], [])
    t.same(await last.tables(), ['a', 'b', 'c', 'default'])
    await last.kill()
  })
