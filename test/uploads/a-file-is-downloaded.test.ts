import { once } from 'node:events'
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { SUPER_USER, startTestServer } from '../http/test-server.ts'
import { ask } from './upload.ts'

const download = (url: string, path: string, headers = {}, method = 'GET') =>
  ask(url, method, `/download?path=${encodeURIComponent(path)}`, { headers })

t.test('whole, with its name, its size and a tag', async (t) => {
  const { url } = await startTestServer(t, { files: { 'd/a.csv': 'hello world', empty: '' } })
  const { status, text, headers } = await download(url, 'd/a.csv')
  t.same([status, text], [200, 'hello world'])
  t.equal(headers.get('content-type'), 'application/octet-stream')
  t.equal(headers.get('content-length'), '11')
  t.equal(headers.get('content-disposition'), 'attachment; filename="a.csv"')
  t.equal(headers.get('accept-ranges'), 'bytes')
  t.match(headers.get('etag'), /^"[0-9a-f]{32}"$/)
  const empty = await download(url, 'empty')
  t.same([empty.status, empty.text, empty.headers.get('content-length')], [200, '', '0'])
  const head = await download(url, 'd/a.csv', {}, 'HEAD')
  t.same([head.status, head.text, head.headers.get('content-length')], [200, '', '11'])
  t.equal(head.headers.get('etag'), headers.get('etag'))
})

t.test('in ranges, as long as it is the same', async (t) => {
  const { url, root } = await startTestServer(t, { files: { 'a.csv': '0123456789' } })
  for (const [range, status, text, content] of [
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=5-100', 206, '56789', 'bytes 5-9/10'],
    ['bytes=0-0,2-3', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ] as const) {
    const answer = await download(url, 'a.csv', { range })
    t.same([answer.status, answer.text, answer.headers.get('content-range')], [status, text, content], range)
  }
  const beyond = await download(url, 'a.csv', { range: 'bytes=10-' })
  t.same([beyond.status, beyond.headers.get('content-range')], [416, 'bytes */10'])
  const tag = (await download(url, 'a.csv')).headers.get('etag') ?? ''
  t.equal((await download(url, 'a.csv', { range: 'bytes=0-1', 'if-range': tag })).status, 206)
  t.equal((await download(url, 'a.csv', { range: 'bytes=0-1', 'if-range': '"other"' })).status, 200)
  t.equal((await download(url, 'a.csv', { range: 'bytes=0-1' }, 'HEAD')).status, 200)
  for (const known of [tag, `"x", W/${tag}`, '*']) {
    const { status, text, headers } = await download(url, 'a.csv', { 'if-none-match': known })
    t.same([status, text, headers.get('etag')], [304, '', tag])
  }
  writeFileSync(join(root, 'a.csv'), '9876543210')
  t.equal((await download(url, 'a.csv', { 'if-none-match': tag })).status, 200)
  t.match(await download(url, 'a.csv', { range: 'bytes=0-1', 'if-range': tag }), {
    status: 200,
    text: '9876543210',
  })
})

t.test('any name may be saved', async (t) => {
  const files = { 'a"b\nc.csv': 'x', 'Größe (1).csv': 'x' }
  const { url } = await startTestServer(t, { files })
  const dispositions = await Promise.all(
    Object.keys(files).map(async (path) => (await download(url, path)).headers.get('content-disposition')),
  )
  t.same(dispositions, [
    'attachment; filename="abc.csv"',
    `attachment; filename="Gr__e (1).csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29.csv`,
  ])
})

t.test('only what is a file of the root', async (t) => {
  const { url, root } = await startTestServer(t, { files: { 'd/a.csv': 'x', '__service__/x': 'x' } })
  symlinkSync('/etc/passwd', join(root, 'out.csv'))
  symlinkSync(join(root, 'd/a.csv'), join(root, 'in.csv'))
  for (const path of ['', '/', '../a', '/etc/passwd', 'd', 'd/', '__service__/x', 'out.csv', 'a\\b', 'a\0'])
    t.equal((await download(url, path)).status, 400, path)
  for (const path of ['none.csv', 'd/none.csv', 'd/a.csv/x', 'none/a.csv'])
    t.match(await download(url, path), { status: 404, text: `There is no file ${path}` })
  t.match(await download(url, 'in.csv'), { status: 200, text: 'x' }, 'a link inside of the root is read')
  t.equal((await ask(url, 'GET', '/download')).status, 400)
})

const BYTES = 40 << 20

/** Begins to download a large file, and does something once the first bytes are there. Resolves with the bytes that came, and whether all did. */
async function during(url: string, path: string, change: () => void): Promise<readonly [number, boolean]> {
  const sent = request(`${url}/api/admin/datasets/download?path=${path}`, { headers: SUPER_USER }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  await once(answer, 'readable')
  change()
  let bytes = 0
  try {
    for await (const chunk of answer) bytes += chunk.length
    return [bytes, true]
  } catch {
    return [bytes, false]
  }
}

t.test('one version to its end, or broken off', async (t) => {
  const { url, root } = await startTestServer(t)
  const path = join(root, 'a.bin')
  const fill = () => writeFileSync(path, Buffer.alloc(BYTES, 1))
  const whole = [BYTES, true]
  for (const change of [
    () => rmSync(path),
    () => {
      writeFileSync(join(root, 'b.bin'), 'new')
      renameSync(join(root, 'b.bin'), path)
    },
  ]) {
    fill()
    t.same(await during(url, 'a.bin', change), whole, 'one that is replaced or deleted is read to its end')
  }
  for (const change of [() => appendFileSync(path, 'x'), () => truncateSync(path, 100)]) {
    fill()
    const [bytes, isWhole] = await during(url, 'a.bin', change)
    t.notOk(isWhole)
    t.ok(bytes < BYTES)
  }
})

t.test('the space of the volume is told', async (t) => {
  const { url, root } = await startTestServer(t)
  const { status, text } = await ask(url, 'GET', '/storage')
  t.equal(status, 200)
  const storage = JSON.parse(text)
  t.strictSame(Object.keys(storage), [
    'kind',
    'location',
    'mount_point',
    'total_space',
    'used_space',
    'free_space',
    'used_percent',
    'object_count',
    'writable',
  ])
  t.match(storage, { kind: 'local', location: root, object_count: null, writable: true })
  t.equal(storage.used_space + storage.free_space, storage.total_space)
  t.ok(storage.used_percent >= 0 && storage.used_percent <= 100)
  t.ok(root.startsWith(storage.mount_point))
  mkdirSync(join(root, 'd'))
})
