import t from 'tap'
import { type Field, field } from '../../src/plan/types/schema.ts'
import { numbers, testEngine } from './engine.ts'

const column = (name: string): Field => field(name, { kind: 'int', bits: 64, signed: true })

t.test('a column that DuckDB cannot have is named with its source', async (t) => {
  const { run, engine } = await testEngine()
  for (const [fields, message] of [
    [
      [column('n'), column('a\0b')],
      /^read_parquet: the name of a column of "?numbers"? holds a zero byte \("a\\u0000b"\).* A JSON query reads it\.$/,
    ],
    [
      Array.from({ length: 20_000 }, (_, index) => column(`c${index}`)),
      /^read_parquet: "?numbers"? has 20000 columns, over the \d+ that DuckDB takes\.$/,
    ],
  ] as const) {
    const source = { ...numbers(3), schema: { fields, metadata: {} } }
    t.throws(() => run("SELECT * FROM read_parquet('numbers')", [source]), { code: 'not_supported', message })
    t.equal(run('SELECT 42 AS n').get(0)?.['n'], 42, 'DuckDB lives')
    t.notOk(engine.isDead())
  }
})
