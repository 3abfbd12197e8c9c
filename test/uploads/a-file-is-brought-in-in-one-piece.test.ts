import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { basic, startTestServer } from '../http/test-server.ts'
import { ask, sha256, staged, upload } from './upload.ts'

t.test('it is there with its bytes, and its folders are made', async (t) => {
  const { url, root } = await startTestServer(t)
  const answer = await upload(url, 'ctd/2024/a.exe', 'hello world')
  t.same([answer.status, JSON.parse(answer.text)], [200, { path: 'ctd/2024/a.exe', size: 11 }])
  t.match(answer.headers.get('content-type'), /^application\/json/)
  t.equal(readFileSync(join(root, 'ctd/2024/a.exe'), 'utf8'), 'hello world')
  t.same(staged(root), [])
  const empty = await upload(url, 'ctd//empty', '')
  t.same([empty.status, JSON.parse(empty.text)], [200, { path: 'ctd/empty', size: 0 }])
})

t.test('of some megabytes, in any type, each byte is there', async (t) => {
  const { url, root } = await startTestServer(t)
  const bytes = Buffer.from(Array.from({ length: 3_500_001 }, (_, index) => index % 251))
  for (const type of ['application/octet-stream', 'application/json', 'nonsense']) {
    const { status } = await upload(url, 'a.bin', bytes, '&overwrite=true', { 'content-type': type })
    t.equal(status, 200)
    t.ok(readFileSync(join(root, 'a.bin')).equals(bytes))
  }
  const stream = new Blob([bytes]).stream()
  const init = { body: stream, duplex: 'half' } as RequestInit
  t.equal((await ask(url, 'POST', '/upload?path=b.bin', init)).status, 200, 'a length that is not announced')
  t.ok(readFileSync(join(root, 'b.bin')).equals(bytes))
})

t.test('one that is there is replaced only if that is asked for', async (t) => {
  const { url, root } = await startTestServer(t, { files: { 'a.csv': 'old', 'd/b.csv': 'x' } })
  const refused = await upload(url, 'a.csv', 'new')
  t.equal(refused.status, 409)
  t.match(refused.text, /^a\.csv is there already; overwrite=true/)
  t.match(refused.headers.get('content-type'), /^text\/plain/)
  t.equal((await upload(url, 'a.csv', 'new', '&overwrite=false')).status, 409)
  t.equal(readFileSync(join(root, 'a.csv'), 'utf8'), 'old')
  t.equal((await upload(url, 'a.csv', 'new', '&overwrite=true')).status, 200)
  t.equal(readFileSync(join(root, 'a.csv'), 'utf8'), 'new')
  t.equal((await upload(url, 'd', 'x', '&overwrite=true')).status, 409, 'a folder is not replaced')
  for (const flag of ['yes', '', 'TRUE', '1'])
    t.equal((await upload(url, 'c.csv', 'x', `&overwrite=${flag}`)).status, 400, flag)
  t.same(staged(root), [])
})

t.test('no path leads out of the root, to a folder, or into that of the service', async (t) => {
  const { url, root } = await startTestServer(t, { files: { 'file.csv': 'x' } })
  const outside = join(root, '..', 'outside.csv')
  const paths = [
    '',
    '/',
    '/etc/x',
    '.',
    './a',
    'a/./b',
    '..',
    '../outside.csv',
    'a/../../outside.csv',
    'a/..',
    'a/',
    'a\\b',
    'a\0b',
    'https://example.org/a',
    '__service__',
    '__service__/a',
    '__SERVICE__/a',
    '//__service__/a',
    '__ſervice__/a',
    'file.csv/below',
    'n'.repeat(256),
    'd/'.repeat(3000),
  ]
  for (const path of paths) {
    const { status, text } = await upload(url, path, 'bad', '&overwrite=true')
    t.equal(status, 400, JSON.stringify(path.slice(0, 30)))
    t.not(text, '')
  }
  for (const path of ['%2e%2e/outside.csv', '..%2foutside.csv', '%2e%2e%2foutside.csv'])
    t.equal((await ask(url, 'POST', `/upload?path=${path}`, { body: 'bad' })).status, 400, path)
  t.notOk(existsSync(outside))
  t.same(readdirSync(root), ['file.csv'], 'nothing is left, and no folder is made')
  t.equal((await upload(url, '%2e%2e', 'x')).status, 200, 'nothing is decoded twice')
  t.equal(readFileSync(join(root, '%2e%2e'), 'utf8'), 'x')
  t.equal((await ask(url, 'POST', '/upload', { body: 'x' })).status, 400, 'a path is needed')
  t.equal((await ask(url, 'POST', '/upload?path=a&path=b', { body: 'x' })).status, 400)
})

t.test('no link is followed', async (t) => {
  const { url, root } = await startTestServer(t, { files: { 'real/a.csv': 'real' } })
  const other = t.testdir({ 'target.csv': 'target' })
  symlinkSync(other, join(root, 'out'))
  symlinkSync(join(root, 'real'), join(root, 'in'))
  symlinkSync(join(other, 'target.csv'), join(root, 'file.csv'))
  symlinkSync(join(other, 'new.csv'), join(root, 'nowhere.csv'))
  for (const path of ['out/a.csv', 'in/b.csv', 'out/deep/a.csv']) {
    const { status, text } = await upload(url, path, 'new', '&overwrite=true')
    t.equal(status, 400, path)
    t.match(text, /is a link, which is not followed for writing/)
  }
  for (const path of ['file.csv', 'nowhere.csv'])
    t.equal((await upload(url, path, 'new')).status, 409, `${path} is there`)
  t.equal((await upload(url, 'file.csv', 'new', '&overwrite=true')).status, 200)
  t.equal(readFileSync(join(root, 'file.csv'), 'utf8'), 'new', 'the link itself is replaced')
  t.equal(readFileSync(join(other, 'target.csv'), 'utf8'), 'target')
  t.same(readdirSync(other), ['target.csv'])
})

t.test('a link or a file in place of the folder of uploads is left alone', async (t) => {
  for (const make of [
    (path: string, other: string) => symlinkSync(other, path),
    (path: string) => writeFileSync(path, 'x'),
  ]) {
    const { url, root } = await startTestServer(t)
    const other = t.testdir()
    make(join(root, '__service__'), other)
    const { status, text } = await upload(url, 'a.csv', 'x')
    t.equal(status, 400)
    t.match(text, /^__service__ in the dataset root is the service's own folder/)
    t.same(readdirSync(other), [])
  }
})

t.test('a digest is checked', async (t) => {
  const { url, root } = await startTestServer(t)
  const send = (digest: string) =>
    upload(url, 'a.csv', 'hello', '&overwrite=true', { 'content-digest': digest })
  t.equal((await send(sha256('hello'))).status, 200)
  t.equal((await send(`md5=:AAAA:, ${sha256('hello')}`)).status, 200)
  const other = await send(sha256('hallo'))
  t.equal(other.status, 400)
  t.match(other.text, /The 5 bytes that arrived have another SHA-256/)
  for (const digest of ['', 'sha-256', 'sha-256=:AAAA:', 'sha-512=:AAAA:', 'sha-256=hello'])
    t.equal((await send(digest)).status, 400, digest)
  t.same(staged(root), [])
})

t.test('a body that is coded is refused', async (t) => {
  const { url } = await startTestServer(t)
  t.equal((await upload(url, 'a.csv', 'x', '', { 'content-encoding': 'gzip' })).status, 415)
})

t.test('only the super-user brings files in', async (t) => {
  const { url, root } = await startTestServer(t)
  for (const [method, path] of [
    ['POST', '/upload?path=a.csv'],
    ['POST', '/upload/initiate?path=a.csv'],
    ['PUT', '/upload/part?upload_id=x&part_number=1'],
    ['POST', '/upload/complete?upload_id=x'],
    ['DELETE', '/upload?upload_id=x'],
    ['GET', '/download?path=a.csv'],
    ['DELETE', '?path=a.csv'],
    ['GET', '/storage'],
  ] as const)
    for (const prefix of ['/api/admin/datasets', '/admin/api/admin/datasets']) {
      const body = method === 'GET' ? {} : { body: 'x' }
      const anonymous = await fetch(`${url}${prefix}${path}`, { method, ...body })
      t.same([anonymous.status, await anonymous.text()], [401, ''])
      const headers = { authorization: basic('service-admin', 'wrong') }
      t.equal((await fetch(`${url}${prefix}${path}`, { method, ...body, headers })).status, 401)
    }
  t.same(readdirSync(root), [])
})

t.test('a file that others put there meanwhile is not replaced', async (t) => {
  const { url, root } = await startTestServer(t)
  mkdirSync(join(root, 'd'))
  const pieces = new TransformStream<Uint8Array, Uint8Array>()
  const writer = pieces.writable.getWriter()
  const answer = ask(url, 'POST', '/upload?path=d/a.csv', {
    body: pieces.readable,
    duplex: 'half',
  } as RequestInit)
  await writer.write(Buffer.from('upload'))
  writeFileSync(join(root, 'd/a.csv'), 'theirs')
  await writer.close()
  t.equal((await answer).status, 409)
  t.equal(readFileSync(join(root, 'd/a.csv'), 'utf8'), 'theirs')
  t.same(staged(root), [])
})
