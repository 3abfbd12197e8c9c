import t from 'tap'
import { testEngine } from './engine.ts'

const { run } = await testEngine()

t.test('what times with a zone cannot do without icu says so, and what to do', async (t) => {
  const zoned = "'2024-01-01 00:00:00+00'::TIMESTAMPTZ"
  for (const expression of [
    `(${zoned})::DATE`,
    `(${zoned})::TIME`,
    `${zoned} + INTERVAL 1 HOUR`,
    `now() - ${zoned}`,
    `date_trunc('day', ${zoned})`,
    `year(${zoned})`,
    'current_date',
  ])
    t.throws(
      () => run(`SELECT ${expression}`),
      { message: /extension icu.* Cast a time with a zone to TIMESTAMP, which is its time in UTC\.$/ },
      expression,
    )
  t.equal(run(`SELECT (${zoned})::TIMESTAMP::DATE::VARCHAR AS day`).get(0)?.['day'], '2024-01-01')
})

t.test('other wrong types say nothing of zones', async (t) => {
  t.throws(() => run("SELECT 'a'::BLOB + INTERVAL 1 HOUR"), {
    message: /^(?!.*icu)Binder Error: No function/,
  })
})
