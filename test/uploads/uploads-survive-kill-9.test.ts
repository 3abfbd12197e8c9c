import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { fileOf } from '../../src/main/threads/built-files.ts'
import { until } from '../support/until.ts'
import { type FileServer, startFileServer } from './file-server.ts'
import { abort, begin, complete, part, staged, stagedBytes, startSending, upload } from './upload.ts'

const PROGRAM = new URL('./dying-server.ts', import.meta.url)

interface Dying {
  readonly url: string
  kill(): Promise<void>
}

/** A server of uploads in a process of its own, which is killed at a call, or when the test does it. */
async function start(t: Test, data: string, call = ''): Promise<Dying> {
  const child = spawn(process.execPath, [fileURLToPath(fileOf(PROGRAM)), data], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DIE_AT_CALL: call },
  }) as ChildProcess & { readonly stdout: Readable }
  const exited = once(child, 'exit')
  t.teardown(() => child.kill('SIGKILL'))
  const [url = ''] = await once(createInterface(child.stdout), 'line')
  return {
    url,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** The same in this process, over what another one has left. */
async function startAfter(t: Test, data: string): Promise<FileServer> {
  const server = await startFileServer(data)
  t.teardown(server.close)
  return server
}

const OLD = 'n\n1\n'
const NEW = 'n\n1\n2\n3\n'

const folder = (t: Test): string => t.testdir({ datasets: { 'old.csv': OLD, d: {} } })

for (const [call, path, isThere] of [
  ['before open', 'd/new.csv', false],
  ['after open', 'd/new.csv', false],
  ['after mkdir', 'e/new.csv', false],
  ['before link', 'd/new.csv', false],
  ['after link', 'd/new.csv', true],
  ['before unlink', 'd/new.csv', true],
  ['after unlink', 'd/new.csv', true],
  ['before rename', 'old.csv', false],
  ['after rename', 'old.csv', true],
] as const)
  t.test(`a service that is killed ${call} has all of the file or nothing`, async (t) => {
    const data = folder(t)
    const { url } = await start(t, data, call)
    await t.rejects(upload(url, path, NEW, `&overwrite=${path === 'old.csv'}`), 'without an answer')
    const { url: after, datasets, listed } = await startAfter(t, data)
    t.same(staged(datasets), [], 'the start has swept')
    const expected = new Set(['old.csv', ...(isThere ? [path] : [])])
    t.same((await listed()).toSorted(), [...expected].toSorted())
    for (const each of expected)
      t.equal(readFileSync(join(datasets, each), 'utf8'), each === path && isThere ? NEW : OLD)
    t.equal((await upload(after, path, NEW, '&overwrite=true')).status, 200, 'it can be sent again')
    t.equal(readFileSync(join(datasets, path), 'utf8'), NEW)
  })

t.test('a file that was arriving is gone after kill -9, and nothing else is', async (t) => {
  const data = folder(t)
  const service = await start(t, data)
  const { request, answer } = startSending(service.url, '/upload?path=a.csv')
  request.on('error', () => {})
  request.write(Buffer.alloc(3 << 20, 'n\n'))
  const datasets = join(data, 'datasets')
  await until('its file is there', () => staged(datasets).length === 1)
  await service.kill()
  await t.rejects(answer)
  const others = '00000000-6f0c3f5e-8f0a-4c4f-9a0e-0f6d7a0b7c11'
  writeFileSync(join(datasets, '__service__', others), 'of another service')
  writeFileSync(join(datasets, '__service__', 'notes.txt'), 'of nobody')
  const next = await startFileServer(data)
  t.same(staged(datasets).toSorted(), [others, 'notes.txt'], 'only its own are swept')
  t.same(await next.listed(), ['old.csv'])
  await next.close()
  utimesSync(join(datasets, '__service__', others), new Date(0), new Date(0))
  await startAfter(t, data)
  t.same(staged(datasets), ['notes.txt'], 'and others that nobody has written to for a day')
})

t.test('parts that were answered are there after kill -9, and nothing else of them', async (t) => {
  const data = folder(t)
  const datasets = join(data, 'datasets')
  const first = await start(t, data)
  const id = await begin(first.url, 'd/a.csv')
  const aborted = await begin(first.url, 'd/b.csv')
  t.equal((await part(first.url, id, 1, 'n\n1\n')).status, 204)
  t.equal((await part(first.url, aborted, 1, 'x')).status, 204)
  t.equal((await abort(first.url, aborted)).status, 204)
  const { request, answer } = startSending(first.url, `/upload/part?upload_id=${id}&part_number=2`, {
    method: 'PUT',
  })
  request.on('error', () => {})
  request.write(Buffer.alloc(3 << 20, 'lost\n'))
  await until('some of the part is written', () => stagedBytes(datasets) > 5)
  await first.kill()
  await t.rejects(answer)

  const second = await start(t, data)
  t.equal(staged(datasets).length, 1)
  t.notOk(existsSync(join(datasets, 'd/a.csv')))
  t.match(await upload(second.url, 'd/a.csv', 'x'), { status: 409 }, 'its path is still reserved')
  t.equal((await part(second.url, id, 1, 'n\n1\n')).status, 204, 'the last part again')
  await second.kill()

  const third = await start(t, data)
  t.equal((await part(third.url, id, 2, '2\n')).status, 204)
  const { status, text } = await complete(third.url, id)
  t.same([status, JSON.parse(text)], [200, { path: 'd/a.csv', size: 6 }])
  await third.kill()
  t.equal(readFileSync(join(datasets, 'd/a.csv'), 'utf8'), 'n\n1\n2\n')
  const { url } = await startAfter(t, data)
  t.equal((await complete(url, id)).status, 404)
  t.same(staged(datasets), [])
})

for (const [call, isLeft] of [
  ['before link', true],
  ['after link', true],
  ['after unlink', false],
] as const)
  t.test(`an upload in parts whose completion is killed ${call} is completed once`, async (t) => {
    const data = folder(t)
    const datasets = join(data, 'datasets')
    const before = await start(t, data)
    const id = await begin(before.url, 'a.csv')
    t.equal((await part(before.url, id, 1, NEW)).status, 204)
    await before.kill()
    const dying = await start(t, data, call)
    await t.rejects(complete(dying.url, id))
    const { url } = await startAfter(t, data)
    t.equal((await complete(url, id)).status, isLeft ? 200 : 404)
    t.equal(readFileSync(join(datasets, 'a.csv'), 'utf8'), NEW)
    t.same(staged(datasets), [])
  })
