import t from 'tap'
import { readConnectionString } from '../../src/main/remotes/databases/connection-string.ts'

const refuse = (what: string): never => {
  throw new RangeError(what)
}

t.test('parameters with their values, quoted or not', async (t) => {
  const read = (text: string) => ({ ...readConnectionString(text, refuse) })
  t.same(read('host=db.example.org port=5433 user=reader password=secret dbname=sea sslmode=require'), {
    host: 'db.example.org',
    port: '5433',
    user: 'reader',
    password: 'secret',
    database: 'sea',
    sslmode: 'require',
  })
  t.same(read("  user = 'a b'\tpassword='it\\'s \\\\ it'\n dbname=c\\ d  "), {
    user: 'a b',
    password: "it's \\ it",
    database: 'c d',
  })
  t.same(read("password='' user=a"), { user: 'a' })
})

t.test('URLs, percent-encoded', async (t) => {
  const read = (text: string) => ({ ...readConnectionString(text, refuse) })
  t.same(read('postgresql://reader:p%40ss%2F@db.example.org:5433/the%20sea?sslmode=verify-full'), {
    host: 'db.example.org',
    port: '5433',
    user: 'reader',
    password: 'p@ss/',
    database: 'the sea',
    sslmode: 'verify-full',
  })
  t.same(read('postgres://[::1]/sea'), { host: '[::1]', database: 'sea' })
  t.same(read('postgres:///sea?host=a&user=b'), { host: 'a', user: 'b', database: 'sea' })
})

t.test('what is none is refused, and nothing of it is told', async (t) => {
  for (const text of [
    'Plugh4711',
    'password Plugh4711',
    "password='Plugh4711",
    "password='a'Plugh4711",
    'password=Plugh4711 =',
    'passfile=Plugh4711',
    'password=Plugh4711 password=a',
    'mysql://a:Plugh4711@b/c',
    'postgres://a:Plugh4711@b@c/d',
    'postgres://a:%Plugh4711@b/c',
    'postgres://a:Plugh4711@b/c?application_name=d',
    'host=a/Plugh4711',
    'port=Plugh4711',
    'sslmode=Plugh4711',
    'hostaddr=127.0.0.1',
    '__proto__=Plugh4711',
  ])
    t.throws(
      () => readConnectionString(text, refuse),
      { name: 'RangeError', message: /^(?!.*Plugh4711)/ },
      text,
    )
})
