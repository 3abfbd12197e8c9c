import { once } from 'node:events'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { ask, begin, complete, part, startSending, upload } from './upload.ts'

t.test('what is uploaded, replaced and deleted is seen by the next query and listing', async (t) => {
  const { url, query } = await startTestService(t, { workers: 1, settings: { SERVICE_MIN_FREE_BYTES: '0' } })
  const rows = async (sql: string): Promise<unknown> => {
    const answer = await query({ sql, output: { format: 'ndjson' } })
    const text = await answer.text()
    return answer.status === 200 ? text.trim() : answer.status
  }
  const sum = "SELECT sum(n) AS s FROM read_csv('d/*.csv')"
  const listed = async () => (await fetch(`${url}/api/datasets`)).json()
  t.equal(await rows(sum), 400)
  t.equal((await upload(url, 'd/a.csv', 'n\n1\n')).status, 200)
  t.equal(await rows(sum), '{"s":1}')
  t.equal(await rows(sum), '{"s":1}', 'also when its answer is kept')
  for (let n = 2; n < 12; n++) {
    t.equal((await upload(url, 'd/a.csv', `n\n${n}\n`, '&overwrite=true')).status, 200)
    t.equal(await rows(sum), `{"s":${n}}`)
  }
  const id = await begin(url, 'd/b.csv')
  t.equal((await part(url, id, 1, 'n\n10')).status, 204)
  t.equal(await rows(sum), '{"s":11}')
  t.equal((await part(url, id, 2, '0\n')).status, 204)
  t.equal((await complete(url, id)).status, 200)
  t.equal(await rows(sum), '{"s":111}')
  t.same(await listed(), ['d/a.csv', 'd/b.csv'])
  t.equal((await ask(url, 'DELETE', '?path=d/a.csv')).status, 204)
  t.equal(await rows(sum), '{"s":100}')
  t.same(await listed(), ['d/b.csv'])
})

t.test('a file that is arriving is in no query and no listing', async (t) => {
  const { url, query } = await startTestService(t, { workers: 1, settings: { SERVICE_MIN_FREE_BYTES: '0' } })
  await upload(url, 'old.csv', 'n\n1\n')
  const { request, answer } = startSending(url, '/upload?path=new.csv', {
    headers: { expect: '100-continue' },
  })
  request.flushHeaders()
  await once(request, 'continue')
  request.write('n\n2\n')
  t.same(await (await fetch(`${url}/api/datasets`)).json(), ['old.csv'])
  for (const [path, rows] of [
    ['**', '{"n":1}'],
    ['*', '{"n":1}'],
    ['**/*', '{"n":1}'],
    ['__service__/*', null],
    ['__service__', null],
    ['__service__/', null],
    ['*/*', null],
    ['new.csv', null],
  ] as const)
    for (const body of [
      { from: { csv: { paths: [path] } }, select: ['n'] },
      { sql: `SELECT n FROM read_csv('${path}')` },
    ]) {
      const asked = await query({ ...body, output: { format: 'ndjson' } })
      const text = (await asked.text()).trim()
      if (rows === null) t.equal(asked.status, 400, `${JSON.stringify(body)} ${text}`)
      else t.same([asked.status, text], [200, rows], JSON.stringify(body))
    }
  request.end('3\n')
  t.equal((await answer).status, 200)
  t.same(await (await fetch(`${url}/api/datasets`)).json(), ['new.csv', 'old.csv'])
})

t.test('a store is there when its marker is', async (t) => {
  const { url, query } = await startTestService(t, { workers: 1, settings: { SERVICE_MIN_FREE_BYTES: '0' } })
  const array = {
    zarr_format: 3,
    node_type: 'array',
    shape: [2],
    data_type: 'int32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    dimension_names: ['x'],
    attributes: {},
  }
  const group = { zarr_format: 3, node_type: 'group', attributes: {} }
  const files: Readonly<Record<string, string | Buffer>> = {
    's.zarr/v/c/0': Buffer.from(new Int32Array([5, 7]).buffer),
    's.zarr/v/zarr.json': JSON.stringify(array),
    's.zarr/zarr.json': JSON.stringify(group),
  }
  for (const [path, bytes] of Object.entries(files))
    t.equal((await upload(url, path, typeof bytes === 'string' ? bytes : new Uint8Array(bytes))).status, 200)
  const answer = await query({ sql: "SELECT v FROM read_zarr('s.zarr')", output: { format: 'ndjson' } })
  t.equal((await answer.text()).trim(), '{"v":5}\n{"v":7}')
  for (const path of Object.keys(files).toReversed())
    t.equal((await ask(url, 'DELETE', `?path=${path}`)).status, 204)
  t.same(await (await fetch(`${url}/api/datasets`)).json(), [])
})
