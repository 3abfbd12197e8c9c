import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { HOST_SYSTEM, type WritingSystem } from '../../src/main/dataset-files/file-calls.ts'
import { SUPER_USER, startTestServer } from '../http/test-server.ts'
import { ask, begin, complete, part, staged, startSending, upload } from './upload.ts'

const LIMIT = { env: { SERVICE_MAX_UPLOAD_BYTES: '1000' } }

t.test('of bytes, which are counted while they arrive', async (t) => {
  const { url, root } = await startTestServer(t, LIMIT)
  t.equal((await upload(url, 'a.bin', 'x'.repeat(1000))).status, 200)
  for (const body of ['x'.repeat(1001), new Blob(['x'.repeat(1001)]).stream()]) {
    const init = { body, duplex: 'half' } as RequestInit
    const { status, text } = await ask(url, 'POST', '/upload?path=b.bin', init)
    t.equal(status, 413)
    t.match(text, /more than 1000 bytes.*SERVICE_MAX_UPLOAD_BYTES/)
  }
  t.same([readdirSync(root).sort(), staged(root)], [['__service__', 'a.bin'], []])
})

t.test('of bytes of all parts together, and then it is over', async (t) => {
  const { url, root } = await startTestServer(t, LIMIT)
  const id = await begin(url, 'a.bin')
  t.equal((await part(url, id, 1, 'x'.repeat(1000))).status, 204)
  t.equal((await part(url, id, 2, 'x')).status, 413)
  t.equal((await part(url, id, 2, '')).status, 404)
  t.same(staged(root), [])
  const second = await begin(url, 'a.bin')
  t.equal((await part(url, second, 1, new Blob(['x'.repeat(1001)]).stream())).status, 413)
})

t.test('zero is no limit', async (t) => {
  const { url } = await startTestServer(t, { env: { SERVICE_MAX_UPLOAD_BYTES: '0' } })
  t.equal((await upload(url, 'a.bin', 'x')).status, 200)
})

t.test('of one part, which is told before it is sent', async (t) => {
  const { url } = await startTestServer(t)
  const id = await begin(url, 'a.bin')
  const { request, answer } = startSending(url, `/upload/part?upload_id=${id}&part_number=1`, {
    method: 'PUT',
    headers: { 'content-length': String((128 << 20) + 1), expect: '100-continue' },
  })
  let isAsked = false
  request.on('continue', () => {
    isAsked = true
  })
  request.on('error', () => {})
  request.flushHeaders()
  t.match(await answer, { status: 413, text: /more than 134217728 bytes/ })
  t.notOk(isAsked)
})

t.test('whoever asks before sending is refused before sending', async (t) => {
  const { url } = await startTestServer(t, { ...LIMIT, files: { 'a.csv': 'x' } })
  const length = (bytes: number) => ({ 'content-length': String(bytes), expect: '100-continue' })
  const refused: readonly (readonly [status: number, path: string, headers: Record<string, string>])[] = [
    [409, '/upload?path=a.csv', length(3)],
    [400, '/upload?path=../a.csv', length(3)],
    [413, '/upload?path=b.csv', length(1001)],
    [401, '/upload?path=b.csv', { ...length(3), authorization: 'Basic eDp5' }],
    [404, '/none?path=b.csv', length(3)],
    [400, '/upload?path=b.csv', { ...length(3), 'content-digest': 'x' }],
  ]
  for (const [status, path, headers] of refused) {
    const { request, answer } = startSending(url, path, { headers })
    let isAsked = false
    request.on('continue', () => {
      isAsked = true
    })
    request.on('error', () => {})
    request.flushHeaders()
    t.equal((await answer).status, status, path)
    t.notOk(isAsked)
    request.destroy()
  }
  const { request, answer } = startSending(url, '/upload?path=b.csv', { headers: length(3) })
  request.flushHeaders()
  await once(request, 'continue')
  request.end('abc')
  t.equal((await answer).status, 200)
})

t.test('a query is asked for its body, too', async (t) => {
  const { url } = await startTestServer(t)
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const query = '{"sql":"SELECT 1"}'
  socket.write(
    `POST /api/parse-query HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: ${query.length}\r\n\r\n`,
  )
  let received = ''
  while (!received.includes('\r\n\r\n')) received += (await once(socket, 'data'))[0]
  t.equal(received, 'HTTP/1.1 100 Continue\r\n\r\n')
  socket.write(query)
  const [rest] = await once(socket, 'data')
  t.match(String(rest), /^HTTP\/1\.1 200 OK/)
  socket.destroy()
})

t.test('some of the volume stays free', async (t) => {
  const { url, root } = await startTestServer(t, { datasetFiles: { minFreeBytes: 2 ** 46 } })
  for (const init of [
    { body: 'x' },
    { body: new Blob(['x']).stream(), duplex: 'half' },
  ] as readonly RequestInit[]) {
    const { status, text } = await ask(url, 'POST', '/upload?path=a.csv', init)
    t.equal(status, 507)
    t.match(text, /disk of the dataset root/)
  }
  t.notOk(existsSync(join(root, 'a.csv')))
  const id = await begin(url, 'b.csv')
  t.equal((await part(url, id, 1, 'x')).status, 507)
  t.equal((await part(url, id, 2, 'x')).status, 409, 'the upload is still there')
})

/** A disk on which a call fails with this code. */
function failing(call: keyof WritingSystem, code: string, times = Number.POSITIVE_INFINITY): WritingSystem {
  let left = times
  const fail = async (): Promise<never> => {
    throw Object.assign(new Error(code), { code })
  }
  const whole = HOST_SYSTEM[call] as (...args: readonly unknown[]) => Promise<unknown>
  return { ...HOST_SYSTEM, [call]: (...args: readonly unknown[]) => (left-- > 0 ? fail() : whole(...args)) }
}

/** A disk that takes so many bytes of each file. */
function full(bytes: number): WritingSystem {
  return {
    ...HOST_SYSTEM,
    async open(path, flags, mode) {
      const handle = await HOST_SYSTEM.open(path, flags, mode)
      const writev = handle.writev.bind(handle)
      return Object.assign(handle, {
        async writev(buffers: readonly Buffer[], at: number) {
          if (at >= bytes) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
          return writev([Buffer.concat(buffers).subarray(0, bytes - at)], at)
        },
      })
    },
  }
}

t.test('a disk that gets full is 507, and nothing is left', async (t) => {
  const { url, root } = await startTestServer(t, { datasetFiles: { system: full(2_000_000) } })
  t.equal((await upload(url, 'a.bin', Buffer.alloc(2_000_000, 1))).status, 200)
  for (const bytes of [2_000_001, 5_000_000]) {
    const { status, text } = await upload(url, 'b.bin', Buffer.alloc(bytes, 1))
    t.equal(status, 507)
    t.equal(text, 'b.bin: the disk of the dataset root is full; delete files, or enlarge it.')
  }
  t.same(staged(root), [])
  const id = await begin(url, 'c.bin')
  t.equal((await part(url, id, 1, Buffer.alloc(1_500_000, 1))).status, 204)
  t.equal((await part(url, id, 2, Buffer.alloc(1_500_000, 1))).status, 507)
  t.equal((await part(url, id, 2, Buffer.alloc(500_000, 1))).status, 204, 'what had been written is cut off')
  t.match(JSON.parse((await complete(url, id)).text), { size: 2_000_000 })
})

t.test('a root that cannot be written to is 400 before a byte is sent', async (t) => {
  for (const [call, code] of [
    ['mkdir', 'EROFS'],
    ['mkdir', 'EACCES'],
    ['open', 'EROFS'],
  ] as const) {
    const { url, root } = await startTestServer(t, { datasetFiles: { system: failing(call, code) } })
    const { request, answer } = startSending(url, '/upload?path=a.csv', {
      headers: { 'content-length': '3', expect: '100-continue' },
    })
    request.on('continue', () => t.fail('asked for the body'))
    request.on('error', () => {})
    request.flushHeaders()
    t.match(await answer, { status: 400, text: /cannot write to the dataset root/ })
    t.equal((await ask(url, 'POST', '/upload/initiate?path=a.csv')).status, 400)
    t.notOk(existsSync(join(root, 'a.csv')))
  }
})

t.test('a file system without links takes files, and replaces none', async (t) => {
  const system = failing('link', 'EPERM')
  const { url, root } = await startTestServer(t, { datasetFiles: { system }, files: { 'b.csv': 'x' } })
  t.equal((await upload(url, 'a.csv', 'x')).status, 200)
  t.equal((await upload(url, 'b.csv', 'new')).status, 409)
  t.same(staged(root), [])
})

t.test('what fails at the end leaves nothing, and has a status', async (t) => {
  for (const [call, code, status] of [
    ['link', 'EIO', 500],
    ['link', 'EXDEV', 400],
    ['link', 'EROFS', 400],
    ['link', 'ENOSPC', 507],
    ['link', 'EDQUOT', 507],
  ] as const) {
    const { url, root } = await startTestServer(t, { datasetFiles: { system: failing(call, code) } })
    const answer = await upload(url, 'd/a.csv', 'x')
    t.equal(answer.status, status, code)
    t.match(answer.text, /^d\/a\.csv/)
    t.same(staged(root), [])
    t.notOk(existsSync(join(root, 'd/a.csv')))
  }
  t.ok(SUPER_USER)
})
