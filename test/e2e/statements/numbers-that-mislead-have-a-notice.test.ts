import t from 'tap'
import { startTables } from '../../external/tables.ts'

const DIVISION = '/ of integers gives an integer'
const NULLS = 'has nulls first, and LIMIT keeps them'

t.test(
  'a division of integers and nulls before the largest values have a notice, in both engines',
  async (t) => {
    const { put, command, settle, query, explain } = await startTables(t)
    put('a.csv', 'id,good,temp,name\n1,2,1.5,x\n2,,,y\n3,4,2.5,z\n')
    await settle()
    t.equal(await command("CREATE VIEW share AS SELECT good / id AS s, good FROM read_csv('a.csv')"), '')
    t.equal(await command("CREATE VIEW exact AS SELECT good // id AS s, good FROM read_csv('a.csv')"), '')
    const noticeOf = async (sql: string): Promise<string> => {
      const answer = await query({ sql })
      await answer.arrayBuffer()
      t.equal(answer.status, 200, sql)
      return answer.headers.get('x-service-notice') ?? ''
    }
    const file = "read_csv('a.csv')"

    for (const sql of [
      `SELECT good / id AS s FROM ${file}`,
      `SELECT id FROM ${file} WHERE good / 2 > 1`,
      `SELECT sum(good / id) FROM ${file}`,
      `SELECT count(*) FILTER (WHERE good > 2) / count(*) AS s FROM ${file}`,
      `SELECT name, good / id FROM ${file} ORDER BY good / id`,
      `SELECT (SELECT max(good) / 3) AS s FROM ${file}`,
      'SELECT 7 / 2 AS s',
      'SELECT s FROM share',
    ])
      t.match(await noticeOf(sql), DIVISION, sql)
    for (const sql of [
      `SELECT temp / id AS s, good / temp, id / 2.0, 1.0 * good / id, good::DOUBLE / id FROM ${file}`,
      `SELECT avg(good) / count(*) AS s FROM ${file}`,
      `SELECT good // id AS s FROM ${file}`,
      `SELECT good // id AS s, good / id AS floored FROM ${file}`,
      `SELECT name || '/' || id FROM ${file}`,
      `SELECT id % 2 AS s /* a / b */ FROM ${file}`,
      'SELECT s FROM exact',
    ])
      t.equal(await noticeOf(sql), '', sql)
    const repeated = `SELECT good / id AS again FROM ${file}`
    for (let time = 0; time < 3; time++) t.match(await noticeOf(repeated), DIVISION, 'each time')

    const engines = new Set<string>()
    for (const sql of [
      `SELECT id FROM ${file} ORDER BY temp DESC LIMIT 2`,
      `SELECT id, temp FROM ${file} ORDER BY id, "TEMP" DESC LIMIT 2 OFFSET 1`,
      `SELECT temp AS t FROM ${file} ORDER BY t DESC LIMIT 2`,
      `SELECT id + 1 AS n FROM ${file} AS f ORDER BY f.temp DESC LIMIT 2`,
      `SELECT upper(name) FROM (SELECT * FROM ${file} ORDER BY temp DESC LIMIT 2)`,
      `SELECT id FROM ${file} WHERE id > 1 OR temp > 1 ORDER BY temp DESC LIMIT 2`,
      `SELECT id FROM ${file} WHERE (temp > 1 OR id > 1) ORDER BY temp DESC LIMIT 2`,
    ]) {
      t.match(await noticeOf(sql), NULLS, sql)
      engines.add(/"Engine":\s*"(\w+)"/.exec(await explain(sql))?.[1] ?? '')
    }
    t.same([...engines].toSorted(), ['DuckDB', 'core'])
    t.match(
      await noticeOf(`SELECT * FROM ${file} AS f ORDER BY f.temp DESC LIMIT 2`),
      'f.temp DESC NULLS LAST',
    )
    for (const sql of [
      `SELECT id FROM ${file} ORDER BY temp DESC`,
      `SELECT id FROM ${file} ORDER BY temp LIMIT 2`,
      `SELECT id FROM ${file} ORDER BY temp DESC NULLS LAST LIMIT 2`,
      `SELECT id FROM ${file} ORDER BY temp DESC NULLS FIRST LIMIT 2`,
      `SELECT id + 1 FROM ${file} ORDER BY temp DESC NULLS LAST LIMIT 2`,
      `SELECT name, count(*) AS temp FROM ${file} GROUP BY name ORDER BY temp DESC LIMIT 2`,
      `SELECT name, count(*) FROM ${file} GROUP BY name ORDER BY count(*) DESC, name LIMIT 2`,
      `SELECT id FROM ${file} WHERE temp IS NOT NULL ORDER BY temp DESC LIMIT 2`,
      `SELECT id FROM ${file} WHERE id > 0 AND temp BETWEEN 1 AND 5 ORDER BY temp DESC LIMIT 2`,
      `SELECT id, row_number() OVER (ORDER BY temp DESC) AS n FROM ${file} LIMIT 2`,
      `SELECT list(id ORDER BY temp DESC) AS n FROM ${file} LIMIT 2`,
      `SELECT list_sort([1, 2], 'DESC') AS n FROM ${file} ORDER BY id LIMIT 2`,
    ])
      t.equal(await noticeOf(sql), '', sql)
  },
)

t.test('they come before what is said of files, and stand in plans', async (t) => {
  const { put, settle, query, explain } = await startTables(t)
  put('a.csv', 'a;b\n1;2\n')
  await settle()
  const sql = `SELECT length("a;b") / 2 AS half FROM read_csv('a.csv')`
  const answer = await query({ sql })
  t.match(answer.headers.get('x-service-notice'), /^\/ of integers .*; "a\.csv": delimiter = ';'/)
  t.match(await explain(sql), DIVISION)
})
