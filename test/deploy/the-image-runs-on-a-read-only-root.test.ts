import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { SAMPLE_JSON, SAMPLE_SQL } from '../../src/main/http/openapi/operations/sample-queries.ts'
import { ensureSample } from '../../src/main/sample.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { addressOf } from '../support/ready.ts'
import { ROOT } from './manifests.ts'
import { productionInstall } from './production-install.ts'

/** The user of the image and of the manifests. */
const USER = 1000

/**
 * A command that runs as in the image: as a user without privileges, on a root that is read-only. `$1` is mounted to be written to, `$2`
 * is this Node, mounted at `$3`, where the user can reach it.
 */
const CONTAINER = `set -e
mount --bind "$1" "$1"
touch "$3" && mount --bind "$2" "$3"
mount -o remount,ro,bind /
shift 3
exec setpriv --reuid ${USER} --regid ${USER} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`

const isPossible =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', '--propagation', 'private', 'mount', '-o', 'remount,ro,bind', '/'])
    .status === 0

const skip = !isPossible && process.env['CI'] === undefined && 'mounting needs root'

/** Needs a plugin of the HDF5 library, which is a file of a package. */
const PLUGIN_SQL = { sql: "SELECT sum(smooth_f8) AS s FROM read_hdf5('bzip2.h5')" }

/** Runs Node in the image. `data` is what the user may write to. `errors` tells the standard error so far. */
function run(t: Test, app: string, data: string, args: readonly string[], env: Record<string, string>) {
  const node = join(app, 'node')
  const command = ['sh', '-c', CONTAINER, 'sh', data, process.execPath, node, node, ...args]
  // A file: of a pipe that nobody reads for a moment what does not fit is lost.
  const log = join(folder(t, 0), 'log')
  const descriptor = openSync(log, 'w')
  const child = spawn('unshare', ['--mount', '--propagation', 'private', ...command], {
    cwd: app,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    stdio: ['ignore', 'pipe', descriptor],
  })
  closeSync(descriptor)
  t.teardown(() => child.kill('SIGKILL'))
  const { stdout } = child
  if (stdout === null) throw new TypeError('no pipe')
  return { child, stdout, exit: once(child, 'exit'), errors: () => readFileSync(log, 'utf8') }
}

/** A folder that is gone when the test ends, and that every user can reach. */
function folder(t: Test, owner: number): string {
  const path = mkdtempSync('/tmp/halocline-image-')
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  chmodSync(path, 0o755)
  chownSync(path, owner, owner)
  return path
}

/** The arguments of Node with which the image starts the service. */
function commandOfImage(): string[] {
  const [, command = ''] = /^CMD (.*)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? []
  const [node, ...args] = JSON.parse(command) as string[]
  t.equal(node, 'node')
  return args
}

t.test('the production install serves queries, pages and explorers as another user', { skip }, async (t) => {
  const [app, datasets, data] = [folder(t, 0), folder(t, 0), folder(t, USER)]
  productionInstall(app)
  const sample = join(t.testdir(), 'sample')
  await ensureSample(sample)
  cpSync(sample, datasets, { recursive: true })
  cpSync(join(ROOT, 'test/fixtures/hdf5/filter-bzip2.h5'), join(datasets, 'bzip2.h5'))

  const script = `for (const path of ${JSON.stringify([join(app, 'x'), join(data, 'x')])})
    try { fs.writeFileSync(path, ''); console.log('written') } catch (error) { console.log(error.code) }`
  t.equal(await text(run(t, app, data, ['-e', script], {}).stdout), 'EROFS\nwritten\n')

  const cache = join(data, 'cache')
  const filled = run(t, app, data, ['scripts/fill-compile-cache.ts'], {
    NODE_COMPILE_CACHE: cache,
    TMPDIR: data,
  })
  const [code] = await filled.exit
  t.equal(code, 0, `the compile cache is filled: ${filled.errors()}`)
  const baked = join(app, '.compile-cache')
  cpSync(cache, baked, { recursive: true })
  // Node lets only the user who has made an entry read it.
  for (const path of readdirSync(baked, { recursive: true })) chownSync(join(baked, String(path)), USER, USER)

  const service = run(t, app, data, commandOfImage(), {
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: baked,
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    SERVICE_DATA_DIR: data,
    SERVICE_DATASETS_DIR: datasets,
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: '0',
    SERVICE_WORKERS: '2',
  })
  const address = await addressOf(service.stdout)
  for (const path of [
    '/api/ready',
    '/',
    '/docs/',
    '/docs/reference/sql',
    '/scalar/',
    '/swagger/',
    '/openapi.json',
  ])
    t.equal((await fetch(address + path)).status, 200, path)
  const attach = { sql: `ATTACH '${address}' AS itself` }
  const queries = [SAMPLE_JSON, SAMPLE_SQL, { ...SAMPLE_JSON, output: { format: 'ipc' } }, PLUGIN_SQL, attach]
  for (const query of queries) {
    const answer = await fetch(`${address}/api/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...SUPER_USER },
      body: JSON.stringify(query),
    })
    const body = await answer.text()
    t.equal(answer.status, 200, body.slice(0, 1000))
  }
  service.child.kill('SIGTERM')
  t.same(await service.exit, [0, null])
  const log = service.errors()
  for (const file of [
    'src/main/run',
    'src/workers/worker',
    'engine-\\w+',
    'src/main/remotes/wire/wire-thread',
  ])
    t.match(
      log,
      new RegExp(`code cache for ESM \\S+/${file}\\.mjs was accepted`),
      `${file} is in the compile cache`,
    )
  t.notMatch(log, /src\/main\/service\.ts/, 'what is bundled is not loaded once more')
})
