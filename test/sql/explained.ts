import { type FilterText, sqlNames } from '../../src/plan/statement/statement.ts'
import { type Database, run } from '../../src/wasm/duckdb/database.ts'
import { registerTableFunction } from '../../src/wasm/duckdb/functions/table-function.ts'
import { inputType } from '../../src/wasm/duckdb/input-type.ts'
import { isFailure, queryTexts } from '../../src/wasm/duckdb/statement.ts'
import { createMark, filterText, markedGroups } from '../../src/workers/sql/binding/marked-columns.ts'
import { schemaOf, type TestTable } from '../query/table.ts'
import { openDuck } from './duck.ts'
import { sqlLiteral } from './literals.ts'

/** A statement over the relation of the given name. */
export type Statement = (table: string) => string

/** DuckDB over one table at a time: as a table function, to explain statements, and as a table of its own, to run them. */
export interface Explainer {
  use(table: TestTable): void
  /** The filters directly above the statement's scans, from left to right. */
  filters(statement: Statement): (readonly FilterText[])[]
  /** The integers in the only column of the statement. Null: the statement fails. */
  numbers(statement: Statement): number[] | null
}

export async function createExplainer(): Promise<Explainer> {
  const database: Database = await openDuck()
  const { duck } = database
  const [connection = 0] = database.connections
  const mark = createMark()
  let schema = schemaOf({ rows: 0, columns: [{ name: 'n', type: { kind: 'bool' }, cells: [] }] })
  registerTableFunction<null, null>(duck, connection, {
    name: 'scan_t',
    parameters: [],
    bind: () => {
      const names = sqlNames(schema)
      const columns = schema.fields.map((field, index) => ({
        name: names[index] ?? '',
        type: inputType(field),
      }))
      return { columns, rows: 1_000, bound: null }
    },
    init: () => null,
    next: () => 0,
  })
  run(duck, connection, `CREATE MACRO marked() AS TABLE (${markedGroups(mark, 'scan_t()')})`)

  function texts(sql: string): string[][] {
    const found = queryTexts(duck, connection, sql)
    if (isFailure(found)) throw new Error(`${sql}: ${found.failure}`)
    return found
  }

  return {
    use(table) {
      schema = schemaOf(table)
      const names = sqlNames(schema).map(quoted)
      // The types of the scan. SQL has no name for some of them.
      const empty = `SELECT ${names.join(', ')} FROM scan_t() LIMIT 0`
      run(duck, connection, `CREATE OR REPLACE TABLE data AS ${empty}`)
      const rows = Array.from({ length: table.rows }, (_, row) =>
        table.columns.map(({ type, cells }) => sqlLiteral(cells[row] ?? null, type)).join(', '),
      )
      if (rows.length > 0) run(duck, connection, `INSERT INTO data VALUES (${rows.join('), (')})`)
    },
    filters(statement) {
      const [[, printed = '[]'] = []] = texts(`EXPLAIN (FORMAT json) ${statement('marked()')}`)
      const names = sqlNames(schema)
      return scansIn(JSON.parse(printed)).map((printed) => {
        const text = printed === null ? null : filterText(printed, mark, names)
        return text === null ? [] : [text]
      })
    },
    numbers(statement) {
      const found = queryTexts(
        duck,
        connection,
        `SELECT CAST(n AS VARCHAR) FROM (${statement('data')}) AS result(n)`,
      )
      return isFailure(found) ? null : found.map(([n]) => Number(n))
    },
  }
}

interface Node {
  readonly name: string
  readonly children: readonly Node[]
  readonly extra_info: Readonly<Record<string, string | readonly string[]>>
}

/** For each scan, from left to right, the condition of the FILTER directly above it. Null: there is none. */
function scansIn(nodes: readonly Node[], above: Node | null = null): (string | readonly string[] | null)[] {
  return nodes.flatMap((node) => {
    if (node.name.trim() !== 'SCAN_T') return scansIn(node.children, node)
    return [above?.name.trim() === 'FILTER' ? (above.extra_info['Expression'] ?? null) : null]
  })
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
