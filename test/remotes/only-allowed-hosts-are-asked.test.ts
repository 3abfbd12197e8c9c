import t from 'tap'
import { createAllowedHosts, isLoopback } from '../../src/main/remotes/allowed-hosts.ts'
import { ARROW, addressOf, allOf, NEVER, SUPER, startHttp, startRemotes } from './remote.ts'

const LINK_LOCAL = ['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe']

t.test('addresses of the link only if they are listed', async (t) => {
  const open = createAllowedHosts([])
  for (const host of LINK_LOCAL) t.throws(() => open.require(host, 80), { code: 'permission_denied' }, host)
  for (const host of ['127.0.0.1', '10.0.0.1', 'example.org', '::1', '169.253.0.1']) open.require(host, 80)
  createAllowedHosts(['169.254.169.254']).require('169.254.169.254', 80)
  createAllowedHosts(['[fe80::1]:80']).require('fe80::1', 80)
})

t.test('where hosts are listed, no others', async (t) => {
  const hosts = createAllowedHosts(['Data.Example.org', '10.0.0.1:5001', '[::1]'])
  hosts.require('data.example.org', 1)
  hosts.require('10.0.0.1', 5001)
  hosts.require('::1', 80)
  for (const [host, port] of [
    ['10.0.0.1', 5002],
    ['example.org', 80],
    ['127.0.0.1', 80],
  ] as const)
    t.throws(() => hosts.require(host, port), { code: 'permission_denied' })
})

t.test('nothing is sent to others', async (t) => {
  let asked = 0
  const address = await startHttp(t, (_, response) => {
    asked++
    response.writeHead(200, { 'content-type': ARROW }).end()
  })
  const refused = startRemotes(t, { remoteHosts: ['example.org'] }).open(address, 'anonymous', SUPER)
  await t.rejects(allOf(refused.rowsOf('SELECT 1', NEVER)), { code: 'permission_denied' })
  t.equal(asked, 0)
  const named = startRemotes(t, { remoteHosts: ['localhost'] }).open(
    addressOf(address.port, 'localhost'),
    'anonymous',
    SUPER,
  )
  await allOf(named.rowsOf('SELECT 1', NEVER))
  t.equal(asked, 1)
})

t.test('a name is looked up where it may be, and leads to its addresses', async (t) => {
  const { lookup } = createAllowedHosts([])
  const all = await new Promise((resolve, reject) =>
    lookup('localhost', { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  )
  t.ok(Array.isArray(all) && all.every(({ address }) => isLoopback(address)))
  const one = await new Promise((resolve, reject) =>
    lookup('localhost', {}, (error, address) => (error ? reject(error) : resolve(address))),
  )
  t.ok(isLoopback(String(one)))
  t.notOk(isLoopback('example.org'))
  t.notOk(isLoopback('10.0.0.1'))
})
