import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { EVERYTHING } from '../../src/main/auth/rights/rights.ts'
import { createFingerprint } from '../../src/main/datasets/fingerprint/fingerprint.ts'
import { createSearch } from '../../src/main/datasets/search.ts'
import { MAX_FINGERPRINT } from '../../src/plan/limits.ts'
import { untilSettled } from '../support/settled.ts'
import { makeRoot, never } from './dataset-root.ts'

t.test('the result of a search is kept until a check finds a change', async (t) => {
  const { root } = await makeRoot(t, ['obs/1.csv', 'obs/2.csv', 'other.csv'])
  const search = createSearch(root)
  const at = (path: string): string => join(root.location, path)
  const find = async (): Promise<readonly string[]> =>
    (await search(['obs/*.csv'], EVERYTHING, never)).files.map(({ path }) => path)
  await untilSettled(root.location)
  const first = await search(['obs/*.csv'], EVERYTHING, never)
  t.equal(await search(['obs/*.csv'], EVERYTHING, never), first, 'the same files')
  const together = await Promise.all([
    search(['obs/*.csv'], EVERYTHING, never),
    search(['obs/*.csv'], EVERYTHING, never),
  ])
  t.equal(together[0], together[1])

  writeFileSync(at('obs/3.csv'), 'x')
  t.strictSame(await find(), ['obs/1.csv', 'obs/2.csv', 'obs/3.csv'])
  writeFileSync(at('obs/1.csv'), 'xyz')
  const sizes = (await search(['obs/*.csv'], EVERYTHING, never)).files.map(({ version }) => version.size)
  t.strictSame(sizes, [3n, 1n, 1n])
  renameSync(at('other.csv'), at('obs/1.csv'))
  t.not(
    (await search(['obs/*.csv'], EVERYTHING, never)).files[0]?.version.inode,
    first.files[0]?.version.inode,
  )
  rmSync(at('obs'), { recursive: true })
  await t.rejects(search(['obs/*.csv'], EVERYTHING, never), { code: 'no_files' })
  await t.rejects(search(['obs/*.csv'], EVERYTHING, never), { code: 'no_files' })
})

t.test('a search of more files than an answer may depend on is kept too', async (t) => {
  const names = Array.from({ length: MAX_FINGERPRINT + 1 }, (_, nth) => `many/${nth}.csv`)
  const { root } = await makeRoot(t, names)
  const search = createSearch(root)
  await untilSettled(root.location)
  const ofAnswer = createFingerprint()
  const first = await search(['many/*.csv'], EVERYTHING, never, ofAnswer)
  t.equal(first.files.length, names.length)
  t.equal(await search(['many/*.csv'], EVERYTHING, never), first)
  t.notOk(ofAnswer.isVerifiable, 'the answer is not kept')
})

t.test('a kept result brings the fingerprint of its search along', async (t) => {
  const { root } = await makeRoot(t, ['obs/1.csv'])
  const search = createSearch(root)
  await untilSettled(root.location)
  const [first, second] = [createFingerprint(), createFingerprint()]
  await search(['obs/*.csv'], EVERYTHING, never, first)
  await search(['obs/*.csv'], EVERYTHING, never, second)
  t.ok(first.isVerifiable && second.isVerifiable)
  t.strictSame(second.realpaths, first.realpaths)
  t.strictSame(second.versions, first.versions)
  const lost = createFingerprint()
  await t.rejects(search(['nothing.csv'], EVERYTHING, never, lost))
  t.notOk(lost.isVerifiable)
})

t.test('a search that was given up meanwhile gives nothing', async (t) => {
  const { root } = await makeRoot(t, ['1.csv'])
  const search = createSearch(root)
  await untilSettled(root.location)
  await search(['1.csv'], EVERYTHING, never)
  const reason = new Error('given up')
  await t.rejects(search(['1.csv'], EVERYTHING, AbortSignal.abort(reason)), reason)
})
