import { csv, DONE, stream, told } from '../expected.ts'
import { admin, query, sql, step } from '../requests.ts'
import { type Row, row } from '../row.ts'

const VIEW = 'CREATE VIEW %new% AS SELECT 1 AS one'
const TABLE = "CREATE EXTERNAL TABLE %new% STORED AS CSV LOCATION 'obs/'"
const KEPT = { later: 'kept tables' } as const
const EXISTS = 'CREATE over a name that exists'
const viewed = step(admin(VIEW))
const tabled = step(admin(TABLE))

function shown(text: string) {
  return { ...admin(text), body: { sql: text, output: { format: 'csv' } } }
}

/** Parts of the dialect, each with the answer as CSV. */
const DIALECT: readonly (readonly [string, string])[] = [
  ['WITH c AS (SELECT 1 AS a) SELECT a FROM c', 'a\n1\n'],
  ['SELECT (SELECT max(id) FROM obs) AS m', 'm\n5\n'],
  ['SELECT a.id FROM obs a JOIN obs b ON a.id = b.id WHERE a.id = 1', 'id\n1\n'],
  [
    'SELECT platform, count(*) AS n FROM obs GROUP BY platform HAVING count(*) > 1 ORDER BY 1',
    'platform,n\nA,2\nB,2\n',
  ],
  ['SELECT id FROM obs ORDER BY id LIMIT 2 OFFSET 1', 'id\n2\n3\n'],
  ['SELECT DISTINCT platform FROM obs ORDER BY 1', 'platform\nA\nB\nC\n'],
  [
    'SELECT DISTINCT ON (platform) platform, id FROM obs ORDER BY platform, id',
    'platform,id\nA,1\nB,3\nC,5\n',
  ],
  [
    'SELECT id, row_number() OVER (PARTITION BY platform ORDER BY id) AS n FROM obs WHERE id < 3 ORDER BY 1',
    'id,n\n1,1\n2,2\n',
  ],
  ["SELECT CASE WHEN 1 < 2 THEN 'a' ELSE 'b' END AS c", 'c\na\n'],
  ['SELECT 1 AS a UNION ALL SELECT 2 ORDER BY 1', 'a\n1\n2\n'],
  ['SELECT id FROM obs EXCEPT SELECT id FROM obs WHERE id > 1', 'id\n1\n'],
  ['SELECT id FROM obs INTERSECT SELECT 2 AS id', 'id\n2\n'],
  ['SELECT 1 AS a UNION ALL BY NAME SELECT 2 AS b ORDER BY 1', 'a,b\n1,\n,2\n'],
  ["SELECT '5'::INTEGER + 1 AS n", 'n\n6\n'],
  ["SELECT TIMESTAMP '2024-01-01 00:00:00' + INTERVAL 1 DAY AS t", 't\n2024-01-02T00:00:00\n'],
  ['SELECT a FROM (VALUES (1), (2)) v(a) ORDER BY a', 'a\n1\n2\n'],
  ['SELECT unnest([1, 2]) AS n ORDER BY 1', 'n\n1\n2\n'],
  [
    'SELECT * EXCLUDE (time, longitude, latitude, depth, temperature) FROM obs WHERE id = 1',
    'id,platform\n1,A\n',
  ],
  [
    "SELECT * REPLACE ('x' AS platform) FROM (SELECT id, platform FROM obs) WHERE id = 1",
    'id,platform\n1,x\n',
  ],
  ['SELECT platform, count(*) AS n FROM obs GROUP BY ALL ORDER BY ALL', 'platform,n\nA,2\nB,2\nC,1\n'],
  ['SELECT id FROM obs QUALIFY row_number() OVER (ORDER BY id DESC) = 1', 'id\n5\n'],
  ['FROM obs SELECT id WHERE id = 1', 'id\n1\n'],
  ['SELECT id, FROM obs WHERE id = 1', 'id\n1\n'],
  [
    'SELECT platform, count(*) AS n FROM obs GROUP BY GROUPING SETS ((platform), ()) ORDER BY n DESC, platform LIMIT 1',
    'platform,n\n,5\n',
  ],
  [
    'SELECT min(id) AS a, max(id) AS b, avg(id) AS c, count(DISTINCT platform) AS d FROM obs',
    'a,b,c,d\n1,5,3.0,3\n',
  ],
  ['SELECT round(stddev(id), 2) AS s FROM obs', 's\n1.58\n'],
  ["SELECT upper('a') AS u, length('abc') AS n", 'u,n\nA,3\n'],
  [
    "SELECT count(*) AS n FROM read_parquet('ctd/part-0.parquet') p JOIN read_csv('obs/*.csv') c USING (id)",
    'n\n5\n',
  ],
  ['SELECT count(*) AS n FROM obs WHERE CASE WHEN id > 2 THEN true ELSE false END', 'n\n3\n'],
  ['SELECT count(*) AS n FROM "MyTable"', 'n\n3\n'],
  ['select count(*) as n from obs', 'n\n5\n'],
  ['SELECT 1 AS one;', 'one\n1\n'],
  ['SELECT 1 AS one -- a comment', 'one\n1\n'],
]

/** Functions that the specification names, each with a call and its text. Those of its spatial set come later. */
const FUNCTIONS: readonly (readonly [string, string])[] = [
  ['abs(-1)', '1'],
  ['ceil(1.5)', '2'],
  ['floor(1.5)', '1'],
  ['power(2, 3)', '8'],
  ['pow(2, 3)', '8'],
  ['sqrt(4)', '2'],
  ['signum(-2.0)', '-1'],
  ['trunc(1.7)', '1'],
  ['gcd(4, 6)', '2'],
  ['lcm(4, 6)', '12'],
  ['iszero(0)', 'true'],
  ['nanvl(1.0, 2.0)', '1'],
  ['factorial(4)', '24'],
  ["btrim(' a ')", 'a'],
  ["initcap('ab cd')", 'Ab Cd'],
  ["strpos('abc', 'b')", '2'],
  ["split_part('a-b', '-', 2)", 'b'],
  ["concat_ws('-', 'a', 'b')", 'a-b'],
  ["repeat('ab', 2)", 'abab'],
  ["reverse('ab')", 'ba'],
  ["starts_with('abc', 'a')", 'true'],
  ["ends_with('abc', 'c')", 'true'],
  ["find_in_set('b', 'a,b')", '2'],
  ["substr_index('a.b.c', '.', 2)", 'a.b'],
  ["octet_length('é')", '2'],
  ['to_hex(255)', 'ff'],
  ["translate('abc', 'b', 'x')", 'axc'],
  ["levenshtein('ab', 'ac')", '1'],
  ["lpad('a', 2, 'x')", 'xa'],
  ["overlay('abcd' PLACING 'x' FROM 2 FOR 1)", 'axcd'],
  ["regexp_like('abc', 'b')", 'true'],
  ["regexp_count('abab', 'a')", '2'],
  ["regexp_instr('abc', 'c')", '3'],
  ["regexp_replace('abc', 'b', 'x')", 'axc'],
  ["encode('a', 'hex')", '61'],
  ["date_trunc('month', TIMESTAMP '2024-02-03 00:00:00')", '2024-02-01T00:00:00'],
  ["date_part('year', TIMESTAMP '2024-02-03 00:00:00')", '2024'],
  ['to_timestamp_seconds(0)', '1970-01-01T00:00:00'],
  ['from_unixtime(0)', '1970-01-01T00:00:00'],
  ['make_date(2024, 2, 3)', '2024-02-03'],
  ["to_date('2024-02-03')", '2024-02-03'],
  ["to_unixtime(TIMESTAMP '1970-01-01 00:00:01')", '1'],
  ["date_bin(INTERVAL 1 DAY, TIMESTAMP '2024-01-01 10:00:00')", '2024-01-01T00:00:00'],
  ["to_char(DATE '2024-02-03', '%Y')", '2024'],
  ['coalesce(NULL, 1)', '1'],
  ['nullif(1, 1)', ''],
  ['greatest(1, 2)', '2'],
  ['least(1, 2)', '1'],
  ['nvl(NULL, 1)', '1'],
  ['nvl2(1, 2, 3)', '2'],
  ['ifnull(NULL, 1)', '1'],
  ["arrow_cast(1, 'Float64')", '1'],
  ["try_arrow_cast('x', 'Int32')", ''],
  ['arrow_typeof(1)', 'Int32'],
  ["CAST('1' AS INTEGER)", '1'],
  ["TRY_CAST('x' AS INTEGER)", ''],
  ["coalesce_label(NULL, 'a', 1, 'b')", 'b'],
  ["st_within_point('POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))', 1, 1)", 'true'],
  ["st_within_point('POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))', 0, 1)", 'false'],
  ['cast_int8_as_char(65::TINYINT)', 'A'],
]

/** Statements: S 1, and the functions of S 2. */
export const STATEMENTS: readonly Row[] = [
  ...['maybe', '2'].map((flag) =>
    row(
      'S1.4',
      `a flag that is none: ${flag}`,
      admin(`CREATE EXTERNAL TABLE %new% STORED AS NC LOCATION 'grid/' OPTIONS ('attributes' '${flag}')`),
      told(400, /attributes/),
    ),
  ),
  ...['true', 'false', '1', '0', 'yes', 'no', 'on', 'off', 'TRUE'].map((flag) =>
    row(
      'S1.4',
      `a flag: ${flag}`,
      admin(`CREATE EXTERNAL TABLE %new% STORED AS NC LOCATION 'grid/' OPTIONS ('attributes' '${flag}')`),
      DONE,
    ),
  ),
  row(
    'S1.4',
    'keys of options in any case',
    admin("CREATE EXTERNAL TABLE %new% STORED AS CSV LOCATION 'semicolons.csv' OPTIONS ('DELIMITER' ';')"),
    DONE,
  ),
  row(
    'S1.4',
    'options of NC',
    admin(
      "CREATE EXTERNAL TABLE %new% STORED AS NC LOCATION 'grid/' OPTIONS ('read_dimensions' 'obs', 'use_rust_reader' 'true', 'enable_statistics' 'false')",
    ),
    DONE,
  ),
  row(
    'S1.4',
    'a convention of HDF5',
    admin("CREATE EXTERNAL TABLE %new% STORED AS HDF5 LOCATION 'fibre.h5' OPTIONS ('convention' 'optodas')"),
    DONE,
  ),
  row(
    'S1.4',
    'an unknown one',
    admin("CREATE EXTERNAL TABLE %new% STORED AS HDF5 LOCATION 'fibre.h5' OPTIONS ('convention' 'nope')"),
    told(400, /convention/),
  ),
  row(
    'S1.4',
    'ZARR has no partitions',
    admin("CREATE EXTERNAL TABLE %new% STORED AS ZARR PARTITIONED BY (year) LOCATION 'store.zarr/'"),
    told(400),
  ),
  row(
    'S1.4',
    'a store',
    admin("CREATE EXTERNAL TABLE %new% STORED AS ZARR LOCATION 'store.zarr/zarr.json'"),
    DONE,
  ),
  row('S1.4', 'it is read', sql('SELECT count(*) AS n FROM %new%', 'csv'), csv('n\n2\n'), {
    first: [step(admin("CREATE EXTERNAL TABLE %new% STORED AS ZARR LOCATION 'store.zarr/zarr.json'"))],
  }),
  row(
    'S1.4',
    'ODV text as a table',
    admin("CREATE EXTERNAL TABLE %new% STORED AS ODV LOCATION 'stations.txt'"),
    DONE,
    { differs: '`STORED AS ODV`' },
  ),
  row(
    'S1.4',
    'partitions are text',
    sql('SELECT year, n FROM %new% ORDER BY n', 'csv'),
    csv('year,n\n2023,1\n2024,2\n'),
    {
      first: [
        step(admin("CREATE EXTERNAL TABLE %new% STORED AS CSV PARTITIONED BY (year) LOCATION 'parts/'")),
      ],
    },
  ),
  row('S1.4', 'a filter on them', sql("SELECT n FROM %new% WHERE year = '2024'", 'csv'), csv('n\n2\n'), {
    first: [step(admin("CREATE EXTERNAL TABLE %new% STORED AS CSV PARTITIONED BY (year) LOCATION 'parts/'"))],
  }),
  row(
    'S1.4',
    'partitions with a type',
    sql('SELECT max(year) + 1 AS y FROM %new%', 'csv'),
    csv('y\n2025\n'),
    {
      first: [
        step(admin("CREATE EXTERNAL TABLE %new% STORED AS CSV PARTITIONED BY (year INT) LOCATION 'parts/'")),
      ],
    },
  ),
  ...DIALECT.map(([text, answer]) => row('S1.3', text, sql(text, 'csv'), csv(answer))),
  row('S1.1', 'another statement behind it', sql('SELECT 1 AS one; SELECT 2 AS two'), told(400), {
    differs: 'Text after the first statement',
  }),
  row('S1.1', 'text behind a statement', admin('DROP TABLE %new% nonsense'), told(400, /nonsense/), {
    differs: 'More text after a statement',
  }),
  row('S1.1', 'keywords of any case', admin('create view %new% as select 1 as one'), DONE),
  row('S1.1', 'EXPLAIN with an output', sql('EXPLAIN SELECT 1 AS one', 'csv'), csv(/one/), {
    differs: 'An EXPLAIN with `output`',
  }),
  row(
    'S1.18',
    'names of columns as they are written',
    sql('SELECT temp FROM "MyTable"'),
    stream(['TEMP'], { rows: 3 }),
    { differs: 'Names of columns (exact' },
  ),

  row('S1.4', 'a table', admin(TABLE), DONE),
  row('S1.4', 'in lower case', admin("create external table %new% stored as csv location 'obs/'"), DONE),
  row('S1.4', 'of a file', admin("CREATE EXTERNAL TABLE %new% STORED AS CSV LOCATION 'obs/a.csv'"), DONE),
  row('S1.4', 'of a glob', admin("CREATE EXTERNAL TABLE %new% STORED AS CSV LOCATION 'obs/*.csv'"), DONE),
  row('S1.4', 'its rows', sql('SELECT count(*) AS n FROM %new%', 'csv'), csv('n\n5\n'), { first: [tabled] }),
  row(
    'S1.4',
    'with columns',
    admin("CREATE EXTERNAL TABLE %new% (id BIGINT NOT NULL, depth DOUBLE) STORED AS CSV LOCATION 'obs/'"),
    DONE,
  ),
  row(
    'S1.4',
    'all clauses',
    admin(
      "CREATE OR REPLACE EXTERNAL TABLE %new% STORED AS CSV PARTITIONED BY (year) WITH ORDER (id ASC) LOCATION 'none/' OPTIONS ('delimiter' ';')",
    ),
    DONE,
  ),
  row(
    'S1.4',
    'an unknown format',
    admin("CREATE EXTERNAL TABLE %new% STORED AS NOTHING LOCATION 'obs/'"),
    told(400, /NOTHING/),
  ),
  row('S1.4', 'an existing name', admin(TABLE), told(400, /%new%/), { first: [tabled], differs: EXISTS }),
  row(
    'S1.4',
    'OR REPLACE',
    admin("CREATE OR REPLACE EXTERNAL TABLE %new% STORED AS CSV LOCATION 'deep/'"),
    DONE,
    { first: [tabled] },
  ),
  row(
    'S1.4',
    'IF NOT EXISTS',
    admin("CREATE EXTERNAL TABLE IF NOT EXISTS %new% STORED AS CSV LOCATION 'deep/'"),
    DONE,
    { first: [tabled] },
  ),
  row('S1.4', 'it changes nothing then', sql('SELECT count(*) AS n FROM %new%', 'csv'), csv('n\n5\n'), {
    first: [tabled, step(admin("CREATE EXTERNAL TABLE IF NOT EXISTS %new% STORED AS CSV LOCATION 'deep/'"))],
  }),
  row('S1.4', 'no files', admin("CREATE EXTERNAL TABLE %new% STORED AS CSV LOCATION 'none/'"), DONE),
  row(
    'S1.4',
    'a scheme',
    admin("CREATE EXTERNAL TABLE %new% STORED AS CSV LOCATION 's3://a/b/'"),
    told(400, /s3/),
  ),
  row(
    'S1.4',
    'an unknown option is ignored',
    admin("CREATE EXTERNAL TABLE %new% STORED AS CSV LOCATION 'obs/' OPTIONS ('nope' '1')"),
    DONE,
  ),
  row(
    'S1.4',
    'a repeated option',
    admin(
      "CREATE EXTERNAL TABLE %new% STORED AS CSV LOCATION 'obs/' OPTIONS ('delimiter' ',', 'DELIMITER' ';')",
    ),
    told(400, /delimiter/i),
  ),
  row(
    'S1.4',
    'the delimiter as an escape',
    admin("CREATE EXTERNAL TABLE %new% STORED AS CSV LOCATION 'obs/' OPTIONS ('delimiter' '\\t')"),
    DONE,
  ),
  row('S1.4', 'DROP TABLE', admin('DROP TABLE %new%'), DONE, { first: [tabled] }),
  row(
    'S1.4',
    'the files stay',
    sql("SELECT count(*) AS n FROM read_csv('obs/*.csv')", 'csv'),
    csv('n\n5\n'),
    { first: [tabled, step(admin('DROP TABLE %new%'))] },
  ),
  row('S1.8', 'DROP of an unknown table', admin('DROP TABLE %new%'), told(400, /%new%/)),
  row('S1.8', 'IF EXISTS', admin('DROP TABLE IF EXISTS %new%'), DONE),

  row('S1.5', 'a view', admin(VIEW), DONE),
  row('S1.5', 'its rows', sql('SELECT one FROM %new%', 'csv'), csv('one\n1\n'), { first: [viewed] }),
  row('S1.5', 'OR REPLACE', admin('CREATE OR REPLACE VIEW %new% AS SELECT 2 AS two'), DONE, {
    first: [viewed],
  }),
  row('S1.5', 'an existing name', admin(VIEW), told(400, /%new%/), { first: [viewed], differs: EXISTS }),
  row('S1.5', 'DROP TABLE of a view', admin('DROP TABLE %new%'), DONE, { first: [viewed] }),
  row('S1.5', 'DROP VIEW', admin('DROP VIEW %new%'), DONE, { first: [viewed] }),
  row('S1.5', 'a view of nothing', admin('CREATE VIEW %new% AS SELECT * FROM nope'), told(400, /nope/)),
  row('S1.5', 'a view over a view', sql('SELECT * FROM %new%b', 'csv'), csv('one\n1\n'), {
    first: [viewed, step(admin('CREATE VIEW %new%b AS SELECT * FROM %new%'))],
  }),

  row('S1.7', 'REFRESH', admin('REFRESH %new%'), DONE, { first: [tabled] }),
  row('S1.7', 'REFRESH TABLE', admin('REFRESH TABLE %new%'), DONE, { first: [tabled] }),
  row('S1.7', 'of a view', admin('REFRESH %new%'), told(400), { first: [viewed] }),
  row('S1.7', 'of nothing', admin('REFRESH %new%'), told(400, /%new%/)),

  row(
    'S1.6',
    'a view that is kept',
    admin('CREATE MATERIALIZED VIEW %new% AS SELECT id FROM obs'),
    DONE,
    KEPT,
  ),
  row('S1.6', 'to refresh it', admin('REFRESH %new%'), DONE, {
    ...KEPT,
    first: [step(admin('CREATE MATERIALIZED VIEW %new% AS SELECT id FROM obs'))],
  }),
  row('S1.8', 'a table that is kept', admin('CREATE TABLE %new% (id BIGINT, name VARCHAR)'), DONE, KEPT),
  row(
    'S1.8',
    'of a query',
    admin('CREATE TABLE %new% AS SELECT id FROM obs'),
    stream(['count'], { rows: 1, types: ['Uint64'] }),
    KEPT,
  ),
  row(
    'S1.8',
    'INSERT',
    admin('INSERT INTO %new% VALUES (1)'),
    stream(['count'], { rows: 1, types: ['Uint64'] }),
    { ...KEPT, first: [step(admin('CREATE TABLE %new% (id BIGINT)'))] },
  ),
  row('S1.8', 'UPDATE', admin('UPDATE %new% SET id = 2'), DONE, {
    ...KEPT,
    first: [step(admin('CREATE TABLE %new% (id BIGINT)'))],
  }),
  row('S1.8', 'DELETE', admin('DELETE FROM %new%'), DONE, {
    ...KEPT,
    first: [step(admin('CREATE TABLE %new% (id BIGINT)'))],
  }),
  row('S1.8', 'ALTER', admin('ALTER TABLE %new% ADD COLUMN x INT'), DONE, {
    ...KEPT,
    first: [step(admin('CREATE TABLE %new% (id BIGINT)'))],
  }),
  row('S1.8', 'INSERT into files', admin('INSERT INTO obs (id) VALUES (1)'), told(400)),
  row('S1.9', 'an index', admin('CREATE INDEX ON %new% (id)'), DONE, {
    ...KEPT,
    first: [step(admin('CREATE TABLE %new% (id BIGINT)'))],
  }),
  row('S1.9', 'indexes', admin('SHOW INDEXES ON %new%'), stream(['index_name', 'columns']), {
    ...KEPT,
    first: [step(admin('CREATE TABLE %new% (id BIGINT)'))],
  }),
  row('S1.9', 'of files', admin('CREATE INDEX i ON obs (id)'), told(400)),

  row(
    'S1.12',
    'ATTACH of what does not answer',
    admin("ATTACH 'service://127.0.0.1:1' AS %new%"),
    told(400, /127\.0\.0\.1:1/),
  ),
  row(
    'S1.12',
    'a user without password',
    admin("ATTACH 'service://127.0.0.1:1' AS %new% WITH ('username' 'a')"),
    told(400, /password/),
  ),
  row('S1.12', 'DETACH of nothing', admin('DETACH %new%'), told(400)),
  row('S1.13', 'a secret', admin("CREATE SECRET %new% (TYPE S3, KEY_ID 'k', SECRET 's')"), DONE),
  ...['S3', 'GCS', 'GS', 'AZURE', 'AZ', 'HTTP', 'HTTPS'].map((type) =>
    row(
      'S1.13',
      `a type: ${type}`,
      admin(`CREATE TEMPORARY SECRET %new% (TYPE ${type}, ACCOUNT_KEY 'k', SCOPE 'a://b/')`),
      DONE,
    ),
  ),
  row(
    'S1.13',
    'for another service',
    admin("CREATE SECRET %new% (TYPE service, USERNAME 'u', PASSWORD 'p')"),
    DONE,
  ),
  row('S1.13', 'a token', admin("CREATE SECRET %new% (TYPE SERVICE, TOKEN 't')"), DONE),
  row('S1.13', 'TYPE is required', admin("CREATE SECRET %new% (KEY_ID 'k')"), told(400, /TYPE/)),
  row('S1.13', 'an unknown type', admin("CREATE SECRET %new% (TYPE nothing, TOKEN 't')"), told(400, /TYPE/)),
  row(
    'S1.13',
    'the same name replaces',
    admin("CREATE SECRET %new% (TYPE AZURE, ACCOUNT_NAME 'a', ACCOUNT_KEY 'k')"),
    DONE,
    { first: [step(admin("CREATE SECRET %new% (TYPE S3, REGION 'r')"))] },
  ),
  row(
    'S1.13',
    'a stored one needs a key of the service',
    admin("CREATE PERSISTENT SECRET %new% (TYPE S3, SECRET 's')"),
    told(400, /SERVICE_SECRETS_KEY/),
  ),
  row(
    'S1.13',
    'secrets',
    admin('SHOW SECRETS'),
    stream(['name', 'type', 'scope', 'option_keys', 'persistent'], {
      types: ['Utf8', 'Utf8', 'Utf8', 'Utf8', 'Bool'],
    }),
  ),
  row('S1.13', 'to drop one', admin('DROP SECRET IF EXISTS %new%'), DONE),
  row('S1.13', 'that is there', admin('DROP SECRET %new%'), DONE, {
    first: [step(admin("CREATE SECRET %new% (TYPE S3, SESSION_TOKEN 't', ENDPOINT 'e')"))],
  }),
  row('S1.13', 'an unknown one', admin('DROP SECRET %new%'), told(400, /%new%/)),

  row(
    'S1.14',
    'SUMMARIZE',
    sql('SUMMARIZE SELECT id, platform FROM obs', 'csv'),
    csv(
      /^column_name,column_type,min,max,distinct,avg,std,count,null_percentage\nid,Int64,1,5,5,3(?:\.0)?,1\.58\d*,5,0(?:\.0)?\nplatform,Utf8,A,C,3,,,5,0(?:\.0)?\n$/,
    ),
  ),
  row(
    'S1.14',
    'of a table',
    sql('SUMMARIZE obs'),
    stream(
      ['column_name', 'column_type', 'min', 'max', 'distinct', 'avg', 'std', 'count', 'null_percentage'],
      { rows: 7 },
    ),
  ),
  row(
    'S1.14',
    'of a call',
    sql("SUMMARIZE read_csv('obs/a.csv')"),
    stream(
      ['column_name', 'column_type', 'min', 'max', 'distinct', 'avg', 'std', 'count', 'null_percentage'],
      { rows: 7 },
    ),
    { differs: '`DESCRIBE` and `SUMMARIZE` of a call' },
  ),

  row(
    'S1.15',
    'ANALYZE FILES',
    admin('ANALYZE FILES'),
    stream(['discovered', 'requeued', 'analyzed', 'failed', 'segments', 'pending'], { rows: 1 }),
  ),
  row(
    'S1.15',
    'EXPLAIN',
    sql('EXPLAIN SELECT id FROM obs', 'csv'),
    csv(/^plan_type,plan\nlogical_plan,(?=.*id)/s),
  ),
  row('S1.15', 'EXPLAIN ANALYZE', sql('EXPLAIN ANALYZE SELECT id FROM obs'), stream(['plan_type', 'plan'])),
  row(
    'S1.15',
    'SHOW TABLES',
    admin('SHOW TABLES'),
    stream(['table_catalog', 'table_schema', 'table_name', 'table_type']),
  ),
  row(
    'S1.15',
    'SHOW COLUMNS',
    admin('SHOW COLUMNS FROM obs'),
    stream(
      [
        'table_catalog',
        'table_schema',
        'table_name',
        'column_name',
        'ordinal_position',
        'column_default',
        'is_nullable',
        'data_type',
        'character_maximum_length',
        'character_octet_length',
        'numeric_precision',
        'numeric_precision_radix',
        'numeric_scale',
        'datetime_precision',
        'interval_type',
      ],
      { rows: 7 },
    ),
  ),
  row(
    'S1.15',
    'SHOW FUNCTIONS',
    admin('SHOW FUNCTIONS'),
    stream([
      'function_name',
      'return_type',
      'parameters',
      'parameter_types',
      'function_type',
      'description',
      'syntax_example',
    ]),
  ),
  row(
    'S1.15',
    'DESCRIBE',
    shown('DESCRIBE warm'),
    csv('column_name,data_type,is_nullable\nid,Int64,YES\ntemperature,Float64,YES\n'),
  ),
  row(
    'S1.15',
    'SHOW CREATE TABLE',
    admin('SHOW CREATE TABLE obs'),
    stream(['table_catalog', 'table_schema', 'table_name', 'definition'], { rows: 1 }),
  ),
  row(
    'S1.15',
    'of the default table',
    shown('SHOW CREATE TABLE "default"'),
    csv('table_catalog,table_schema,table_name,definition\nservice,public,default,\n'),
  ),
  row('S1.15', 'of an unknown one', admin('SHOW CREATE TABLE nope'), told(400, /nope/)),
  ...['SHOW threads', "COPY (SELECT 1 AS one) TO 'x.csv'"].map((text) =>
    row('S1.15', text, admin(text), told(400), {
      differs: 'Files without a function, `information_schema`, settings',
    }),
  ),
  ...[
    'CREATE SCHEMA x',
    'CREATE DATABASE x',
    'CREATE FUNCTION f(x) AS x',
    'MERGE INTO obs USING obs ON true WHEN MATCHED THEN DELETE',
    'BEGIN TRANSACTION',
    'COMMIT',
    'EXECUTE p',
    'ALTER VIEW warm RENAME TO cold',
  ].map((text) => row('S1.15', `not supported: ${text}`, admin(text), told(400))),

  ...FUNCTIONS.map(([call, answer]) =>
    row(
      'S2',
      call,
      sql(`SELECT ${call} AS value`, 'csv'),
      csv(
        new RegExp(`^value\\n(?:${answer === '' ? '(?:"")?' : answer.replaceAll('.', '\\.')}(?:\\.0)?)\\n$`),
      ),
    ),
  ),
  row(
    'S2.2',
    'GeoJSON as WKT',
    sql(`SELECT st_geojson_as_wkt('{"type":"Point","coordinates":[1,2]}') AS value`, 'csv'),
    csv(/POINT ?\(1 2\)/),
  ),
  row(
    'S2.2',
    'depth of a pressure',
    sql('SELECT pressure_to_depth_teos_10(1000.0, 45.0) > 980 AS value', 'csv'),
    csv('value\ntrue\n'),
  ),
  row(
    'S2.4',
    'units',
    sql("SELECT map_units('SDN:P06::KGUM', 'SDN:P06::UPOX', 1.0) AS value", 'csv'),
    csv('value\n1.025\n'),
  ),
  row('S2.3', 'a point', sql('SELECT st_point(1, 2) IS NOT NULL AS value'), stream(['value'], { rows: 1 }), {
    later: 'geometry',
  }),

  row(
    'S4.4',
    'users',
    admin('SELECT * FROM service.system.users LIMIT 1'),
    stream(['username', 'roles', 'is_super_user', 'is_anonymous'], { rows: 1 }),
  ),
  row(
    'S4.4',
    'tables',
    admin("SELECT table_name FROM information_schema.tables WHERE table_name = 'obs'"),
    stream(['table_name'], { rows: 1 }),
  ),
  row(
    'S4.4',
    'views',
    admin("SELECT definition FROM information_schema.views WHERE table_name = 'warm'"),
    stream(['definition'], { rows: 1 }),
  ),
  row(
    'S4.4',
    'columns',
    admin(
      "SELECT column_name FROM information_schema.columns WHERE table_name = 'obs' ORDER BY ordinal_position",
    ),
    stream(['column_name'], { rows: 7 }),
  ),
  row(
    'S4.4',
    'settings',
    admin("SELECT name, value FROM information_schema.df_settings WHERE name = 'enable_sql'"),
    stream(['name', 'value'], { rows: 1 }),
  ),
  row(
    'S4.4',
    'schemas',
    admin('SELECT schema_name FROM information_schema.schemata'),
    stream(['schema_name'], { rows: 3 }),
  ),
  row(
    'S4.4',
    'routines',
    admin("SELECT DISTINCT routine_name FROM information_schema.routines WHERE routine_name = 'abs'"),
    stream(['routine_name'], { rows: 1 }),
  ),
  row(
    'S4.4',
    'parameters',
    admin(
      "SELECT DISTINCT specific_name FROM information_schema.parameters WHERE specific_name = 'abs' AND parameter_mode = 'OUT'",
    ),
    stream(['specific_name'], { rows: 1 }),
  ),
  row(
    'S4.4',
    'nothing is written to them',
    admin("DELETE FROM service.system.users WHERE username = 'reader'"),
    told(400),
  ),
  row(
    'S4.4',
    'files that are known',
    admin('SELECT * FROM service.system.file_stats LIMIT 0'),
    stream([
      'path',
      'file_id',
      'state',
      'format',
      'column_count',
      'num_rows',
      'total_byte_size',
      'stats_epoch',
      'size',
      'last_modified_millis',
    ]),
  ),
  row(
    'S4.4',
    'a table named default takes its place',
    query({ select: ['id'] }),
    stream(['id'], { rows: 5 }),
    { world: 'obs is the default table' },
  ),
]
