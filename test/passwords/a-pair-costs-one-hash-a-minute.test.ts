import t from 'tap'
import { basic } from '../http/test-server.ts'
import { fc } from '../support/generate.ts'
import { createUsers, dropUser, putUser, STAYS } from './users.ts'

const ANNA = basic('anna', 'secret')
const MINUTE = 60_000

t.test('a right one is known without waiting, for a minute from its check', async (t) => {
  const { directory, authenticator, hashes, pass, who } = createUsers()
  await putUser(directory, 'anna', 'secret')
  t.equal(authenticator.cachedCaller(ANNA), null)
  t.equal(await who(ANNA), 'stored anna')
  pass(MINUTE - 1)
  t.equal(authenticator.cachedCaller(ANNA)?.principal.name, 'anna')
  t.same(hashes.lanes, ['untrusted'])
  pass(1)
  t.equal(authenticator.cachedCaller(ANNA), null)
  t.equal(await who(ANNA), 'stored anna')
  t.same(hashes.lanes, ['untrusted', 'trusted'], 'who was right before goes before the others')
})

t.test('no credentials and the super-user cost none', async (t) => {
  const { authenticator, hashes, who } = createUsers()
  t.equal(authenticator.cachedCaller(undefined)?.principal.source, 'anonymous')
  const header = basic('service-admin', 'service-password')
  t.equal(await who(header), 'configuration service-admin')
  t.equal(authenticator.cachedCaller(header)?.isSuperUser, true)
  t.same(hashes.lanes, [])
})

t.test('whoever it is, a wrong one costs one hash a minute, and no header of another form any', async (t) => {
  const { directory, hashes, pass, who } = createUsers()
  await putUser(directory, 'anna', 'secret')
  const wrong = [
    basic('anna', 'guessed'),
    basic('anna', ''),
    basic('anna', 'secret:'),
    basic('Anna', 'secret'),
    basic('nobody', 'secret'),
    basic('anonymous', ''),
    basic('anonymous', 'secret'),
    basic('service-admin', 'secret'),
    basic('', ''),
  ]
  for (const header of [...wrong, ...wrong]) t.equal(await who(header), '401')
  t.equal(hashes.lanes.length, wrong.length)
  pass(MINUTE)
  for (const header of wrong) t.equal(await who(header), '401')
  t.equal(hashes.lanes.length, 2 * wrong.length)
  const others = ['', 'Basic', 'Basic  ', 'Basic YTpi=', 'basic YTpi', 'Bearer ', 'Bearer a', 'Digest a']
  for (const header of others) t.equal(await who(header), '401', header)
  t.equal(hashes.lanes.length, 2 * wrong.length)
})

t.test('a stored user whose name the super-user has by now cannot log in', async (t) => {
  const { directory, hashes, who } = createUsers()
  await putUser(directory, 'service-admin', 'secret')
  t.equal(await who(basic('service-admin', 'secret')), '401')
  t.equal(hashes.lanes.length, 1)
  t.equal(await who(basic('service-admin', 'service-password')), 'configuration service-admin')
})

t.test('equal ones at the same time share a hash', async (t) => {
  const { directory, hashes, who } = createUsers({ queue: { running: 1, waiting: 1 } })
  await putUser(directory, 'anna', 'secret')
  const headers = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? ANNA : basic('anna', 'x')))
  const found = await Promise.all(headers.map((header) => who(header)))
  t.same(new Set(found.filter((_, index) => index % 2 === 0)), new Set(['stored anna']))
  t.same(new Set(found.filter((_, index) => index % 2 === 1)), new Set(['401']))
  t.equal(hashes.lanes.length, 2)
})

t.test('wrong ones are bounded, and push out no right one', async (t) => {
  const { directory, authenticator, hashes, who } = createUsers({ pairs: { mostWrong: 8, mostRight: 2 } })
  await putUser(directory, 'anna', 'secret')
  await putUser(directory, 'ben', 'secret')
  await who(ANNA)
  await who(basic('ben', 'secret'))
  for (let each = 0; each < 100; each++) await who(basic('anna', String(each)))
  t.equal(hashes.lanes.length, 102)
  t.equal(authenticator.cachedCaller(ANNA)?.principal.name, 'anna')
  t.equal(authenticator.cachedCaller(basic('ben', 'secret'))?.principal.name, 'ben')
  t.equal(await who(basic('anna', '99')), '401')
  t.equal(hashes.lanes.length, 102, 'a late one is remembered')
  t.equal(await who(basic('anna', '0')), '401')
  t.equal(hashes.lanes.length, 103, 'an early one is not')
})

t.test('another password of the user ends it at once, and so does DROP', async (t) => {
  const { directory, hashes, who } = createUsers()
  await putUser(directory, 'anna', 'secret')
  t.equal(await who(ANNA), 'stored anna')
  t.equal(await who(basic('anna', 'other')), '401')
  await putUser(directory, 'anna', 'other')
  t.equal(await who(ANNA), '401')
  t.equal(await who(basic('anna', 'other')), 'stored anna', 'what was wrong is right now')
  await dropUser(directory, 'anna')
  t.equal(await who(basic('anna', 'other')), '401')
  await putUser(directory, 'anna', 'other')
  t.equal(await who(basic('anna', 'other')), 'stored anna')
  t.equal(hashes.lanes.length, 6)
})

t.test('other users and roles end nothing, and rights are those of now', async (t) => {
  const { directory, authenticator, hashes, who } = createUsers()
  await putUser(directory, 'anna', 'secret')
  await who(ANNA)
  await who(basic('anna', 'wrong'))
  const before = authenticator.cachedCaller(ANNA)
  await putUser(directory, 'ben', 'secret')
  const user = directory.snapshot().users.get('anna')
  if (user === undefined) throw new Error('there is no anna')
  const rules = [{ effect: 'grant', target: { kind: 'all' } }] as const
  await directory.change(
    () => [
      { kind: 'put_role', role: { name: 'reader', rules } },
      { kind: 'put_user', user: { ...user, roles: ['reader'] } },
    ],
    STAYS,
  )
  const after = authenticator.cachedCaller(ANNA)
  t.equal(after?.principal.name, 'anna')
  t.not(after?.rights.digest, before?.rights.digest)
  t.equal(await who(basic('anna', 'wrong')), '401')
  t.equal(hashes.lanes.length, 2)
})

t.test('a user who changes while the hash is made is compared as it is then', async (t) => {
  const { directory, hashes, who } = createUsers()
  await putUser(directory, 'anna', 'secret')
  const end = hashes.hold()
  const old = who(ANNA)
  const later = who(basic('anna', 'other'))
  await putUser(directory, 'anna', 'other')
  const joined = who(basic('anna', 'other'))
  end()
  t.same(await Promise.all([old, later, joined]), ['401', 'stored anna', 'stored anna'])
})

t.test('too many at once are told to come again, and the others are answered', async (t) => {
  const { directory, authenticator, hashes, who } = createUsers({ queue: { running: 1, waiting: 2 } })
  await putUser(directory, 'anna', 'secret')
  const end = hashes.hold()
  const first = ['a', 'b', 'c'].map((password) => who(basic('anna', password)))
  t.same(await authenticator.check(ANNA, STAYS), { status: 503, retrySecs: 1 })
  end()
  t.same(await Promise.all(first), ['401', '401', '401'])
  t.equal(await who(ANNA), 'stored anna')
})

t.test('who leaves frees the place, but not for those who ask for the same', async (t) => {
  const { directory, hashes, who } = createUsers({ queue: { running: 1, waiting: 1 } })
  await putUser(directory, 'anna', 'secret')
  const end = hashes.hold()
  const running = who(basic('anna', 'a'))
  const [one, two] = [new AbortController(), new AbortController()]
  const left = who(basic('anna', 'b'), one.signal)
  const stays = who(basic('anna', 'b'), two.signal)
  one.abort(new Error('gone'))
  await t.rejects(left, /gone/)
  t.equal(await who(ANNA), '503', 'one still waits for it')
  two.abort(new Error('gone too'))
  await t.rejects(stays, /gone too/)
  const next = who(ANNA)
  end()
  t.same(await Promise.all([running, next]), ['401', 'stored anna'])
  t.equal(hashes.lanes.length, 2, 'none for those who left')
})

t.test(
  'a hash that cannot be made is an error of those who wait for it, and is made again for the next',
  async (t) => {
    const { directory, hashes, who } = createUsers({ queue: { running: 1, waiting: 1 } })
    await putUser(directory, 'anna', 'secret')
    const { run } = hashes
    hashes.run = () => Promise.reject(new Error('no memory'))
    const failed = await Promise.allSettled([who(ANNA), who(ANNA)])
    t.same(
      failed.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    hashes.run = run
    t.equal(await who(ANNA), 'stored anna')
  },
)

t.test('whatever changes, a pair is right if it is that of its user now', async () => {
  const names = ['anna', 'ben', 'anonymous', 'service-admin', 'bearer']
  const name = fc.constantFrom(...names)
  const password = fc.constantFrom('', 'a', 'b', ':')
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('ask' as const), name, password }) },
    fc.record({ kind: fc.constant('put' as const), name: fc.constantFrom('anna', 'ben'), password }),
    fc.record({ kind: fc.constant('drop' as const), name: fc.constantFrom('anna', 'ben') }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: MINUTE }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { directory, pass, who } = createUsers({ pairs: { mostRight: 3, mostWrong: 3 } })
      const now = new Map<string, string>()
      const asked: Promise<void>[] = []
      for (const each of steps) {
        if (each.kind === 'ask') {
          const isRight = now.get(each.name) === each.password
          const expected = isRight ? `stored ${each.name}` : '401'
          const answered = who(basic(each.name, each.password)).then((found) => {
            if (found !== expected) throw new Error(`${JSON.stringify(each)}: ${found}`)
          })
          // Those that are asked one after the other without a change between them are at the same time.
          asked.push(answered)
          continue
        }
        await Promise.all(asked.splice(0))
        if (each.kind === 'pass') pass(each.ms)
        else if (each.kind === 'drop') {
          await dropUser(directory, each.name)
          now.delete(each.name)
        } else {
          await putUser(directory, each.name, each.password)
          now.set(each.name, each.password)
        }
      }
      await Promise.all(asked)
    }),
    { numRuns: 30 },
  )
})
