/**
 * Writes docs/reference/openapi.json. If the version has moved since it was written, the file that it was until now becomes
 * test/openapi/released.json, with which later changes are compared.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { VERSION } from '../src/main/settings/version.ts'
import { OPENAPI_FILE, openApiText, RELEASED_FILE } from './openapi-file.ts'

const text = await openApiText()
if (existsSync(OPENAPI_FILE)) {
  const committed = readFileSync(OPENAPI_FILE, 'utf8')
  if (JSON.parse(committed).info.version !== VERSION) writeFileSync(RELEASED_FILE, committed)
}
writeFileSync(OPENAPI_FILE, text)
