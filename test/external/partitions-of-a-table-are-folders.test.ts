import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import t from 'tap'
import { hostFileSystem } from '../../src/main/datasets/file-system/file-system.ts'
import { startTables, waysToAsk } from './tables.ts'

/** The folders that were read since this was emptied. */
const read: string[] = []

const tables = await startTables(t, {
  files: (datasets) => ({
    system: {
      ...hostFileSystem,
      opendir(path) {
        read.push(relative(realpathSync(datasets), path) || '.')
        return hostFileSystem.opendir(path)
      },
    },
  }),
})
const { put, at, command, ask, explain, columns, settle } = tables

for (const year of [2022, 2023, 2024])
  for (const month of ['01', '12']) put(`t/year=${year}/month=${month}/a.csv`, `n,Year\n${year % 100},1\n`)
await settle()

t.test('in the order of the path, text or of the declared type', async (t) => {
  t.equal(
    await command("CREATE EXTERNAL TABLE texts STORED AS CSV PARTITIONED BY (year, month) LOCATION 't/'"),
    '',
  )
  t.same(
    await columns('texts'),
    ['n "Int64"', 'year "Utf8"', 'month "Utf8"'],
    'the folder wins over a column of its name',
  )
  t.equal(
    await command(
      "CREATE EXTERNAL TABLE typed STORED AS CSV PARTITIONED BY (year INT, month TINYINT) LOCATION 't/'",
    ),
    '',
  )
  t.same(await columns('typed'), ['n "Int64"', 'year "Int32"', 'month "Int8"'])
  for (const [way, query] of Object.entries(waysToAsk('typed', ['n', 'year', 'month'])))
    t.same(
      await ask(query),
      ['n,year,month', '22,2022,1', '22,2022,12', '23,2023,1', '23,2023,12', '24,2024,1', '24,2024,12'],
      way,
    )
  t.same((await ask('FROM texts'))[1], '22,2022,01')
  t.equal(
    await command(
      "CREATE EXTERNAL TABLE listed (n DOUBLE, month VARCHAR, year SMALLINT) STORED AS CSV PARTITIONED BY (year, month) LOCATION 't/'",
    ),
    '',
  )
  t.same(
    await columns('listed'),
    ['n "Float64"', 'year "Int16"', 'month "Utf8"'],
    'as the list of columns declares them',
  )
  t.match(
    await command("CREATE EXTERNAL TABLE x STORED AS CSV PARTITIONED BY (month, year) LOCATION 't/'"),
    /"t\/year=2022\/month=01\/a\.csv" is not in folders month=…\/year=…, by which the table x is partitioned/,
    'in another order',
  )
  t.match(
    await command("CREATE EXTERNAL TABLE x STORED AS CSV PARTITIONED BY (year BLOB) LOCATION 't/'"),
    /PARTITIONED BY: "year" cannot be Binary/,
  )
})

t.test('a filter leaves folders out before anything below is listed', async (t) => {
  const conditions: readonly (readonly [sql: string, json: object, folders: readonly string[]])[] = [
    ['year = 2023', { column: 'year', eq: 2023 }, ['year=2023']],
    ['year IN (2022, 2024)', { column: 'year', in: [2022, 2024] }, ['year=2022', 'year=2024']],
    ['year > 2022', { column: 'year', gt: 2022 }, ['year=2023', 'year=2024']],
    ['year BETWEEN 2022 AND 2023', { column: 'year', min: 2022, max: 2023 }, ['year=2022', 'year=2023']],
    ['year IS NULL', { is_null: { column: 'year' } }, []],
  ]
  for (const [sql, json, folders] of conditions) {
    const expected = [
      't',
      ...folders.flatMap((each) => [`t/${each}`, `t/${each}/month=01`, `t/${each}/month=12`]),
    ]
    for (const [way, query] of Object.entries({
      JSON: { from: 'typed', select: ['n'], filters: [json] },
      'a simple SELECT': { sql: `SELECT n FROM typed WHERE ${sql}` },
      DuckDB: { sql: `SELECT n | 0 AS n FROM typed WHERE ${sql}` },
    })) {
      // What is kept of an equal search is not searched again.
      put('t/new', '')
      rmSync(at('t/new'))
      read.length = 0
      const rows = await ask(query)
      t.equal(rows.length, 1 + 2 * folders.length, `${way}: ${sql}`)
      t.same([...new Set(read)].sort(), expected, `${way}: ${sql}`)
    }
  }
  for (const query of [
    'SELECT n FROM typed WHERE year = 2023 AND month = 1',
    'SELECT n + 1 FROM typed WHERE year = 2023 AND month = 1',
  ]) {
    const explained = await explain(query)
    t.match(explained, /"File Count": 1,/)
    t.match(explained, /"Folders Left Out": 3,/, 'two years, and a month')
  }
  t.match(await explain('SELECT n FROM typed WHERE year = 1999'), /"Folders Left Out": 3,/)
  t.notMatch(await explain('SELECT n FROM typed'), /Folders Left Out/)
})

t.test('text that is compared with a number leaves out nothing, and EXPLAIN says what would', async (t) => {
  t.same(await ask('SELECT n FROM texts WHERE year = 2023'), ['n', '23', '23'])
  const explained = await explain('SELECT n FROM texts WHERE year = 2023')
  t.match(explained, /"File Count": 6,/)
  t.match(explained, /the partition \\"year\\" of texts is text, .* PARTITIONED BY \(year INT\) would/)
  const asText = await explain("SELECT n FROM texts WHERE year = '2023'")
  t.match(asText, /"File Count": 2,/)
  t.notMatch(asText, /PARTITIONED BY/)
  t.notMatch(await explain('SELECT n + 1 FROM typed WHERE year = 2023'), /PARTITIONED BY/)
})

t.test('values are percent-decoded, and the default partition is null', async (t) => {
  put('odd/site=a%20b%2Fc/x.csv', 'n\n1\n')
  put('odd/site=100%/x.csv', 'n\n2\n')
  put('odd/site=__HIVE_DEFAULT_PARTITION__/x.csv', 'n\n3\n')
  put('odd/site=%E6%B5%B7=x/x.csv', 'n\n4\n')
  await settle()
  t.equal(await command("CREATE EXTERNAL TABLE odd STORED AS CSV PARTITIONED BY (site) LOCATION 'odd/'"), '')
  t.same(await ask('SELECT n, site FROM odd ORDER BY n'), ['n,site', '1,a b/c', '2,100%', '3,', '4,海=x'])
  t.same(await ask("SELECT n FROM odd WHERE site = 'a b/c'"), ['n', '1'])
  t.same(await ask('SELECT n FROM odd WHERE site IS NULL'), ['n', '3'])
  t.same(await ask({ from: 'odd', select: ['n'], filters: [{ column: 'site', eq: '海=x' }] }), ['n', '4'])
})

t.test('other folders, and folders of other keys, are only folders', async (t) => {
  put('deep/a/year=2024/v=1/part=7/x.csv', 'n\n1\n')
  put('deep/b/c/year=2025/x.csv', 'n\n2\n')
  put('deep/empty=1/readme.txt', '')
  mkdirSync(at('deep/year=2026'))
  await settle()
  t.equal(
    await command("CREATE EXTERNAL TABLE deep STORED AS CSV PARTITIONED BY (year INT) LOCATION 'deep/'"),
    '',
  )
  t.same(await ask('SELECT * FROM deep'), ['n,year', '1,2024', '2,2025'])
  t.same(await ask('SELECT * FROM deep WHERE year = 2025'), ['n,year', '2,2025'])
  t.equal(await command("CREATE EXTERNAL TABLE plain STORED AS CSV LOCATION 'deep/'"), '')
  t.same(await ask('SELECT * FROM plain'), ['n', '1', '2'], 'without PARTITIONED BY no folder is a column')
  t.equal(
    await command(
      "CREATE EXTERNAL TABLE inside STORED AS CSV PARTITIONED BY (year INT) LOCATION 'deep/a/year=2024/'",
    ),
    '',
  )
  t.same(await ask('SELECT * FROM inside'), ['n,year', '1,2024'], 'folders of the location itself count')
  t.same(await ask('SELECT * FROM inside WHERE year = 2025'), ['n,year'])
})

t.test('a file that is not where it should be is named, whatever the filter', async (t) => {
  put('wrong/year=2024/x.csv', 'n\n1\n')
  await settle()
  t.equal(
    await command("CREATE EXTERNAL TABLE wrong STORED AS CSV PARTITIONED BY (year INT) LOCATION 'wrong/'"),
    '',
  )
  put('wrong/year=1e3/y.csv', 'n\n2\n')
  for (const query of [
    'FROM wrong',
    'SELECT n FROM wrong WHERE year = 2024',
    'SELECT n + 1 FROM wrong WHERE year = 2024',
  ])
    t.match(
      await ask(query),
      /"wrong\/year=1e3\/y\.csv" is in a folder year=1e3, which is no Int32, the type of "year" in the table wrong/,
      query,
    )
  rmSync(at('wrong/year=1e3'), { recursive: true })
  put('wrong/z.csv', 'n\n3\n')
  t.match(
    await ask({ from: 'wrong', select: ['n'], filters: [{ column: 'year', eq: 2024 }] }),
    /"wrong\/z\.csv" is not in folders year=…, by which the table wrong is partitioned/,
  )
  rmSync(at('wrong/z.csv'))
  t.same(await ask('FROM wrong'), ['n,year', '1,2024'])
})

t.test('a value has the declared type', async (t) => {
  const values: readonly (readonly [type: string, folder: string, shown: string | null])[] = [
    ['INT', '007', '7'],
    ['INT', '-7', '-7'],
    ['INT', '2147483648', null],
    ['INT', '7.0', null],
    ['TINYINT', '128', null],
    ['UTINYINT', '255', '255'],
    ['UTINYINT', '-1', null],
    ['BIGINT', '9223372036854775807', '9223372036854775807'],
    ['DOUBLE', '1e3', '1000.0'],
    ['DOUBLE', 'abc', null],
    ['BOOLEAN', 'TRUE', 'true'],
    ['BOOLEAN', '1', null],
    ['DATE', '2024-02-29', '2024-02-29'],
    ['DATE', '2023-02-29', null],
    ['TIMESTAMP', '2024-02-29 12%3A30%3A00', '2024-02-29T12:30:00'],
    ['VARCHAR', '007', '007'],
  ]
  for (const [index, [type, folder, shown]] of values.entries()) {
    put(`values/${index}/v=${folder}/x.csv`, 'n\n1\n')
    const failure = await command(
      `CREATE OR REPLACE EXTERNAL TABLE of_values STORED AS CSV PARTITIONED BY (v ${type}) LOCATION 'values/${index}/'`,
    )
    if (shown === null) t.match(failure, /is in a folder v=.*, which is no/, `${type} ${folder}`)
    else {
      t.equal(failure, '', `${type} ${folder}`)
      t.same(await ask('SELECT v FROM of_values'), ['v', shown], `${type} ${folder}`)
    }
  }
})
