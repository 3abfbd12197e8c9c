import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { OPENAPI_FILE, openApiText } from '../../scripts/openapi-file.ts'

t.test(`${OPENAPI_FILE} is what the service answers with`, async (t) => {
  const text = readFileSync(join(import.meta.dirname, '../..', OPENAPI_FILE), 'utf8')
  t.ok(text === (await openApiText()), 'run: node scripts/write-openapi.ts')
})
