import t from 'tap'
import { startTables } from './tables.ts'

const { command, ask } = await startTables(t)

/** Names that DuckDB has too. */
const NAMES = [
  ...[
    'BOOLEAN',
    'BOOL',
    'LOGICAL',
    'TINYINT',
    'INT1',
    'SMALLINT',
    'INT2',
    'SHORT',
    'INTEGER',
    'INT',
    'INT4',
    'SIGNED',
  ],
  ...[
    'BIGINT',
    'INT8',
    'LONG',
    'UTINYINT',
    'USMALLINT',
    'UINTEGER',
    'UBIGINT',
    'FLOAT',
    'REAL',
    'FLOAT4',
    'DOUBLE',
  ],
  ...[
    'FLOAT8',
    'DOUBLE PRECISION',
    'DECIMAL',
    'DECIMAL(10, 2)',
    'DECIMAL(7)',
    'NUMERIC(38, 38)',
    'VARCHAR',
    'VARCHAR(10)',
  ],
  ...[
    'TEXT',
    'STRING',
    'CHAR',
    'CHAR(3)',
    'CHARACTER VARYING',
    'BPCHAR',
    'BLOB',
    'BYTEA',
    'VARBINARY',
    'UUID',
  ],
  ...[
    'DATE',
    'TIME',
    'TIMESTAMP',
    'DATETIME',
    'TIMESTAMP_S',
    'TIMESTAMP_MS',
    'TIMESTAMP_NS',
    'TIMESTAMP(0)',
    'TIMESTAMP(3)',
  ],
  ...[
    'TIMESTAMP(6)',
    'TIMESTAMP(9)',
    'TIMESTAMP WITHOUT TIME ZONE',
    'TIMESTAMP WITH TIME ZONE',
    'TIMESTAMPTZ',
  ],
]

t.test('whatever name a type has', async (t) => {
  for (const name of NAMES) {
    t.equal(
      await command(`CREATE OR REPLACE EXTERNAL TABLE x (c ${name}) STORED AS PARQUET LOCATION 'nothing/'`),
      '',
      name,
    )
    const [, expected] = await ask(`SELECT typeof(CAST(NULL AS ${name})) AS type`)
    t.same(await ask('SELECT typeof(any_value(c)) AS type FROM x'), ['type', expected], name)
  }
})

t.test('what no column can be is refused', async (t) => {
  for (const name of [
    'HUGEINT',
    'INTERVAL',
    'INT[]',
    'DECIMAL(39, 0)',
    'DECIMAL(5, 6)',
    'DECIMAL(0)',
    'TIMESTAMP(10)',
    'INT(3)',
    'FOO',
  ])
    t.match(
      await command(`CREATE OR REPLACE EXTERNAL TABLE y (c ${name}) STORED AS PARQUET LOCATION 'nothing/'`),
      /The column "c" cannot be /,
      name,
    )
})
