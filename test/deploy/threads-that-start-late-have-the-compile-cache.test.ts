import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { START_FLAGS } from '../../scripts/start-flags.ts'
import { ROOT } from './manifests.ts'

const COLLECT = pathToFileURL(join(ROOT, 'src/plan/collect-garbage.ts')).href

/** What V8 says of the code that is cached of a module which a thread loads when garbage has been collected. */
const PROGRAM = `
import { Worker } from 'node:worker_threads'
import { collectGarbage } from '${COLLECT}'
collectGarbage()
new Worker(new URL('./late.mjs', import.meta.url))
`

t.test('after garbage was collected too, since the service starts with its flag', async (t) => {
  const folder = t.testdir({ 'program.mjs': PROGRAM, 'late.mjs': 'export const late = () => 1\n' })
  const command = readFileSync(join(ROOT, 'package.json'), 'utf8')
  const image = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const start = ['node', ...START_FLAGS, 'src/main/start.ts']
  t.match(JSON.parse(command).scripts.start, new RegExp(` ${start.join(' ')}$`))
  t.ok(image.includes(`\nCMD [${start.map((word) => JSON.stringify(word)).join(', ')}]\n`))
  const run = (): string => {
    const env = {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: join(folder, 'cache'),
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    }
    const { stderr, status } = spawnSync(process.execPath, [...START_FLAGS, join(folder, 'program.mjs')], {
      env,
      encoding: 'utf8',
    })
    t.equal(status, 0, status === 0 ? 'it ends well' : stderr)
    return stderr
  }
  run()
  t.match(run(), /code cache for ESM \S+late\.mjs was accepted/)
})
