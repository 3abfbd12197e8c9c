import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')

function check(folder: string): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/check-conflicts.ts')], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, stderr }
}

t.test('no text file of the project has markers of a merge', async (t) => {
  t.same(check(root), { status: 0, stderr: '' })
})

t.test('a marker is refused with its file and line, in text of any kind', async (t) => {
  const folder = t.testdir({ 'notes.md': 'A title\n=======\n\n> a quotation\n' })
  spawnSync('git', ['init', '--quiet'], { cwd: folder })
  t.equal(check(folder).status, 0, 'a title is none')
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'docs/page.md'), `one\n${'<'.repeat(7)} HEAD\ntwo\n=======\n`)
  const { status, stderr } = check(folder)
  t.equal(status, 1)
  t.match(stderr, 'docs/page.md:2:')
})
