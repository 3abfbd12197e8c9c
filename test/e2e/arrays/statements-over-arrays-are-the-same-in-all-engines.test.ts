import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableToIPC } from 'apache-arrow'
import { Table as ParquetTable, writeParquet } from 'parquet-wasm'
import t from 'tap'
import { grids, type MadeGrid, rowsOf, withoutNan } from '../../arrays/made-grid.ts'
import { namedInSql } from '../../arrays/named-columns.ts'
import { classicFile, LIBRARIES, writeHdf5 } from '../../arrays/write-grid.ts'
import { layouts, writeZarrGrid } from '../../arrays/write-zarr-grid.ts'
import { toArrow } from '../../query/arrow-table.ts'
import type { TestTable } from '../../query/table.ts'
import { isCutInNative } from '../../sql/is-cut-in-native.ts'
import { type AnswerOrError, ask, askBoth, sameAnswers, show } from '../../sql/select/both-engines.ts'
import { nativeRows, sameRows } from '../../sql/select/plain-values.ts'
import { type SimpleStatement, simpleStatements } from '../../sql/select/simple-statements.ts'
import { fc } from '../../support/generate.ts'
import { openNative } from '../../support/native-duckdb.ts'
import { startTestService, type TestService } from '../service.ts'
import { SERVICES } from './services.ts'

const native = await openNative(t)

/** The same table with the column that tells rows apart in the first place. */
function idFirst(table: TestTable, { arrays: [id] }: MadeGrid): TestTable {
  const isId = ({ name }: { name: string }): boolean => name === id?.name
  return { ...table, columns: table.columns.toSorted((a, b) => Number(isId(b)) - Number(isId(a))) }
}

const cases = grids.chain((grid) =>
  fc.record({
    grid: fc.constant(grid),
    statements: fc.array(simpleStatements(idFirst(rowsOf(grid, null), grid)), {
      minLength: 8,
      maxLength: 8,
    }),
    library: fc.constantFrom(...LIBRARIES),
    hasRecords: fc.boolean(),
    isNanValue: fc.boolean(),
    layout: layouts,
  }),
)

/** How a file has the rows of a grid. */
interface Rows {
  readonly isChunked: boolean
  readonly isJson: boolean
}

/** Whether it asks for the variance of integers of 64 bits: around 2^53 that depends on the order in which they are added. */
function isVarianceOfLongs(sql: string, { arrays }: MadeGrid): boolean {
  return /(?:stddev|var)/.test(sql) && arrays.some(({ type }) => type.kind === 'int' && type.bits === 64)
}

/**
 * Writes the rows that a statement has, where it has them of a table, and returns their places. Each file has a name of its own: native
 * DuckDB keeps bytes of files, and does not see that one was written again in the same second.
 */
function writeRows(service: TestService, folder: string, name: string, rows: TestTable) {
  const arrow = toArrow(rows)
  const place = join(service.datasets, folder)
  writeFileSync(join(place, `${name}.arrow`), tableToIPC(arrow, 'file'))
  const stream = ParquetTable.fromIPCStream(tableToIPC(arrow, 'stream'))
  writeFileSync(join(place, `${name}.parquet`), writeParquet(stream))
  return { arrow: `read_arrow('${folder}/${name}.arrow')`, parquet: `'${join(place, `${name}.parquet`)}'` }
}

function requireSame(one: AnswerOrError, other: AnswerOrError, isOrdered: boolean, sql: string): void {
  assert.ok(sameAnswers(one, other, isOrdered), `${sql}\n${show(one)}\n${show(other)}`)
}

for (const [name, options] of Object.entries(SERVICES))
  t.test(
    `the core = DuckDB in the service = the same rows as a table = native DuckDB: ${name}`,
    async (t) => {
      const service = await startTestService(t, options)
      const counts = { core: 0, left: 0, filled: 0, tables: 0 }
      let count = 0
      const property = fc.asyncProperty(cases, async (made) => {
        const { grid, statements, library, hasRecords, layout, isNanValue } = made
        const read = isNanValue ? grid : withoutNan(grid)
        const nan = isNanValue ? ", nan = 'value'" : ''
        const folder = `case-${count++}`
        const place = join(service.datasets, folder)
        mkdirSync(place)
        writeFileSync(join(place, 'classic.nc'), classicFile(grid, hasRecords))
        await writeHdf5(join(place, 'chunks.h5'), grid, library)
        writeZarrGrid(join(place, 'store.zarr'), grid, layout)
        for (const statement of statements.filter((each) => !isVarianceOfLongs(each.sql('t'), grid)))
          for (const [source, rows] of [
            [`read_netcdf('${folder}/classic.nc'${nan})`, { isChunked: false, isJson: false }],
            [`read_hdf5('${folder}/chunks.h5'${nan})`, { isChunked: true, isJson: false }],
            [`read_zarr('${folder}/store.zarr'${nan})`, { isChunked: true, isJson: true }],
          ] as const)
            await compare(statement, source, read, rows, folder)
      })

      async function compare(
        statement: SimpleStatement,
        source: string,
        grid: MadeGrid,
        has: Rows,
        folder: string,
      ): Promise<void> {
        const { isOrdered } = statement
        const sql = statement.sql(source)
        const { engine, core, duck } = await askBoth(service, sql)
        requireSame(core, duck, isOrdered, sql)
        counts[engine === 'core' ? 'core' : 'left']++
        if (typeof core === 'string' || typeof duck === 'string') return
        if (core.rows.length > 0) counts.filled++
        const columns = rowsOf(grid, null, has).columns.map((column) => column.name)
        const named = namedInSql(statement.sql('t'), columns)
        const rows = rowsOf(grid, named === 'all' ? null : named, has)
        const table = writeRows(service, folder, `rows-${counts.tables}`, rows)
        requireSame(core, await ask(service, statement.sql(table.arrow)), isOrdered, sql)
        if (isCutInNative(rows, sql)) return
        const byNative = nativeRows(await native.runAndReadAll(statement.sql(table.parquet)))
        assert.ok(sameRows(core.rows, byNative, isOrdered), `${sql}\n${show(core)}\n${show(byNative)}`)
        counts.tables++
      }

      await fc.assert(property, { numRuns: 10, endOnFailure: true })
      t.ok(
        counts.core > 2 * counts.left && 4 * counts.filled > counts.tables && counts.tables > 0,
        JSON.stringify(counts),
      )
    },
  )
