import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const run = promisify(execFile)
const root = new URL('../..', import.meta.url).pathname
const script = join(root, 'scripts/check-imports.ts')

t.test('no folder of this project imports against it', async (t) => {
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

t.test('an import of a folder that is listed later is named', async (t) => {
  const dir = t.testdir({ src: { main: { auth: {}, http: {} } } })
  writeFileSync(join(dir, 'src/main/http/gate.ts'), "import type { Caller } from '../auth/caller.ts'\n")
  writeFileSync(join(dir, 'src/main/auth/caller.ts'), "import { addVary } from '../http/vary.ts'\n")
  const error: unknown = await run(process.execPath, [script], { cwd: dir }).catch((reason) => reason)
  t.match(error, {
    stderr: /^src\/main\/auth\/caller\.ts: src\/main\/auth must not import \.\.\/http\/vary\.ts\n$/,
  })
})

t.test('a circle of files is named, through types too', async (t) => {
  const dir = t.testdir({ src: { plan: {} } })
  writeFileSync(join(dir, 'src/plan/a.ts'), "import type { B } from './b.ts'\n")
  writeFileSync(join(dir, 'src/plan/b.ts'), "import { c } from './c.ts'\n")
  writeFileSync(join(dir, 'src/plan/c.ts'), "import type { A } from './a.ts'\n")
  const error: unknown = await run(process.execPath, [script], { cwd: dir }).catch((reason) => reason)
  t.match(error, { stderr: /^a circle of files: src\/plan\/a\.ts, src\/plan\/b\.ts, src\/plan\/c\.ts\n$/ })
})
