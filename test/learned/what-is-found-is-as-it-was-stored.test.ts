import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fileFormat } from '../../src/plan/format/file-format.ts'
import { generator } from '../support/generate.ts'
import { findAll, learnedOf, openStore, refOf } from './stored.ts'

const FORMAT = fileFormat('netcdf', 'grid', {})
const FILES = 100
const below = generator('learned')
const all = (version: number) => Array.from({ length: FILES }, (_, nth) => refOf(nth, version))

t.test('files by place and version', async (t) => {
  const path = join(t.testdir({}), 'learned.db')
  const first = openStore(path)
  for (let nth = 0; nth < FILES; nth++) first.put(FORMAT, refOf(nth, 1), learnedOf(nth, 1))
  await first.close()
  const second = openStore(path)
  const found = await findAll(second, FORMAT, all(1))
  t.same(
    found,
    all(1).map((_, nth) => learnedOf(nth, 1)),
  )
  t.same(
    await findAll(second, FORMAT, all(2)),
    all(2).map(() => null),
    'another version',
  )
  const other = fileFormat('netcdf', 'grid', { dimensions: ['level'] })
  t.same(await findAll(second, other, [refOf(0, 1)]), [null], 'other options')
  const { grid: _, ...withoutGrid } = learnedOf(6, 2)
  second.put(FORMAT, refOf(6, 2), { ...withoutGrid, grid: null })
  await second.close()
  const third = openStore(path)
  t.same(
    await findAll(third, FORMAT, [refOf(6, 1), refOf(6, 2)]),
    [null, { ...withoutGrid, grid: null }],
    'the last version',
  )
  await third.close()
})

t.test('another version of the service begins anew', async (t) => {
  const path = join(t.testdir({}), 'learned.db')
  const before = openStore(path)
  before.put(FORMAT, refOf(0, 1), learnedOf(0, 1))
  await before.close()
  const after = openStore(path, { serviceVersion: '2' })
  t.same(await findAll(after, FORMAT, [refOf(0, 1)]), [null])
  await after.close()
})

t.test('beyond the limit the files that were written first are dropped', async (t) => {
  const path = join(t.testdir({}), 'learned.db')
  const limits = { files: 1500, texts: 100 }
  const store = openStore(path, { limits })
  for (let nth = 0; nth < 2000; nth++) store.put(FORMAT, refOf(nth, 1), learnedOf(nth, 1))
  await store.close()
  const again = openStore(path, { limits })
  const found = await findAll(
    again,
    FORMAT,
    Array.from({ length: 2000 }, (_, nth) => refOf(nth, 1)),
  )
  t.ok(found.filter((each) => each !== null).length <= limits.files)
  t.equal(found[0], null)
  t.same(found[1999], learnedOf(1999, 1))
  await again.close()
})

t.test('after kill -9 each file is of one version, or not known', async (t) => {
  const path = join(t.testdir({}), 'learned.db')
  for (let round = 0; round < 4; round++) {
    const child = spawn(
      process.execPath,
      ['--no-warnings', join(import.meta.dirname, 'put-until-killed.ts'), path],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let begun = 0
    const many = Promise.withResolvers<void>()
    const enough = 20 + below(60)
    child.stdout.on('data', (data: Buffer) => {
      begun = Number(data.toString().trim().split('\n').at(-1))
      if (begun >= enough) many.resolve()
    })
    await many.promise
    child.kill('SIGKILL')
    await once(child, 'exit')
    const store = openStore(path)
    let known = 0
    for (let version = 0; version <= begun + 1; version++)
      for (const [nth, found] of (await findAll(store, FORMAT, all(version))).entries()) {
        if (found === null) continue
        known++
        t.same(found, learnedOf(nth, version))
      }
    t.ok(known > 0 && known <= FILES, `${known} files`)
    await store.close()
  }
})

t.test('a damaged database tells nothing else', async (t) => {
  const path = join(t.testdir({}), 'learned.db')
  const store = openStore(path)
  for (let nth = 0; nth < FILES; nth++) store.put(FORMAT, refOf(nth, 1), learnedOf(nth, 1))
  await store.close()
  const bytes = readFileSync(path)
  const expected = all(1).map((_, nth) => learnedOf(nth, 1))
  for (let round = 0; round < 16; round++) {
    const damaged = Uint8Array.from(bytes)
    for (let flips = 0; flips < 1 + below(200); flips++) {
      const at = below(damaged.length)
      damaged[at] = (damaged[at] ?? 0) ^ (1 << below(8))
    }
    writeFileSync(path, round % 4 === 3 ? damaged.subarray(0, below(damaged.length)) : damaged)
    const opened = openStore(path)
    const found = await findAll(opened, FORMAT, all(1))
    t.ok(found.every((each, nth) => each === null || t.same(each, expected[nth])))
    opened.put(FORMAT, refOf(0, 3), learnedOf(0, 3))
    await opened.close()
  }
})
