import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { startTestService } from '../service.ts'

t.test('what a statement reads may change between two times that it is asked', async (t) => {
  const service = await startTestService(t, { workers: 1 })
  const file = join(service.datasets, 'a.csv')
  const ask = async (): Promise<string> => {
    const sql = `SELECT * FROM read_csv('a*.csv') WHERE x > 1 ORDER BY x`
    const response = await service.query({ sql, output: { format: 'csv' } })
    return response.status === 200 ? response.text() : String(response.status)
  }
  writeFileSync(file, 'x,y\n1,a\n2,b\n')
  t.equal(await ask(), 'x,y\n2,b\n')
  t.equal(await ask(), 'x,y\n2,b\n')
  writeFileSync(file, 'x,y\n3,c\n')
  t.equal(await ask(), 'x,y\n3,c\n', 'other rows')
  writeFileSync(file, 'z,x\nd,3.5\ne,1.5\n')
  t.equal(await ask(), 'z,x\ne,1.5\nd,3.5\n', 'another schema')
  writeFileSync(join(service.datasets, 'a2.csv'), 'x,w\n7,true\n')
  t.equal(await ask(), 'z,x,w\ne,1.5,\nd,3.5,\n,7.0,true\n', 'another file')
  rmSync(file)
  t.equal(await ask(), 'x,w\n7,true\n', 'a file less')
  rmSync(join(service.datasets, 'a2.csv'))
  t.equal(await ask(), '400', 'no file any more')
  writeFileSync(file, 'y\n1\n')
  t.equal(await ask(), '400', 'no such column')
})

t.test('conditions on the time are of the time when they are asked', async (t) => {
  const service = await startTestService(t, { workers: 1 })
  const last = Date.now() + 2000
  const moment = (n: number): string => new Date(last - 250 * n).toISOString().slice(0, -1)
  const later = [...Array(8).keys()].map((n) => `${moment(n)},${n}`)
  writeFileSync(join(service.datasets, 'a.csv'), ['moment,n', ...later, ''].join('\n'))
  const conditions = [
    'moment <= now()::TIMESTAMP',
    'moment <= get_current_timestamp()::TIMESTAMP',
    'moment <= "Now"()::TIMESTAMP',
    'moment <= CURRENT_TIMESTAMP::TIMESTAMP',
    'moment <= transaction_timestamp ( )::TIMESTAMP',
  ]
  const count = async (condition: string): Promise<number> => {
    const sql = `SELECT count(*) AS n FROM read_csv('a.csv') WHERE ${condition}`
    const response = await service.query({ sql, output: { format: 'csv' } })
    t.equal(response.status, 200, condition)
    return Number((await response.text()).split('\n')[1])
  }
  for (const condition of conditions) await count(condition)
  // Time itself: it goes on between the statements.
  await setTimeout(Math.max(0, last - Date.now() + 1))
  for (const condition of conditions) t.equal(await count(condition), later.length, condition)
})
