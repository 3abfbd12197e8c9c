import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const run = promisify(execFile)
const root = new URL('../..', import.meta.url).pathname
const script = join(root, 'scripts/check-imports.ts')

t.test('no room of this project imports against it', async (t) => {
  await t.resolves(run(process.execPath, [script], { cwd: root }))
})

t.test('an import against it is named', async (t) => {
  const dir = t.testdir({})
  mkdirSync(join(dir, 'src/main/query'), { recursive: true })
  writeFileSync(join(dir, 'src/main/query/a.ts'), "import { createCore } from '../../wasm/core.ts'\n")
  writeFileSync(join(dir, 'src/main/b.ts'), "import { readParquet } from 'parquet-wasm'\n")
  const error: unknown = await run(process.execPath, [script], { cwd: dir }).catch((reason) => reason)
  t.match(error, { code: 1, stderr: /src\/main\/query\/a\.ts: main must not import/ })
  t.match(error, { stderr: /src\/main\/b\.ts: main must not import parquet-wasm/ })
})
