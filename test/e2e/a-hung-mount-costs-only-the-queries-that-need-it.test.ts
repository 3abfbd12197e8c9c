import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type NetworkFileSystem, networkFileSystem } from '../datasets/network-file-system.ts'
import { untilSettled } from '../support/settled.ts'
import { until } from '../support/until.ts'
import { startTestService } from './service.ts'

/** Long enough for any call that returns at all, on a busy machine too. Milliseconds. */
const LIMIT_MS = 500

function csv(...paths: readonly string[]) {
  return { from: { csv: { paths } }, select: ['n'], output: { format: 'csv' } }
}

t.test('they are a 503 that names the path, until it answers', async (t) => {
  const networks: NetworkFileSystem[] = []
  const { url, datasets, query } = await startTestService(t, {
    files(datasets) {
      mkdirSync(join(datasets, 'nfs'))
      const network = networkFileSystem(join(datasets, 'nfs'))
      networks.push(network)
      return { system: network.system, limitMs: LIMIT_MS, concurrency: 2 }
    },
  })
  const [network] = networks
  if (network === undefined) throw new Error('The service has not opened its files.')
  t.teardown(network.resume)
  writeFileSync(join(datasets, 'here.csv'), 'n\n1\n')
  writeFileSync(join(datasets, 'nfs/a.csv'), 'n\n2\n')
  writeFileSync(join(datasets, 'nfs/b.csv'), 'n\n3\n')
  // Nothing is kept of files that were just written.
  await untilSettled(datasets)

  const status = async (body: object): Promise<number> => {
    const answer = await query(body)
    await answer.arrayBuffer()
    return answer.status
  }
  t.equal(await (await query(csv('nfs/a.csv', 'here.csv'))).text(), 'n\n2\n1\n')
  t.equal(await status(csv('nfs/a.csv')), 200)
  t.equal(await status(csv('nfs/a.csv')), 200, 'it is kept now')

  const sql = { sql: "SELECT n FROM read_csv('nfs/a.csv')", output: { format: 'csv' } }
  const needing = [
    csv('nfs/a.csv'),
    csv('nfs/a.csv', 'here.csv'),
    sql,
    { sql: "SELECT sum(n) OVER () FROM read_csv('nfs/a.csv')" },
  ]
  void network.hang(join(datasets, 'nfs/a.csv'))
  for (const body of needing) {
    const refused = await query(body)
    t.equal(refused.status, 503)
    t.equal(refused.headers.get('retry-after'), '10')
    t.match(await refused.json(), /^nfs\/a\.csv is on a file system that has not answered for/)
  }
  t.equal(network.pending, 1)
  t.equal(await status(csv('here.csv')), 200)
  t.equal(await status(csv('nfs/b.csv')), 200, 'another file over there')
  t.equal((await fetch(`${url}/api/health`)).status, 200)
  t.equal((await fetch(`${url}/api/list-datasets`)).status, 503, 'a listing needs it, too')

  network.resume()
  await until('the call has returned', () => network.pending === 0)
  for (const body of needing) t.equal(await status(body), 200)
  t.strictSame(network.syncCalls, [], 'the main thread has waited for nothing')
})
