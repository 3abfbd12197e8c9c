import t from 'tap'
import { byteRange } from '../../src/main/http/answers/byte-range.ts'
import { send, startTestServer } from '../http/test-server.ts'
import { answers } from './fake-runs.ts'

const ROWS = Buffer.from('0123456789'.repeat(300))
const PATH = `/api/query?q=${encodeURIComponent('{"select":["a"]}')}`
const CSV = { contentType: 'text/csv', fileName: 'output.csv' }

async function start(t: Parameters<typeof startTestServer>[0]) {
  const { url } = await startTestServer(t, { queries: answers(ROWS, CSV) })
  const ask = (headers: Record<string, string> = {}, method = 'GET') => send(url + PATH, { headers, method })
  const { message } = await ask()
  return { url, ask, first: message.headers, tag: String(message.headers['etag']) }
}

t.test('which bytes a header asks for', async (t) => {
  const cases = [
    ['bytes=0-9', { first: 0, last: 9 }],
    ['BYTES=5-5', { first: 5, last: 5 }],
    [' bytes=90- ', { first: 90, last: 99 }],
    ['bytes=90-500', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-500', { first: 0, last: 99 }],
    ['bytes=100-', 'beyond'],
    ['bytes=100-200', 'beyond'],
    ['bytes=99999999999999999999999-', 'beyond'],
    ['bytes=-0', 'beyond'],
    [undefined, null],
    ['', null],
    ['bytes=', null],
    ['bytes=-', null],
    ['bytes=9-0', null],
    ['bytes=a-b', null],
    ['bytes=1.5-2', null],
    ['bytes=0-1,5-6', null],
    ['rows=0-9', null],
  ] as const
  for (const [header, range] of cases) t.same(byteRange(header, 100), range, String(header))
  t.equal(byteRange('bytes=0-', 0), 'beyond')
})

t.test('a range is those bytes of the same answer', async (t) => {
  const { ask, first, tag } = await start(t)
  t.equal(first['accept-ranges'], 'bytes')
  for (const [range, from, to] of [
    ['bytes=0-0', 0, 1],
    ['bytes=1995-2004', 1995, 2005],
    ['bytes=2990-', 2990, 3000],
    ['bytes=-7', 2993, 3000],
  ] as const)
    for (const condition of [{}, { 'if-range': tag }]) {
      const { message, text } = await ask({ range, ...condition })
      t.equal(message.statusCode, 206)
      t.equal(message.headers['content-range'], `bytes ${from}-${to - 1}/3000`)
      t.equal(message.headers['content-length'], String(to - from))
      t.equal(message.headers['etag'], tag)
      t.equal(message.headers['content-type'], 'text/csv')
      t.equal(text, ROWS.subarray(from, to).toString())
    }
})

t.test('one that no byte is in is a 416, which tells the length', async (t) => {
  const { ask } = await start(t)
  const { message, text } = await ask({ range: 'bytes=3000-' })
  t.equal(message.statusCode, 416)
  t.equal(message.headers['content-range'], 'bytes */3000')
  t.match(JSON.parse(text), /3000 bytes/)
})

t.test('else the whole answer is sent', async (t) => {
  const { ask, tag } = await start(t)
  const range = 'bytes=0-9'
  for (const [what, headers] of [
    ['several ranges', { range: 'bytes=0-1,5-6' }],
    ['another answer', { range, 'if-range': '"other"' }],
    ['a weak tag', { range, 'if-range': `W/${tag}` }],
    ['a date', { range, 'if-range': 'Sat, 01 Jan 2028 00:00:00 GMT' }],
  ] as const) {
    const { message, text } = await ask(headers)
    t.equal(message.statusCode, 200, what)
    t.equal(message.headers['content-range'], undefined)
    t.equal(text, ROWS.toString())
  }
  const head = await ask({ range }, 'HEAD')
  t.equal(head.message.statusCode, 200, 'HEAD has no ranges')
  t.equal(head.message.headers['accept-ranges'], 'bytes')
  t.equal((await ask({ range, 'if-none-match': tag })).message.statusCode, 304)
})

t.test('a range of coded bytes is one of the coded answer, whose tag is another', async (t) => {
  const { url, tag } = await start(t)
  const ask = (headers: Record<string, string>) =>
    fetch(url + PATH, { headers: { 'accept-encoding': 'gzip', ...headers } })
  const whole = await ask({})
  const coded = whole.headers.get('etag') ?? ''
  t.equal(coded, tag.replace(/"$/, '-gzip"'))
  const size = Number(whole.headers.get('content-length'))
  const { message } = await send(url + PATH, {
    headers: { 'accept-encoding': 'gzip', range: 'bytes=1-', 'if-range': coded },
  })
  t.equal(message.headers['content-range'], `bytes 1-${size - 1}/${size}`)
  t.equal(message.headers['content-encoding'], 'gzip')

  const plain = await send(url + PATH, { headers: { 'accept-encoding': 'gzip', range: 'bytes=1-5' } })
  t.equal(
    plain.message.headers['content-encoding'],
    undefined,
    'a client without the tag cannot decode a part',
  )
  t.equal(plain.message.headers['content-range'], 'bytes 1-5/3000')
  t.equal(plain.text, '12345')
})

t.test('a POST has none', async (t) => {
  const { url } = await start(t)
  const headers = { 'content-type': 'application/json', range: 'bytes=0-9' }
  const { message, text } = await send(`${url}/api/query`, { method: 'POST', headers }, '{"select":["a"]}')
  t.equal(message.statusCode, 200)
  t.equal(message.headers['accept-ranges'], undefined)
  t.equal(text, ROWS.toString())
})
