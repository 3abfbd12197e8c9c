import { lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openChangeClock } from '../../src/main/datasets/change-clock.ts'

const changedAt = (path: string): bigint => lstatSync(path, { bigint: true }).ctimeNs

t.test('than one before it, and no earlier one than one after it', async (t) => {
  const folder = t.testdir({})
  const clock = await openChangeClock(folder)
  t.teardown(clock.close)
  t.strictSame(readdirSync(folder), [], 'leaves nothing behind')
  const path = join(folder, 'a')
  for (let round = 0; round < 200; round++) {
    writeFileSync(path, 'before')
    const before = changedAt(path)
    const now = await clock.now()
    writeFileSync(path, 'after')
    if (!(before < now && now <= changedAt(path))) t.fail(`${before} ${now} ${changedAt(path)}`)
  }
})

t.test('whoever asks at the same time is told the same', async (t) => {
  const clock = await openChangeClock(t.testdir({}))
  t.teardown(clock.close)
  const [first, second] = await Promise.all([clock.now(), clock.now()])
  t.equal(first, second)
  t.ok((await clock.now()) > first)
})
