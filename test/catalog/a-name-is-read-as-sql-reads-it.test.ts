import t from 'tap'
import { printName, readName } from '../../src/main/catalog/written-name.ts'

t.test('up to three parts, in quotes or without', async (t) => {
  const read = (text: string) => {
    const name = readName(text)
    return name && [name.catalog, name.schema, name.name]
  }
  t.same(read('t'), [null, null, 't'])
  t.same(read('public.t'), [null, 'public', 't'])
  t.same(read('service.public.t'), ['service', 'public', 't'])
  t.same(read('"a.b"'), [null, null, 'a.b'])
  t.same(read('"a.b"."c""d"'), [null, 'a.b', 'c"d'])
  t.same(read('public."Größe in m"'), [null, 'public', 'Größe in m'])
  t.same(read('two words'), [null, null, 'two words'], 'more than SQL reads without quotes')
  for (const text of ['', '.', 't.', '.t', 'a..b', 'a.b.c.d', '"', '""', '"a', 'a"b"', '"a"b', 'a."b'])
    t.equal(read(text), null, text)
})

t.test('a long text takes no long time', async (t) => {
  t.equal(readName('"'.repeat(100_001)), null)
  t.equal(readName(`${'a'.repeat(100_000)}"`), null)
})

t.test('a name is printed with the parts that are written', async (t) => {
  t.equal(printName({ catalog: null, schema: 'public', name: 't' }), 'public.t')
})
