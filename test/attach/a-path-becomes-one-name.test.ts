import t from 'tap'
import { attachedName, readAttachedName } from '../../src/main/sql/gate/attached-name.ts'
import { positionInRequest, readStatement } from '../../src/main/sql/gate/gate.ts'
import { tokenize } from '../../src/main/sql/text/tokens.ts'
import { foldSqlName } from '../../src/plan/statement/statement.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'
import { fc } from '../support/generate.ts'

const isAttached = (name: string): boolean => name === 'far' || name === 'é'
const names = { ...KNOWN_NAMES, isAttached }

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

t.test('which goes by its last part unless it has an alias', async (t) => {
  const one = quoted(attachedName('far', 'public', 'Obs'))
  for (const [sql, text] of [
    ['FROM far.Obs', `FROM ${one} AS "Obs"`],
    ['FROM Far.public.Obs', `FROM "public".${one} AS "Obs"`],
    ['FROM far.Obs x', `FROM "public".${one} x`],
    ['FROM far.public.Obs AS x', `FROM "service"."public".${one} AS x`],
    ['FROM far . Obs -- c\n "x y"', `FROM "public".${one} -- c\n "x y"`],
    ['FROM x: far.Obs', `FROM x: "public".${one}`],
    ['FROM far.Obs WHERE n > 1', `FROM ${one} AS "Obs" WHERE n > 1`],
    ['FROM far.Obs LEFT JOIN far.Obs b ON true', `FROM ${one} AS "Obs" LEFT JOIN "public".${one} b ON true`],
    ['SELECT far.Obs FROM obs', 'SELECT far.Obs FROM obs'],
    ['FROM public.Obs, service.public.Obs', 'FROM public.Obs, service.public.Obs'],
  ] as const)
    t.equal(readStatement(sql, names).text, text, sql)
  for (const sql of ['FROM near.obs', 'FROM near.public.obs', 'FROM a.far.public.obs', 'FROM far.obs.a.b'])
    t.throws(() => readStatement(sql, names), { code: 'invalid_sql' }, sql)
  for (const sql of ['FROM far.obs', 'FROM far.public.obs'])
    t.throws(() => readStatement(sql, KNOWN_NAMES), { code: 'invalid_sql' }, 'nothing is attached')
})

t.test('whose tokens are those of its text, as many as were sent', async () => {
  const name = fc.oneof(
    fc.constantFrom('obs', 'Obs', 'a.b', '^a', 'x"y'),
    fc.string({ minLength: 1, maxLength: 5 }),
  )
  const path = fc
    .tuple(
      fc.constantFrom('far', '"FAR"', 'é'),
      fc.option(name),
      name,
      fc.constantFrom('', ' x', ' AS "x y"'),
    )
    .filter(([, schema, table]) => !`${schema}${table}`.includes('\0'))
    .map(
      ([catalog, schema, table, alias]) =>
        [catalog, ...(schema === null ? [] : [quoted(schema)]), quoted(table)].join(' . ') + alias,
    )
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '; '), (paths, end) => {
      const sql = `/* a */ SELECT * FROM obs, ${paths.join(', /* b */ ')} WHERE n = 'it''s'${end}`
      const statement = readStatement(sql, names)
      if (JSON.stringify(tokenize(statement.text)) !== JSON.stringify(statement.tokens))
        throw new Error(`other tokens: ${statement.text}`)
      const sent = tokenize(sql).filter(({ kind, text }) => kind !== 'sign' || text !== ';')
      if (sent.length !== statement.tokens.length) throw new Error('another number of tokens')
      const at = statement.text.lastIndexOf("'it")
      if (positionInRequest(sql, statement, at) !== sql.lastIndexOf("'it")) throw new Error('another place')
    }),
  )
})

t.test('and is read back, whatever its parts are', async () => {
  const part = fc.string({ unit: 'binary', minLength: 1 })
  fc.assert(
    fc.property(part, part, part, part, (catalog, schema, name, other) => {
      const one = attachedName(catalog, schema, name)
      const parts = { catalog: foldSqlName(catalog), schema, name }
      if (JSON.stringify(readAttachedName(one)) !== JSON.stringify(parts)) throw new Error(one)
      if (other !== name && foldSqlName(attachedName(catalog, schema, other)) === foldSqlName(one))
        throw new Error('two tables have one name')
    }),
  )
})
