import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { SUPER_USER, startTestServer } from '../http/test-server.ts'
import { until } from '../support/until.ts'
import { type FileServer, startFileServer } from './file-server.ts'
import { ask, begin, complete, part, staged, stagedBytes, startSending, upload } from './upload.ts'

const MIB = Buffer.alloc(1 << 20, 1)

async function startAlone(t: Test, idleMs: number): Promise<FileServer> {
  const data = t.testdir({ datasets: {} })
  const server = await startFileServer(data, { idleMs })
  t.teardown(server.close)
  return server
}

t.test('a client that leaves in the middle', async (t) => {
  const { url, root } = await startTestServer(t)
  const { request } = startSending(url, '/upload?path=a.bin', { headers: { 'content-length': 9 << 20 } })
  request.on('error', () => {})
  request.write(MIB)
  await until('its file is there', () => staged(root).length === 1)
  t.equal((await upload(url, 'a.bin', 'x')).status, 409, 'another one of its path has to wait')
  request.destroy()
  await until('nothing is left', () => staged(root).length === 0)
  t.equal((await upload(url, 'a.bin', 'x')).status, 200)
})

t.test('a client that leaves in the middle of a part, which can be sent again', async (t) => {
  const { url, root } = await startTestServer(t)
  const id = await begin(url, 'a.bin')
  await part(url, id, 1, 'one')
  const { request } = startSending(url, `/upload/part?upload_id=${id}&part_number=2`, { method: 'PUT' })
  request.on('error', () => {})
  request.write(MIB)
  request.write(MIB)
  await until('some of it is written', () => stagedBytes(root) > 'one'.length)
  t.match(await part(url, id, 2, 'two'), { status: 409, text: /Another request is at this upload/ })
  t.match(await complete(url, id), { status: 409, text: /Another request is at this upload/ })
  request.destroy()
  await until('it is free', async () => (await part(url, id, 2, 'two')).status === 204)
  t.equal((await complete(url, id)).status, 200)
  t.equal(readFileSync(join(root, 'a.bin'), 'utf8'), 'onetwo')
})

t.test('a length that is not true', async (t) => {
  const { url, root } = await startTestServer(t)
  const { hostname, port } = new URL(url)
  for (const [length, bytes] of [
    [10, 'short'],
    [2, 'longer than that'],
  ] as const) {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const path = `/api/admin/datasets/upload?path=${length}.bin`
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${SUPER_USER.authorization}\r\ncontent-length: ${length}\r\n\r\n${bytes}`,
    )
    if (bytes.length < length) {
      await until('its file is there', () => staged(root).length === 1)
      socket.destroy()
      await until('nothing is left', () => staged(root).length === 0)
    } else {
      let received = ''
      for await (const chunk of socket) received += chunk
      // What follows the body is taken for the next request, which it is not.
      t.match(received, / 400 Bad Request/)
      t.same(staged(root), [])
      const there = await ask(url, 'GET', '/download?path=2.bin')
      t.ok(there.status === 404 || there.text === 'lo', 'as many bytes as were announced, or none')
    }
  }
  t.equal((await ask(url, 'GET', '/download?path=10.bin')).status, 404)
})

t.test('a client that sends nothing any more is answered 408', async (t) => {
  const { url, datasets } = await startAlone(t, 50)
  const { request, answer } = startSending(url, '/upload?path=a.bin')
  request.on('error', () => {})
  request.write('some')
  t.match(await answer, { status: 408, text: /Nothing of the file has arrived for 0\.05 s/ })
  t.same(staged(datasets), [])
  request.destroy()
})

t.test('an upload may take longer than any other request', async (t) => {
  const { url, app, root } = await startTestServer(t)
  const sockets: object[] = []
  app.server.on('connection', (socket) => sockets.push(socket))
  const { request, answer } = startSending(url, '/upload?path=a.bin')
  request.write('one ')
  await until('its file is there', () => staged(root).length === 1)
  // As Node.js does when the time limit of requests is over.
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  for (const socket of sockets) app.server.emit('clientError', late, socket)
  request.end('two')
  t.match(await answer, { status: 200 })
  t.equal(readFileSync(join(root, 'a.bin'), 'utf8'), 'one two')
})

t.test(
  'a client that is refused while it sends gets the answer, and its connection is not waited for',
  async (t) => {
    const { url, app } = await startTestServer(t, { env: { SERVICE_MAX_UPLOAD_BYTES: '1000' } })
    const [socket] = await new Promise<[object]>((resolve) => {
      app.server.once('connection', (each) => resolve([each]))
      const { request, answer } = startSending(url, '/upload?path=a.bin')
      request.on('error', () => {})
      for (let sent = 0; sent < 8; sent++) request.write(MIB)
      void answer.then(({ status }) => t.equal(status, 413))
    })
    await once(socket as NodeJS.EventEmitter, 'close')
  },
)

t.test('of two uploads of one path at once one is there whole, and the other one is 409', async (t) => {
  const { url, root } = await startTestServer(t)
  mkdirSync(join(root, 'd'))
  const bodies = Array.from({ length: 8 }, (_, index) => Buffer.alloc(3_000_000 + index, index))
  const answers = await Promise.all(bodies.map((body) => upload(url, 'd/a.bin', body)))
  const taken = answers.findIndex(({ status }) => status === 200)
  t.same(
    answers.map(({ status }) => status),
    answers.map((_, index) => (index === taken ? 200 : 409)),
  )
  t.ok(readFileSync(join(root, 'd/a.bin')).equals(bodies[taken] ?? Buffer.alloc(0)))
  t.same(staged(root), [])
})
