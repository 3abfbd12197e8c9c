import {
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createFingerprint } from '../../src/main/datasets/fingerprint/fingerprint.ts'
import { isUnchanged } from '../../src/main/datasets/fingerprint/unchanged.ts'
import { resolveFiles } from '../../src/main/datasets/resolve.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { CLOCK_TICK_MS } from '../../src/plan/source/version.ts'
import { untilSettled } from '../support/settled.ts'
import { networkFileSystem } from './network-file-system.ts'

const never = new AbortController().signal

interface Change {
  readonly name: string
  readonly paths: readonly string[]
  readonly make: (at: (path: string) => string) => void
  readonly isSeen: boolean
}

const CHANGES: readonly Change[] = [
  { name: 'nothing', paths: ['obs/*.csv', 'a.csv', 'link.csv', '**'], make: () => {}, isSeen: false },
  ...each(
    ['obs/*.csv', 'obs/', '**', 'o?s/**'],
    [
      ['a new file', (at) => writeFileSync(at('obs/3.csv'), 'n\n1\n')],
      ['a file appended to', (at) => writeFileSync(at('obs/1.csv'), 'n\n1\n2\n')],
      ['a file rewritten in place', (at) => writeFileSync(at('obs/1.csv'), 'n\n9\n', { flag: 'r+' })],
      [
        'a file rewritten in place, its time set back',
        (at) => {
          writeFileSync(at('obs/1.csv'), 'n\n9\n', { flag: 'r+' })
          utimesSync(at('obs/1.csv'), 1, 1)
        },
      ],
      ['a file removed', (at) => rmSync(at('obs/2.csv'))],
      ['a file replaced', (at) => renameSync(at('other/1.csv'), at('obs/1.csv'))],
      ['a file renamed', (at) => renameSync(at('obs/2.csv'), at('obs/0.csv'))],
      ['an empty file that is no longer', (at) => writeFileSync(at('obs/empty.csv'), 'n\n1\n')],
      ['a folder replaced', (at) => exchange(at('obs'), at('other'))],
      ['a folder replaced by a link', (at) => moveAndLink(at('obs'), at('hidden'))],
    ],
  ),
  ...each(
    ['**', 'obs/**'],
    [
      ['a new file far below', (at) => writeFileSync(at('obs/deep/er/3.csv'), 'n\n1\n')],
      ['a new folder with a file', (at) => mkdirSync(at('obs/deep/new'))],
    ],
  ),
  ...each(
    ['obs/1.csv'],
    [
      ['a file truncated', (at) => truncateSync(at('obs/1.csv'), 2)],
      ['a folder replaced by a link to it', (at) => moveAndLink(at('obs'), at('hidden'))],
    ],
  ),
  ...each(
    ['link.csv', 'link.*'],
    [
      ['a link to another file', (at) => relink(at('obs/2.csv'), at('link.csv'))],
      ['what a link leads to', (at) => writeFileSync(at('other/1.csv'), 'n\n7\n')],
    ],
  ),
  {
    name: 'another file in the folder',
    paths: ['obs/1.csv'],
    make: (at) => rmSync(at('obs/2.csv')),
    isSeen: false,
  },
  {
    name: 'a file that is called like the pattern',
    paths: ['[xy]/1.csv', 'x/1.csv'],
    make: (at) => writeFileSync(at('[xy]/1.csv'), 'n\n1\n'),
    isSeen: true,
  },
]

t.test('a fingerprint of a file that was just written is not verifiable', async (t) => {
  const folder = t.testdir({ 'a.csv': 'n\n1\n' })
  const root = await openDatasetRoot(folder)
  const fingerprint = createFingerprint()
  writeFileSync(join(folder, 'b.csv'), 'n\n1\n')
  // However long the search waits for a CPU.
  const { ctimeMs } = statSync(join(folder, 'b.csv'))
  t.intercept(Date, 'now', { value: () => ctimeMs + CLOCK_TICK_MS / 2 })
  await resolveFiles(root, ['*.csv'], never, fingerprint)
  t.notOk(fingerprint.isVerifiable)
})

t.test('the fingerprint of a search that fails is not verifiable', async (t) => {
  const root = await openDatasetRoot(t.testdir({ 'a.csv': 'n\n1\n' }))
  const fingerprint = createFingerprint()
  await t.rejects(resolveFiles(root, ['none/*.csv'], never, fingerprint), { code: 'no_files' })
  t.notOk(fingerprint.isVerifiable)
})

// In parallel: they wait most of their time.
t.jobs = 16

/** Which folder of the root is on a network; null: none. */
for (const mount of [null, '', 'obs', 'other'])
  for (const { name, paths, make, isSeen } of CHANGES) {
    const where = mount === null ? '' : `, with ${mount || 'the root'} on a network`
    t.test(`${name}, by ${paths.join(' ')}${where}`, { buffered: true }, async (t) => {
      const folder = t.testdir({
        root: {
          'a.csv': 'n\n1\n',
          'link.csv': t.fixture('symlink', 'other/1.csv'),
          obs: {
            '1.csv': 'n\n1\n',
            '2.csv': 'n\n2\n',
            'empty.csv': '',
            deep: { er: { '1.csv': 'n\n1\n' } },
          },
          other: { '1.csv': 'n\n3\n' },
          '[xy]': {},
          x: { '1.csv': 'n\n1\n' },
        },
      })
      const at = (path: string): string => join(folder, 'root', path)
      const network = networkFileSystem(
        ...(mount === null ? [] : [join(realpathSync(folder), 'root', mount)]),
      )
      await untilSettled(folder)
      const root = await openDatasetRoot(join(folder, 'root'), { system: network.system })
      const fingerprint = createFingerprint()
      await resolveFiles(root, paths, never, fingerprint)
      t.ok(fingerprint.isVerifiable)
      t.ok(await isUnchanged(fingerprint, root.files))
      t.strictSame(network.syncCalls, [], 'the main thread waits for no network')
      make(at)
      t.equal(await isUnchanged(fingerprint, root.files), !isSeen)
    })
  }

/** Each change, seen through each path. */
function each(
  paths: readonly string[],
  changes: readonly (readonly [string, Change['make']])[],
): readonly Change[] {
  return paths.flatMap((path) => changes.map(([name, make]) => ({ name, paths: [path], make, isSeen: true })))
}

function exchange(one: string, other: string): void {
  renameSync(one, `${one}.old`)
  renameSync(other, one)
  renameSync(`${one}.old`, other)
}

function moveAndLink(folder: string, to: string): void {
  renameSync(folder, to)
  symlinkSync(to, folder)
}

function relink(target: string, link: string): void {
  rmSync(link)
  symlinkSync(target, link)
}
