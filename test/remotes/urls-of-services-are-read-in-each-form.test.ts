import t from 'tap'
import { readServiceUrl, readTableUrl } from '../../src/main/remotes/remote-url.ts'
import { isServiceError } from '../../src/plan/errors.ts'
import { fc } from '../support/generate.ts'

t.test('of a service', async (t) => {
  const plain = { kind: 'service', host: 'data.org', port: 5001, tls: false, database: '', basePath: '' }
  const forms: readonly (readonly [string, boolean | null, object])[] = [
    ['service://data.org:5001', null, plain],
    ['halocline://Data.org:5001/', null, plain],
    ['data.org:5001', null, plain],
    ['http://data.org:5001', null, plain],
    ['https://data.org', null, { ...plain, port: 443, tls: true }],
    ['http://data.org', null, { ...plain, port: 80 }],
    ['service://data.org:443', true, { ...plain, port: 443, tls: true }],
    ['service://data.org:80', false, { ...plain, port: 80 }],
    ['https://data.org:5001/a/b/', true, { ...plain, tls: true, basePath: '/a/b' }],
    ['service://[::1]:5001', null, { ...plain, host: '::1' }],
    ['service://0x7f000001:5001', null, { ...plain, host: '127.0.0.1' }],
  ]
  for (const [url, tls, address] of forms) t.same(readServiceUrl(url, 'halocline', tls), address, url)
})

t.test('of a table', async (t) => {
  const forms: readonly (readonly [string, string, string, string])[] = [
    ['service://h:1/obs', '', 'public', 'obs'],
    ['service://h:1/s.obs', '', 's', 'obs'],
    ['service://h:1/base/path/s.obs', '/base/path', 's', 'obs'],
    ['service://h:1/%22a.b%22.%22c%22%22d%22', '', 'a.b', 'c"d'],
    ['service://h:1/M%C3%BCll%2Fer', '', 'public', 'Müll/er'],
    ['service://h:1/"a b".c', '', 'a b', 'c'],
  ]
  for (const [url, basePath, schema, name] of forms) {
    if (/\s/.test(url)) {
      t.throws(() => readTableUrl(url, 'halocline', null), { code: 'invalid_sql' })
      continue
    }
    const { address, table } = readTableUrl(url, 'halocline', null)
    t.same([address.basePath, table.schema, table.name], [basePath, schema, name], url)
  }
})

t.test('and in no other', async (t) => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['grpc://h:1', /answers HTTP/],
    ['grpc+tls://h:1', /answers HTTP/],
    ['ftp://h:1', /names no service/],
    ['other://h:1', /names no service/],
    ['service://h', /no port/],
    ['service://ann:secret@h:1', /user or a password/],
    ['service://@h:1', /user or a password/],
    ['service://h:1?x=1', /query or a fragment/],
    ['service://h:1/?', /query or a fragment/],
    ['service://h:1/#x', /query or a fragment/],
    ['service://', /cannot be read/],
    ['service://h:99999', /cannot be read/],
    ['', /cannot be read/],
    ['service://h:1\\x', /cannot be read/],
  ]
  for (const [url, message] of refused)
    t.throws(() => readServiceUrl(url, 'halocline', null), { code: 'invalid_sql', message }, url)
  t.throws(() => readServiceUrl('https://h', 'halocline', false), { message: /contradict/ })
  for (const url of [
    'service://h:1',
    'service://h:1/',
    'service://h:1/a.b.c',
    'service://h:1/%ZZ',
    'service://h:1/.',
  ])
    t.throws(
      () => readTableUrl(url, 'halocline', null),
      { code: 'invalid_sql', message: /names no table/ },
      url,
    )
})

t.test('no text is anything but an address or a clean error without the text', async () => {
  const part = fc.constantFrom(
    'service://',
    'http://',
    'h',
    ':',
    '1',
    '/',
    '@',
    '?',
    '#',
    '.',
    '"',
    '%41',
    '[',
    ']',
    'ü',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part).map((parts) => parts.join('')),
      ),
      (url) => {
        try {
          const { host, port } = readServiceUrl(url, 'halocline', null)
          return host !== '' && port >= 0 && port <= 65_535
        } catch (error) {
          return isServiceError(error) && error.code === 'invalid_sql'
        }
      },
    ),
    { numRuns: 2000 },
  )
})
