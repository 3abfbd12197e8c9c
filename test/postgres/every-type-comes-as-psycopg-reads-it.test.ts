import { readFileSync } from 'node:fs'
import t from 'tap'
import { compareConditions } from '../databases/conditions.ts'
import { compareFirstRowsAndGroups } from '../databases/first-rows-and-groups.ts'
import { startTables } from '../external/tables.ts'
import { generator } from '../support/generate.ts'
import { runPython, skipWithout } from '../support/python.ts'
import { PASSWORD, PATIENT, skipWithoutPostgres, startPostgres } from './server.ts'

const PROGRAM = readFileSync(new URL('every-type.py', import.meta.url), 'utf8')

t.test(
  'and conditions leave out the same rows there and here',
  { skip: skipWithoutPostgres() || skipWithout('psycopg, pyarrow') },
  async (t) => {
    const there = await startPostgres(t)
    const here = await startTables(t, PATIENT)
    const random = generator('types')
    const seed = String(random(1_000_000))
    await runPython(PROGRAM, ['fill', there.url, here.url, seed])
    for (const sql of [
      `CREATE TEMPORARY SECRET sea (TYPE postgres, USER 'owner', PASSWORD '${PASSWORD}')`,
      `CREATE EXTERNAL TABLE types STORED AS POSTGRESQL LOCATION 'public.types' OPTIONS ('secret' 'sea', 'host' '127.0.0.1', 'port' '${there.port}', 'database' 'sea')`,
    ])
      t.equal(await here.command(sql), '', sql)
    t.match(await runPython(PROGRAM, ['compare', there.url, here.url, seed]), /^the same 400/)

    const constants: Readonly<Record<string, readonly string[]>> = {
      b: ['true', 'false'],
      i2: ['0', '-32768', '7', '99999'],
      i4: ['0', '2147483647', '-3'],
      i8: ['0', '9223372036854775807', '50'],
      f4: ['0.0', '1.5', "'NaN'::FLOAT", '-3e10'],
      f8: ['0.0', '-0.0', '1.5', "'NaN'::DOUBLE", "'Infinity'::DOUBLE"],
      t: ["''", "'a'", "'ab'", "'B'", "'ä'", "'a\\'", "'a '", "'''%'"],
      vc: ["''", "'a'", "'A z'", "'b%'"],
      ch: ["''", "'a'", "'a     '", "'ab    '", "'a b'"],
      nm: ["''", "'a'", "'B'"],
      ci: ["'a'", "'A'", "'b'", "'ab'"],
      d: ["DATE '2000-01-01'", "DATE '1970-01-01'", "DATE '0001-01-01'"],
      tm: ["TIME '00:00:00'", "TIME '12:30:00.5'"],
      ts: [
        "TIMESTAMP '2000-01-01'",
        "TIMESTAMP '1969-12-31 23:59:59.999999'",
        "TIMESTAMP '9999-12-31 23:59:59.999999'",
      ],
      tz: ["TIMESTAMPTZ '2000-01-01 00:00:00+00'", "TIMESTAMPTZ '1970-01-01 02:00:00+02'"],
      n9: ['0', '1.5', '-99999.9999'],
      n38: ['0', '12345678901234567890.5'],
      nn: ['0', '100'],
      nx: ['0.0', '1.25'],
      dn: ['0', '100.00'],
      n50: ["'0.00000'"],
      en: ["'ok'", "'sad'"],
      u: ["'00000000-0000-0000-0000-000000000000'", "'88888888-8888-8888-8888-888888888888'"],
    }
    await compareConditions(t, here, constants, ['t', 'ci', 'ch'], random)
    await compareFirstRowsAndGroups(
      t,
      here,
      constants,
      {
        aggregated: ['i2', 'i4', 'i8', 'n9', 'n38', 'd', 'tm', 'ts', 'tz', 't', 'vc', 'ci', 'b', 'u', 'en'],
        added: ['i2', 'i4', 'n9', 'dn'],
      },
      random,
    )
    const pushed = await here.explain(
      "SELECT id FROM types WHERE t = 'a' AND i4 > 5 AND nx > 1.0 AND ch = 'a' AND t > 'b'",
    )
    t.match(pushed, /t\\" = CAST\('a' AS text\)/)
    t.match(pushed, /t\\" COLLATE \\"C\\" > CAST\('b' AS text\)/)
    t.notMatch(pushed, /nx\\" >|ch\\" =/)
    t.match(pushed, /Filters Applied Here/)
  },
)
