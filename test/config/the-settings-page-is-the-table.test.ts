import { readFileSync } from 'node:fs'
import t from 'tap'
import { settingsPage } from '../../scripts/settings-page.ts'

t.test('docs/reference/settings.md is what the service reads', async (t) => {
  const page = readFileSync(new URL('../../docs/reference/settings.md', import.meta.url), 'utf8')
  t.equal(page, settingsPage(), 'run: node scripts/write-settings.ts')
})
