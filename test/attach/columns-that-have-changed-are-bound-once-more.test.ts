import { text } from 'node:stream/consumers'
import t from 'tap'
import { ADMIN } from '../accounts/asked-accounts.ts'
import { startHttp } from '../remotes/remote.ts'
import { startTwo } from './services.ts'

t.test('for a table that is attached, and then it is an error', async (t) => {
  const { here, there } = await startTwo(t)
  /** What is made there after each answer with the columns of the view, one after the other. */
  let changes: string[] = []
  const view = (select: string): string => `CREATE OR REPLACE VIEW v AS SELECT ${select} FROM obs`
  const between = await startHttp(t, async (request, reply) => {
    const body = await text(request)
    const answer = await fetch(`${there.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json', accept: request.headers.accept ?? '' },
      ...(body !== '' && { body }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const change = / LIMIT 0"/.test(body) ? changes.shift() : undefined
    if (change !== undefined) t.equal(await there.state(change), null, change)
    reply.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(bytes)
  })
  const ask = (): Promise<readonly string[] | string> => here.lines('FROM far.public.v ORDER BY ALL', ADMIN)
  t.equal(await there.state(view('n, word')), null)
  t.equal(await here.state(`ATTACH 'http://127.0.0.1:${between.port}' AS far`), null)
  t.same(await ask(), ['n,word', '1,a', '2,b', '3,c'])

  changes = [view('n AS number')]
  t.same(await ask(), ['number', '1', '2', '3'], 'a column has gone')
  t.same(changes, [])
  changes = [view("'x' || n AS number")]
  t.same(await ask(), ['number', 'x1', 'x2', 'x3'], 'a column has another type')
  changes = [view('n AS number, word')]
  t.same(await ask(), ['number,word', '1,a', '2,b', '3,c'], 'text became a number')
  // After rows that were refused, the columns are asked for as well.
  changes = [view('n'), view('n'), view('word')]
  t.match(await ask(), /have changed in the service that has it.*Ask again\./)
  t.same(await ask(), ['word', 'a', 'b', 'c'])
  t.match(await here.lines("SELECT state FROM service.system.attached WHERE name = 'far'", ADMIN), [
    'state',
    'answers',
  ])
})
