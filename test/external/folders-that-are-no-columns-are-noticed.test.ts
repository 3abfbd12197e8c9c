import t from 'tap'
import { SUPER_USER } from '../http/test-server.ts'
import { startTables } from './tables.ts'

t.test('CREATE EXTERNAL TABLE over folders key=value without PARTITIONED BY has a notice', async (t) => {
  const { put, settle, query } = await startTables(t)
  put('obs/year=2024/site=a/a.csv', 'n\n1\n')
  put('plain/2024/a.csv', 'n\n1\n')
  await settle()
  const noticeOf = async (name: string, rest: string): Promise<string | null> => {
    const sql = `CREATE EXTERNAL TABLE ${name} STORED AS CSV ${rest}`
    const answer = await query({ sql }, { headers: { 'content-type': 'application/json', ...SUPER_USER } })
    t.equal(answer.status, 200, await answer.text())
    return answer.headers.get('x-service-notice')
  }
  const notice = /year=.*site=.* are no columns; PARTITIONED BY \(year, site\) makes them columns/
  t.match(await noticeOf('a', "LOCATION 'obs/'"), notice)
  t.match(await noticeOf('b', "LOCATION 'obs/**/*.csv'"), notice)
  t.equal(await noticeOf('c', "PARTITIONED BY (year INT, site) LOCATION 'obs/'"), null)
  t.equal(await noticeOf('d', "LOCATION 'plain/'"), null)
  t.equal(await noticeOf('e', "LOCATION 'obs/year=2024/site=a/'"), null, 'below the location there are none')
})
