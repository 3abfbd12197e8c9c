import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')

const TOP_LEVEL = [
  '.ci',
  '.dockerignore',
  '.git',
  '.gitignore',
  'CONTRIBUTING.md',
  'Dockerfile',
  'LICENSE',
  'README.md',
  'bench',
  'biome.json',
  'deploy',
  'docs',
  'knip.json',
  'package-lock.json',
  'package.json',
  'scripts',
  'src',
  'test',
  'tsconfig.json',
]

t.test('what lies at the top level is named here, or ignored by Git', async (t) => {
  // Data of a service that was started in the checkout were once committed.
  const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.replaceAll('/', ''))
  const others = readdirSync(ROOT).filter(
    (name) => !TOP_LEVEL.includes(name) && !ignored.includes(name) && !name.endsWith('.log'),
  )
  t.strictSame(others, [])
})
