import { readFileSync } from 'node:fs'
import t from 'tap'
import { compareConditions } from '../databases/conditions.ts'
import { compareFirstRowsAndGroups } from '../databases/first-rows-and-groups.ts'
import { startTables } from '../external/tables.ts'
import { PASSWORD, PATIENT } from '../postgres/server.ts'
import { generator } from '../support/generate.ts'
import { runPython, skipWithout } from '../support/python.ts'
import { skipWithoutMysql, startMysql } from './server.ts'

const PROGRAM = readFileSync(new URL('every-type.py', import.meta.url), 'utf8')

const WORDS = ["''", "'a'", "'A'", "'ab'", "'B'", "'ä'", "'a\\'", "'a '", "'''%'", "'€'", "'😀'", `'a"'`]

t.test(
  'and conditions leave out the same rows there and here',
  { skip: skipWithoutMysql() || skipWithout('pymysql, pyarrow') },
  async (t) => {
    const there = await startMysql(t)
    const here = await startTables(t, PATIENT)
    const random = generator('types')
    const seed = String(random(1_000_000))
    const place = there.place.split(' ')
    await runPython(PROGRAM, ['fill', ...place, here.url, seed])
    for (const sql of [
      `CREATE TEMPORARY SECRET sea (TYPE mysql, USER 'owner', PASSWORD '${PASSWORD}')`,
      `CREATE EXTERNAL TABLE types STORED AS MARIADB LOCATION 'sea.types' OPTIONS ('secret' 'sea', 'host' '127.0.0.1', 'port' '${there.port}')`,
    ])
      t.equal(await here.command(sql), '', sql)
    t.match(await runPython(PROGRAM, ['compare', ...place, here.url, seed]), /^the same 400/)

    const constants: Readonly<Record<string, readonly string[]>> = {
      t1: ['0', '-128', '7', '999'],
      u1: ['0', '255', '-1'],
      t4: ['0', '2147483647', '-3'],
      u4: ['0', '4294967295', '-1'],
      t8: ['0', '9223372036854775807', '50'],
      u8: ['0', '9223372036854775808', '18446744073709551615', '-1'],
      f4: ['0.0', '1.5', '0.1', "'NaN'::FLOAT", '-3e10'],
      f8: ['0.0', '-0.0', '1.5', '0.1', "'NaN'::DOUBLE", "'Infinity'::DOUBLE"],
      n9: ['0', '1.5', '-99999.9999'],
      n38: ['0', '12345678901234567890.5'],
      n50: ["'0.00000'"],
      nu: ['0', '100'],
      y: ['0', '70', '50', '1999', '2000', '2050'],
      b1: ['0', '1'],
      b64: ['0', '18446744073709551615', '9223372036854775808'],
      d: ["DATE '2000-01-01'", "DATE '1970-01-01'", "DATE '0001-01-01'"],
      dt: [
        "TIMESTAMP '2000-01-01'",
        "TIMESTAMP '1969-12-31 23:59:59.999999'",
        "TIMESTAMP '9999-12-31 23:59:59.999999'",
      ],
      d0: ["TIMESTAMP '2000-01-01'", "TIMESTAMP '1999-12-31 23:59:59.5'"],
      ts: ["TIMESTAMPTZ '2000-01-01 00:00:00+00'", "TIMESTAMPTZ '1990-01-01 03:00:00+02'"],
      tm: ["'00:00:00.000'", "'-10:00:00.000'"],
      c: ["''", "'a'", "'a     '", "'a b'", "'A'"],
      v: WORDS,
      tx: WORDS,
      cb: WORDS,
      cn: WORDS,
      l1: WORDS,
      u3t: WORDS,
      sj: [...WORDS, "'カ'"],
      en: ["'ok'", "'happy'"],
      se: ["'a'", "'a,b'"],
      u: ["'00000000-0000-0000-0000-000000000000'", "'88888888-8888-8888-8888-888888888888'"],
      i6: ["'2001:db8::1'"],
    }
    await compareConditions(t, here, constants, ['v', 'c', 'l1', 'cb'], random)
    await compareFirstRowsAndGroups(
      t,
      here,
      constants,
      {
        aggregated: [
          't1',
          'u2',
          't4',
          'u8',
          'n9',
          'n38',
          'y',
          'b64',
          'd',
          'dt',
          'ts',
          'c',
          'v',
          'tx',
          'l1',
          'sj',
          'tm',
        ],
        added: ['t1', 'u1', 't2', 'u3', 't4', 'u4', 'n9', 'nu', 'y', 'b1'],
      },
      random,
    )
    const pushed = await here.explain(
      "SELECT id FROM types WHERE v = 'a' AND t4 > 5 AND en = 'ok' AND v > 'b' AND l1 = 'ä' AND d IS NULL AND y < 70",
    )
    t.match(pushed, /\\"v\\" = 'a'/)
    t.match(pushed, /CAST\(\\"v\\" AS BINARY\) > CAST\('b' AS BINARY\)/)
    t.match(pushed, /CONVERT\(\\"l1\\" USING utf8mb4\) = 'ä'/)
    t.match(pushed, /\(\\"y\\" \+ 0\) < 70/)
    t.match(pushed, /IF\(DAYOFMONTH\(\\"d\\"\) BETWEEN .*, \\"d\\", NULL\) IS NULL/)
    t.notMatch(pushed, /\\"en\\" =/)
    t.match(pushed, /Filters Applied Here/)
  },
)
