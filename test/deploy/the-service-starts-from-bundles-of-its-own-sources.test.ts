import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { START_FLAGS } from '../../scripts/start-flags.ts'
import { SAMPLE_JSON, SAMPLE_SQL } from '../../src/main/http/openapi/operations/sample-queries.ts'
import { ensureSample } from '../../src/main/sample.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { addressOf } from '../support/ready.ts'
import { bundleService, makeCheckout } from './checkout.ts'

/** Files that are not there, which is an error that suggests a path. */
const WRONG = { ...SAMPLE_JSON, from: { parquet: { paths: ['observation/*.parquet'] } } }

interface Run {
  /** The bodies of answers. */
  readonly answers: readonly string[]
  /** The modules that Node has looked up in its compile cache, by their paths in the checkout, and whether it had their code. */
  readonly modules: ReadonlyMap<string, boolean>
}

/** Starts the service of a checkout, asks it, and stops it. */
async function run(t: Test, checkout: string, data: string): Promise<Run> {
  const service = spawn(process.execPath, [...START_FLAGS, join(checkout, 'src/main/start.ts')], {
    env: {
      SERVICE_DATA_DIR: data,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: '0',
      SERVICE_WORKERS: '1',
      NODE_COMPILE_CACHE: join(data, 'cache'),
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    },
  })
  t.teardown(() => service.kill('SIGKILL'))
  const log = text(service.stderr)
  const exit = once(service, 'exit')
  const address = await addressOf(service.stdout)
  const answers: string[] = []
  for (const query of [SAMPLE_JSON, SAMPLE_SQL, WRONG, { sql: `ATTACH '${address}' AS itself` }]) {
    const answer = await fetch(`${address}/api/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...SUPER_USER },
      body: JSON.stringify(query),
    })
    answers.push((await answer.text()).replaceAll(address, ''))
  }
  service.kill('SIGTERM')
  t.same(await exit, [0, null])
  const lookups = (await log).matchAll(
    /code cache for ESM file:\/\/(\S+) was (not initialized|accepted|rejected)/g,
  )
  const modules = Array.from(
    lookups,
    ([, path = '', how]) => [path.replace(`${checkout}/`, ''), how === 'accepted'] as const,
  )
  return { answers, modules: new Map(modules) }
}

/** How many files of a checkout may take the place of modules. */
function builtCount(checkout: string): number {
  const module = JSON.stringify(join(checkout, 'src/main/threads/built-files.ts'))
  const program = `const { readBuiltFiles, SERVICE_FILES } = await import(${module})
    console.log(readBuiltFiles(SERVICE_FILES).size)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  return Number(stdout)
}

t.test('and answers the same from modules, from bundles, and when a source has changed', async (t) => {
  const folder = t.testdir({ checkout: {} })
  const [checkout, data] = [join(folder, 'checkout'), join(folder, 'data')]
  makeCheckout(checkout)
  await ensureSample(join(data, 'datasets'))
  const plain = await run(t, checkout, data)
  bundleService(checkout)
  await run(t, checkout, data)
  const bundled = await run(t, checkout, data)
  appendFileSync(join(checkout, 'src/plan/limits.ts'), '// another one\n')
  const changed = await run(t, checkout, data)

  t.same(bundled.answers, plain.answers)
  t.same(changed.answers, plain.answers)
  const own = ({ modules }: Run): readonly string[] =>
    [...modules.keys()].filter((path) => path.startsWith('src/'))
  t.ok(own(plain).includes('src/main/service.ts'))
  t.ok(own(changed).includes('src/main/service.ts'))
  t.same([...own(bundled)].sort(), ['src/main/start.ts', 'src/main/threads/built-files.ts'])
  for (const name of [
    'main/run',
    'workers/worker',
    'main/catalog/store/writer-thread',
    'main/remotes/wire/wire-thread',
  ])
    t.equal(
      bundled.modules.get(`node_modules/.cache/halocline/src/${name}.mjs`),
      true,
      `${name}: its code is cached`,
    )
  t.notMatch([...changed.modules.keys()].join('\n'), /halocline\/src/, 'none of a bundle')
})

t.test('a bundle of other sources is not used', async (t) => {
  const checkout = join(t.testdir({ checkout: {} }), 'checkout')
  makeCheckout(checkout)
  t.equal(builtCount(checkout), 0, 'there is none')
  bundleService(checkout)
  const all = builtCount(checkout)
  t.ok(all > 5, `main and threads: ${all}`)

  const source = join(checkout, 'src/plan/limits.ts')
  const [before, { size, atime, mtime }] = [readFileSync(source, 'utf8'), statSync(source)]
  writeFileSync(
    source,
    before.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
  )
  utimesSync(source, atime, mtime)
  t.equal(statSync(source).size, size, 'of the same size')
  t.equal(builtCount(checkout), 0, 'a digit differs')
  writeFileSync(source, before)
  t.equal(builtCount(checkout), all, 'the same content is the same source, whenever it was written')

  appendFileSync(join(checkout, 'scripts/bundle-modules.ts'), '\n')
  t.equal(builtCount(checkout), 0, 'what bundles has changed')
  bundleService(checkout)
  t.equal(builtCount(checkout), all)

  const moved = `${checkout}-moved`
  renameSync(checkout, moved)
  t.equal(builtCount(moved), 0, 'bundles contain paths of the place where they were made')
  bundleService(moved)
  rmSync(join(moved, 'src/plan/limits.ts'))
  t.equal(builtCount(moved), 0, 'a source is gone')
})
