import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestServer } from '../http/test-server.ts'
import { fc } from '../support/generate.ts'
import { abort, ask, begin, complete, part, sha256, staged, upload } from './upload.ts'

const NO_UPLOAD = '6f0c3f5e-8f0a-4c4f-9a0e-0f6d7a0b7c11'

t.test('parts of any size become one file, which is not there before', async (t) => {
  const { url, root } = await startTestServer(t)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1, maxLength: 6 }),
      async (parts) => {
        const id = await begin(url, 'd/a.bin', '&overwrite=true')
        for (const [index, bytes] of parts.entries())
          if ((await part(url, id, index + 1, Buffer.from(bytes))).status !== 204) return false
        const { status, text } = await complete(url, id)
        const whole = Buffer.concat(parts)
        return (
          status === 200 &&
          JSON.parse(text).size === whole.length &&
          readFileSync(join(root, 'd/a.bin')).equals(whole)
        )
      },
    ),
    { numRuns: 20 },
  )
  t.same(staged(root), [])
})

t.test('the size of parts is told, and nothing is seen before the end', async (t) => {
  const { url, root } = await startTestServer(t)
  const { status, text } = await ask(url, 'POST', '/upload/initiate?path=a.csv')
  const { upload_id: id, part_size: size } = JSON.parse(text)
  t.equal(status, 200)
  t.match(id, /^[0-9a-f-]{36}$/)
  t.equal(size, 32 << 20)
  t.same([(await part(url, id, 1, 'x\n')).status, (await part(url, id, 2, '1\n')).status], [204, 204])
  t.notOk(existsSync(join(root, 'a.csv')))
  t.same(JSON.parse(await (await fetch(`${url}/api/datasets`)).text()), [])
  t.same(JSON.parse((await complete(url, id)).text), { path: 'a.csv', size: 4 })
  t.same(JSON.parse(await (await fetch(`${url}/api/datasets`)).text()), ['a.csv'])
  t.equal((await complete(url, id)).status, 404, 'it is over')
})

t.test('the last part may be sent again, and no other one', async (t) => {
  const { url, root } = await startTestServer(t)
  const id = await begin(url, 'a.csv')
  const early = await part(url, id, 2, 'x')
  t.equal(early.status, 409)
  t.match(early.text, /^Part 1 comes next; this is part 2\.$/)
  t.equal((await complete(url, id)).status, 409, 'without any part')
  t.equal((await part(url, id, 1, 'one')).status, 204)
  t.equal((await part(url, id, 2, 'two')).status, 204)
  t.equal((await part(url, id, 2, 'two')).status, 204)
  for (const other of ['tww', 'tw', 'twoo', ''])
    t.match(await part(url, id, 2, other), { status: 409, text: /with other bytes/ }, JSON.stringify(other))
  t.equal((await part(url, id, 1, 'one')).status, 409)
  t.equal((await part(url, id, 4, 'x')).status, 409)
  t.equal((await part(url, id, 3, 'three', { 'content-digest': sha256('tree') })).status, 400)
  t.equal((await part(url, id, 3, 'three', { 'content-digest': sha256('three') })).status, 204)
  t.equal((await complete(url, id)).status, 200)
  t.equal(readFileSync(join(root, 'a.csv'), 'utf8'), 'onetwothree')
})

t.test('an upload that is aborted leaves nothing', async (t) => {
  const { url, root } = await startTestServer(t)
  const id = await begin(url, 'a.csv')
  await part(url, id, 1, 'x')
  t.equal(staged(root).length, 1)
  const answer = await abort(url, id)
  t.same([answer.status, answer.text], [204, ''])
  t.same(staged(root), [])
  t.equal((await part(url, id, 2, 'x')).status, 404)
  t.equal((await abort(url, id)).status, 404)
  t.equal((await complete(url, NO_UPLOAD)).status, 404)
  for (const wrong of ['', 'x', `${NO_UPLOAD}0`]) {
    t.equal((await part(url, wrong, 1, 'x')).status, 400, wrong)
    t.equal((await complete(url, wrong)).status, 400)
    t.equal((await abort(url, wrong)).status, 400)
  }
  for (const number of ['0', '-1', '1.5', 'x', '', '9999999999'])
    t.equal((await ask(url, 'PUT', `/upload/part?upload_id=${id}&part_number=${number}`)).status, 400, number)
})

t.test('a path has one upload at a time', async (t) => {
  const { url } = await startTestServer(t)
  const id = await begin(url, 'd/a.csv')
  for (const answer of [
    await upload(url, 'd/a.csv', 'x'),
    await upload(url, 'd//a.csv', 'x', '&overwrite=true'),
    await ask(url, 'POST', '/upload/initiate?path=d/a.csv'),
  ]) {
    t.equal(answer.status, 409)
    t.match(answer.text, `upload_id=${id}`, 'how to end the other one is told')
  }
  await abort(url, id)
  t.equal((await upload(url, 'd/a.csv', 'x')).status, 200)
})

t.test('what is there at the end decides, and the upload stays if it fails', async (t) => {
  const { url, root } = await startTestServer(t)
  t.equal((await ask(url, 'POST', '/upload/initiate?path=a.csv')).status, 200)
  const id = await begin(url, 'b.csv')
  await part(url, id, 1, 'mine')
  writeFileSync(join(root, 'b.csv'), 'theirs')
  t.equal((await complete(url, id)).status, 409)
  t.equal(readFileSync(join(root, 'b.csv'), 'utf8'), 'theirs')
  t.equal((await ask(url, 'DELETE', '?path=b.csv')).status, 204)
  t.equal((await complete(url, id)).status, 200)
  t.equal(readFileSync(join(root, 'b.csv'), 'utf8'), 'mine')
  t.equal((await ask(url, 'POST', '/upload/initiate?path=b.csv')).status, 409, 'known before the first part')
})

t.test('an upload ends an hour after its last part', async (t) => {
  let now = Date.now()
  const { url, root } = await startTestServer(t, { datasetFiles: { now: () => now } })
  const id = await begin(url, 'a.csv')
  now += 3_599_000
  t.equal((await part(url, id, 1, 'x')).status, 204)
  now += 3_599_000
  t.equal((await part(url, id, 2, 'x')).status, 204)
  now += 3_600_000
  t.equal((await part(url, id, 3, 'x')).status, 404)
  t.equal((await complete(url, id)).status, 404)
  t.notOk(existsSync(join(root, 'a.csv')))
})

t.test('a null in JSON is a body of a request that has none', async (t) => {
  const { url } = await startTestServer(t)
  const init = { body: 'null', headers: { 'content-type': 'application/json' } }
  const { status, text } = await ask(url, 'POST', '/upload/initiate?path=a.csv', init)
  t.equal(status, 200)
  const id = JSON.parse(text).upload_id
  await part(url, id, 1, 'x')
  t.equal((await ask(url, 'POST', `/upload/complete?upload_id=${id}`, init)).status, 200)
  t.equal((await ask(url, 'DELETE', '?path=a.csv', init)).status, 204)
  const bare = { headers: { 'content-type': 'application/json' } }
  t.equal((await ask(url, 'DELETE', '?path=a.csv', bare)).status, 404)
})
