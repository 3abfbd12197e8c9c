import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableToIPC } from 'apache-arrow'
import { EnabledStatistics } from 'parquet-wasm'
import t from 'tap'
import { toArrow } from '../../query/arrow-table.ts'
import { layouts, WRITABLE, writeFiles } from '../../query/files.ts'
import { tables } from '../../query/generated/generators.ts'
import { isCutInNative } from '../../sql/is-cut-in-native.ts'
import { numbered } from '../../sql/numbered.ts'
import { askBoth, sameAnswers, show } from '../../sql/select/both-engines.ts'
import { isIllConditioned } from '../../sql/select/is-ill-conditioned.ts'
import { nativeRows, sameRows } from '../../sql/select/plain-values.ts'
import { simpleStatements } from '../../sql/select/simple-statements.ts'
import { fc } from '../../support/generate.ts'
import { openNative } from '../../support/native-duckdb.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t, { workers: 2 })

const native = await openNative(t)

t.test('the core = DuckDB in the service = native DuckDB', async (t) => {
  const counts = { core: 0, left: 0, rows: 0, errors: 0 }
  let cases = 0
  const generated = fc.tuple(
    tables(WRITABLE)
      .map(numbered)
      .chain((table) =>
        fc.tuple(fc.constant(table), fc.array(simpleStatements(table), { minLength: 8, maxLength: 8 })),
      ),
    layouts,
  )
  const property = fc.asyncProperty(generated, async ([[table, statements], layout]) => {
    const folder = `case-${cases++}`
    writeFiles(join(service.datasets, folder), table, layout, EnabledStatistics.Page)
    // Native DuckDB takes the statistics of floats for bounds of NaN too, which they do not count: to it `NOT x > 300` is true of NaN.
    writeFiles(
      join(service.datasets, `${folder}-whole`),
      table,
      { ...layout, files: 1 },
      EnabledStatistics.None,
    )
    writeFileSync(join(service.datasets, folder, 'all.arrow'), tableToIPC(toArrow(table), 'file'))
    const all = { sql: `SELECT * FROM read_parquet('${folder}/*.parquet')`, output: { format: 'csv' } }
    writeFileSync(join(service.datasets, folder, 'all.csv'), await (await service.query(all)).text())
    for (const statement of statements.filter((each) => !isIllConditioned(each.sql('t'), table))) {
      for (const source of [
        `read_parquet('${folder}/*.parquet')`,
        `read_arrow('${folder}/all.arrow')`,
        `read_csv('${folder}/all.csv')`,
      ]) {
        const sql = statement.sql(source)
        const { engine, core, duck } = await askBoth(service, sql)
        if (engine === 'DuckDB') {
          counts.left++
          continue
        }
        assert.ok(sameAnswers(core, duck, statement.isOrdered), `${sql}\n${show(core)}\n${show(duck)}`)
        counts.core++
        counts.errors += Number(typeof duck === 'string')
        if (typeof core === 'string' || typeof duck === 'string') continue
        counts.rows += core.rows.length
        if (!source.startsWith('read_parquet') || isCutInNative(table, sql)) continue
        const file = `read_parquet('${join(service.datasets, `${folder}-whole`, '0.parquet')}')`
        const rows = nativeRows(await native.runAndReadAll(statement.sql(file)))
        assert.ok(sameRows(core.rows, rows, statement.isOrdered), `${sql}\n${show(core)}\n${show(rows)}`)
      }
    }
  })
  await fc.assert(property, { numRuns: 12, endOnFailure: true })
  t.ok(counts.core > 2 * counts.left && counts.rows > counts.core, JSON.stringify(counts))
})
