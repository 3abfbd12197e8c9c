import t from 'tap'
import { readStatement, type Statement } from '../../src/main/sql/gate/gate.ts'
import { fc } from '../support/generate.ts'
import { openReader } from './duckdb-reader.ts'
import { KNOWN_NAMES } from './known-names.ts'

const reader = await openReader('CREATE TABLE t (a INT, b VARCHAR, c INT)')

/** Relations that must not be read, in the forms in which a statement might name them. */
const HIDDEN = [
  'duckdb_tables',
  '"DuckDB_Columns"',
  'pg_class',
  'pg_catalog.pg_tables',
  '"information_schema"."columns"',
  'memory.information_schema.tables',
  'main.duckdb_views',
  'system.main.duckdb_tables',
  'sqlite_master',
  '"pragma_database_list"',
  'duckdb_functions()',
  'pragma_version()',
  'system.main."duckdb_settings"()',
  "query('FROM duckdb_tables')",
  "query_table('duckdb_tables')",
  "histogram('duckdb_tables', database_oid)",
  "'duckdb_tables'",
  "E'duckdb_tables'",
  '$$duckdb_tables$$',
]

/** The names of operators that read such a relation. */
const HIDDEN_OPERATOR = /"name": "(DUCKDB_|PRAGMA_|PG_|SQLITE_|SHOW|DESCRIBE|SUMMAR)/

const blank = fc.constantFrom(' ', '\n', '/**/', ' /* " */ ', "/* ' */", '--"\n', '/*/* */*/')

/** Parts with blanks between them. */
function words(...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> {
  const spaced = parts.flatMap((part) => [typeof part === 'string' ? fc.constant(part) : part, blank])
  return fc.tuple(...spaced.slice(0, -1)).map((texts) => texts.join(''))
}

const either = (...texts: readonly string[]) => fc.constantFrom(...texts)

const { statement } = fc.letrec<{ table: string; value: string; statement: string }>((tie) => {
  const [table, value, query] = [tie('table'), tie('value'), tie('statement')]
  return {
    table: fc.oneof(
      { maxDepth: 3 },
      { weight: 12, arbitrary: fc.oneof(either('t'), either('range(3)', '(VALUES (1))'), either(...HIDDEN)) },
      words('(', query, ')'),
      words(
        table,
        either('JOIN', 'CROSS JOIN', 'SEMI JOIN', 'POSITIONAL JOIN'),
        table,
        either('', 'ON true'),
      ),
      words('(', table, either('JOIN', 'CROSS JOIN'), table, either('', 'ON true', 'USING (a)'), ')'),
      words(table, ',', table),
      words(either('x', '"y"', 'duckdb_z'), ':', table),
      words(either('LATERAL', 'ONLY'), table),
      words(
        table,
        either('AS x', 'y', '"from"', 'AS "where"', 'x(u, v)', 'duckdb_a', "AS 'z'", 'WITH ORDINALITY'),
      ),
      words(table, either('PIVOT (count(*) FOR a IN (1))', 'UNPIVOT (v FOR n IN (a, c))', 'TABLESAMPLE 9%')),
      words('(', either('TABLE', 'PIVOT', 'UNPIVOT', 'SUMMARIZE', 'DESCRIBE', 'SHOW', 'FROM'), table, ')'),
      words('(', either('PIVOT', 'UNPIVOT'), table, 'ON', either('a', 'a, c', 'internal'), ')'),
      words('( PIVOT', table, 'ON a IN (1) USING', either('count(*)', 'sum(c), count(*)'), ')'),
    ),
    value: fc.oneof(
      { maxDepth: 3 },
      { weight: 12, arbitrary: either('a', '1', '*', "'x'", 'c') },
      words(either('', 'exists', 'ARRAY', 'a IN'), '(', query, ')'),
      words('extract(year FROM', value, ')'),
      words(value, 'IS DISTINCT FROM', value),
      words(value, 'AS', either('from', 'where', 'as', 'select', 'x', 'join', 'limit')),
      words('[', value, ',', value, ']'),
      words('CASE WHEN', value, 'THEN', value, 'END'),
      words("{'a':", value, '}'),
    ),
    statement: fc.oneof(
      { maxDepth: 3 },
      words('FROM', table),
      words('SELECT', value, 'FROM', table),
      words(
        ...['SELECT', value, ',', value, 'FROM', table],
        either('WHERE true', 'GROUP BY ALL', 'ORDER BY 1', 'LIMIT 1', 'QUALIFY true', 'WINDOW w AS ()'),
      ),
      words('FROM', table, 'SELECT', value),
      words('FROM', table, 'WHERE', value),
      words(query, either('UNION', 'UNION ALL BY NAME', 'EXCEPT', 'INTERSECT'), query),
      words('WITH', either('x', 'duckdb_w', 'RECURSIVE y(a)'), 'AS', '(', query, ')', query),
      words('TABLE', table),
      words('(', query, ')'),
      words('VALUES (1,', value, '), (2,', value, ')'),
    ),
  }
})

/** A statement, unchanged or with a token removed, inserted or doubled. */
const mutated = fc
  .tuple(
    statement,
    fc.nat(),
    either(
      ...Array(16).fill(''),
      'drop',
      'twice',
      "'",
      '"',
      '(',
      ')',
      ',',
      '.',
      ':',
      ' AS ',
      '--',
      '$$',
      "E'",
    ),
  )
  .map(([sql, position, change]) => {
    if (change === '') return sql
    const tokens = sql.match(/\w+|\s+|./gs) ?? []
    const at = position % tokens.length
    const inserted =
      change === 'drop' ? [] : change === 'twice' ? [tokens[at], tokens[at]] : [change, tokens[at]]
    return tokens.toSpliced(at, 1, ...inserted.map(String)).join('')
  })

t.test('what the gate lets through reads nothing of the catalog but tables that it has found', async (t) => {
  const count = { ran: 0, hidden: 0, tables: 0 }
  fc.assert(
    fc.property(mutated, (sql) => {
      const plan = reader.plan(sql)
      if (plan === null) return
      const isHidden = HIDDEN_OPERATOR.test(plan)
      const passed = passedStatement(sql)
      if (passed === null) {
        if (isHidden) count.hidden++
        return
      }
      count.ran++
      const ran = reader.plan(passed.text) ?? ''
      if (HIDDEN_OPERATOR.test(ran)) throw new Error(`this passes: ${sql}`)
      if (!ran.includes('"Table": "t"')) return
      count.tables++
      if (!passed.tables.some(({ name }) => name === 't'))
        throw new Error(`a table is not found in this: ${sql}`)
    }),
    { numRuns: 8_000 },
  )
  t.ok(count.ran > 50 && count.hidden > 50 && count.tables > 50, JSON.stringify(count))
})

/** The statement as DuckDB would get it. Null: the gate refuses it. */
function passedStatement(sql: string): Statement | null {
  try {
    return readStatement(sql, KNOWN_NAMES)
  } catch {
    return null
  }
}
