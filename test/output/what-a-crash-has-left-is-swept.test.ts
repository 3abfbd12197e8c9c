import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sweepTempFolder } from '../../src/main/output/temp/temp-folder.ts'

t.test('files that still have their name are deleted, and nothing else', async (t) => {
  const base = t.testdir({ tmp: {}, other: {} })
  const tmp = join(base, 'tmp')
  const outside = join(base, 'other', randomUUID())
  writeFileSync(outside, 'mine')
  const left = [randomUUID(), randomUUID()]
  for (const name of left) writeFileSync(join(tmp, name), 'rows')
  writeFileSync(join(tmp, 'notes.txt'), 'mine')
  writeFileSync(join(tmp, `${randomUUID()}.csv`), 'mine')
  symlinkSync(outside, join(tmp, randomUUID()))
  symlinkSync(join(base, 'other'), join(tmp, randomUUID()))
  const folder = randomUUID()
  mkdirSync(join(tmp, folder))
  writeFileSync(join(tmp, folder, randomUUID()), 'mine')
  t.equal(await sweepTempFolder(tmp), 2)
  t.notOk(left.some((name) => existsSync(join(tmp, name))))
  t.equal(readdirSync(tmp).length, 5)
  t.ok(existsSync(outside))
  t.equal(readdirSync(join(tmp, folder)).length, 1)
  t.equal(await sweepTempFolder(tmp), 0)
})

t.test('nothing is deleted if the folder is a link to another one', async (t) => {
  const base = t.testdir({ other: {} })
  const outside = join(base, 'other', randomUUID())
  writeFileSync(outside, 'mine')
  symlinkSync(join(base, 'other'), join(base, 'tmp'))
  t.equal(await sweepTempFolder(join(base, 'tmp')), 0)
  t.ok(existsSync(outside))
})
