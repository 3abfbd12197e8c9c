import { printReason } from '../../../src/main/query/bind/declined.ts'
import { bindSelect } from '../../../src/main/query/core/bind/bind-select.ts'
import { parseSelect } from '../../../src/main/query/core/parse/parse-select.ts'
import { tokenize } from '../../../src/main/sql/text/tokens.ts'
import { FORMATS } from '../../../src/plan/formats.ts'
import type { ScanPlan } from '../../../src/plan/plan.ts'
import { sqlNames } from '../../../src/plan/statement/statement.ts'
import { type DataType, type Schema, typeName } from '../../../src/plan/types/schema.ts'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { run } from '../../../src/wasm/duckdb/database.ts'
import { extract, isFailure } from '../../../src/wasm/duckdb/statement.ts'
import { addFunctions } from '../../../src/workers/sql/functions/add-functions.ts'
import { outputType } from '../../../src/workers/sql/output/output-type.ts'
import { PARQUET } from '../../formats/product.ts'
import { openDuck } from '../duck.ts'
import { quoted } from '../explained.ts'
import { sqlType } from '../literals.ts'

/** Binds statements over a table `t` for the core, and asks DuckDB for the columns of their answers. */
export interface BothColumns {
  /** The columns of a statement in DuckDB. Null: DuckDB refuses it. */
  duckColumns(sql: string): string[] | null
  bound(sql: string): { readonly plan: ScanPlan } | { readonly reason: string }
}

export async function openBothColumns(schema: Schema): Promise<BothColumns> {
  const database = await openDuck()
  const { duck } = database
  const core = createCore({ maximumBytes: 16 << 20 })
  const macros = addFunctions(database, () => core)
  const [connection = 0] = database.connections
  const names = sqlNames(schema)
  const columns = schema.fields.map((each, index) => `${quoted(names[index] ?? '')} ${typeOf(each.type)}`)
  run(duck, connection, `CREATE TABLE t (${columns.join(', ')})`)
  return {
    duckColumns(sql) {
      macros.make(sql)
      const statements = extract(duck, connection, sql)
      if (isFailure(statements)) return null
      using extracted = statements
      const prepared = extracted.prepare(0)
      if (isFailure(prepared)) return null
      try {
        return prepared.columns.map((name, index) => {
          const type = prepared.columnType(index)
          try {
            return `${name}: ${typeName(outputType(duck, type, name))}`
          } finally {
            duck.destroy('duckdb_destroy_logical_type', type)
          }
        })
      } finally {
        prepared.end()
      }
    },
    bound(sql) {
      const text = sql.replaceAll(/\b(FROM|JOIN) t\b/g, "$1 read_parquet('t')")
      const parsed = parseSelect(tokenize(text), FORMATS)
      if ('reason' in parsed) return { reason: printReason(parsed.reason, text) }
      const table = {
        relation: 't',
        format: PARQUET,
        files: [],
        schema,
        summaries: [],
        unlisted: null,
        isNarrowed: false,
      }
      const outcome = bindSelect(parsed.done, table)
      return 'reason' in outcome ? { reason: printReason(outcome.reason, text) } : { plan: outcome.done }
    },
  }
}

function typeOf(type: DataType): string {
  return type.kind === 'list' ? 'INTEGER[]' : sqlType(type)
}
